import assert from "node:assert/strict";
import { test } from "node:test";
import { parseExact } from "../src/json";
import { defaultList, listsIn, type List } from "../src/lists";
import { tableOf, wideForm } from "../src/table";

const list = (rows: unknown[]): List => ({ path: "rows", rows, parents: rows.map(() => []), owners: rows.map(() => []) });

test("lists are found by path, outer ones first, inner ones joined", () => {
  const lists = listsIn({ a: { list: [{ in: [1, 2] }, { in: [] }, { in: [3] }, null] }, b: { c: [] }, d: 1, e: null });
  assert.deepEqual(lists.map(({ owners: _, ...l }) => l), [
    { path: "a.list", rows: [{ in: [1, 2] }, { in: [] }, { in: [3] }, null], parents: [[], [], [], []] },
    { path: "b.c", rows: [], parents: [] },
    { path: "a.list[].in", rows: [1, 2, undefined, 3, undefined], parents: [[0], [0], [1], [2], [3]] },
  ]);
  assert.deepEqual(listsIn([[1], [2, 3]]).map((l) => [l.path, l.rows.length]), [["", 2], ["[]", 3]]);
  for (const nothing of [undefined, null, 1, "x", {}]) assert.deepEqual(listsIn(nothing), []);
});

test("the default list is the longest outer one that holds objects", () => {
  const path = (data: unknown) => defaultList(listsIn(data))?.path;
  assert.equal(path({ few: [{}], many: [{}, {}], texts: ["a", "b", "c"], deep: [{ inner: [{}, {}, {}, {}] }] }), "many");
  assert.equal(path({ texts: ["a"] }), "texts");
  assert.equal(path(history), "series[].points");
  assert.equal(path({ a: [{ b: { nodes: [{ c: [{}], tags: [1] }] } }] }), "a[].b.nodes[].c");
  assert.equal(path({ a: [{ b: [{}], c: [{}] }] }), "a");
  assert.equal(path({ a: [{ banner: { layers: [{}] } }] }), "a");
  assert.equal(path({}), undefined);
});

for (const [name, rows, columns, cells] of [
  ["objects inside a row become columns, side by side", [{ a: 1, g: { n: "x", m: { k: true } }, z: 0 }], ["a", "g.n", "g.m.k", "z"], [[1, "x", true, 0]]],
  ["a later key is placed beside its siblings", [{ g: { n: 1 }, z: 2 }, { g: { n: 3, o: 4 } }], ["g.n", "g.o", "z"], [[1, undefined, 2], [3, 4, undefined]]],
  ["a null object is null in all its columns", [{ g: null }, { g: { n: 1, o: 2 } }], ["g.n", "g.o"], [[null, null], [1, 2]]],
  ["a key that is null everywhere has a column", [{ a: null }, { a: null }], ["a"], [[null], [null]]],
  ["null and absent differ", [{ a: null, b: 1 }, { b: null }], ["a", "b"], [[null, 1], [undefined, null]]],
  ["a null row is null everywhere", [null, { a: 1 }], ["a"], [[null], [1]]],
  ["only null rows", [null], ["value"], [[null]]],
  ["plain values", ["x", 2, null], ["value"], [["x"], [2], [null]]],
  ["lists stay one cell", [{ l: [1, { a: 2 }], e: [] }], ["l", "e"], [[[1, { a: 2 }], []]]],
  ["a value in one row, an object in another", [{ v: 1 }, { v: { a: 2 } }], ["v", "v.a"], [[1, undefined], [undefined, 2]]],
  ["an empty object has one empty column", [{ o: {} }], ["o"], [[undefined]]],
  ["no rows", [], [], []],
] as [string, unknown[], string[], unknown[][]][]) {
  test(name, () => assert.deepEqual(tableOf(list(rows)), { columns, rows: cells }));
}

const at = (data: unknown, path: string) => tableOf(listsIn(data).find((l) => l.path === path)!);

test("entries of outer lists without values are represented by their indices", () => {
  const data = { a: [{ b: [{ c: ["x"] }] }, { b: [{ c: ["y", "z"] }, null] }, { b: null }] };
  assert.deepEqual(at(data, "a[].b[].c"), {
    columns: ["a[]", "a[].b[]", "value"], outer: 2,
    rows: [[0, 0, "x"], [1, 0, "y"], [1, 0, "z"], [1, 1, undefined], [2, undefined, undefined]],
  });
});

const history = {
  series: [
    { metric: "LEVEL", unit: null, tags: [1], points: [{ at: 1, value: 5 }, { at: 2, value: 6 }] }, { metric: "WARS", unit: { name: "won" }, points: [{ at: 1, value: 7 }] },
    { metric: "MEMBERS", points: [] },
  ],
};

test("rows of an inner list begin with the values of the entries that contain them", () => {
  assert.deepEqual(at(history, "series[].points"), {
    columns: ["metric", "unit.name", "at", "value"], outer: 2,
    rows: [["LEVEL", null, 1, 5], ["LEVEL", null, 2, 6], ["WARS", "won", 1, 7], ["MEMBERS", undefined, undefined, undefined]],
  });
  const names = { a: [{ name: "A", b: [{ name: "B", c: [{ name: "C" }] }, { name: "D", c: null }] }, { name: "E", b: [] }] };
  assert.deepEqual(at(names, "a[].b[].c"), {
    columns: ["a[].name", "a[].b[].name", "name"], outer: 2, rows: [["A", "B", "C"], ["A", "D", undefined], ["E", undefined, undefined]],
  });
});

test("a wide table has a column for each series", () => {
  assert.deepEqual(wideForm(at(history, "series[].points"), { x: "at", y: "value", series: "metric" }), {
    columns: ["at", "LEVEL", "WARS"], rows: [[1, 5, 7], [2, 6, undefined]],
  });
});

test("numbers beyond the safe ones are cells, not objects", () => {
  const [found] = listsIn(parseExact('{"l":[{"n":9007199254740993}]}'));
  assert.equal(String(tableOf(found!).rows[0]![0]), "9007199254740993");
});
