import assert from "node:assert/strict";
import { test } from "node:test";
import { parseExact } from "../src/json";
import { defaultList, listsIn, type List } from "../src/lists";
import { tableOf, withParents } from "../src/table";

const list = (rows: unknown[]): List => ({ path: "rows", rows, parents: rows.map(() => []), owners: rows.map(() => []) });

test("lists are found by path, outer ones first, inner ones joined", () => {
  const lists = listsIn({ a: { list: [{ in: [1, 2] }, { in: [] }, { in: [3] }, null] }, b: { c: [] }, d: 1, e: null });
  assert.deepEqual(lists.map(({ owners: _, ...l }) => l), [
    { path: "a.list", rows: [{ in: [1, 2] }, { in: [] }, { in: [3] }, null], parents: [[], [], [], []] },
    { path: "b.c", rows: [], parents: [] },
    { path: "a.list[].in", rows: [1, 2, 3], parents: [[0], [0], [2]] },
  ]);
  assert.deepEqual(listsIn([[1], [2, 3]]).map((l) => [l.path, l.rows.length]), [["", 2], ["[]", 3]]);
  for (const nothing of [undefined, null, 1, "x", {}]) assert.deepEqual(listsIn(nothing), []);
});

test("the default list is the longest outer one that holds objects", () => {
  const path = (data: unknown) => defaultList(listsIn(data))?.path;
  assert.equal(path({ few: [{}], many: [{}, {}], texts: ["a", "b", "c"], deep: [{ inner: [{}, {}, {}, {}] }] }), "many");
  assert.equal(path({ texts: ["a"] }), "texts");
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

test("rows of an inner list begin with the indices of their parents", () => {
  const inner = listsIn({ a: [{ b: [{ c: ["x"] }] }, { b: [{ c: ["y", "z"] }] }] }).find((l) => l.path === "a[].b[].c")!;
  assert.deepEqual(tableOf(inner), { columns: ["a[]", "a[].b[]", "value"], rows: [[0, 0, "x"], [1, 0, "y"], [1, 0, "z"]] });
});

test("numbers beyond the safe ones are cells, not objects", () => {
  const [found] = listsIn(parseExact('{"l":[{"n":9007199254740993}]}'));
  assert.equal(String(tableOf(found!).rows[0]![0]), "9007199254740993");
});

test("a chart has the plain values of parent entries as columns", () => {
  const points = listsIn({ series: [{ metric: "LEVEL", of: { name: "A" }, unit: null, points: [{ v: 1 }] }, { metric: "WARS", points: [{ v: 2 }] }] }).find((l) => l.path === "series[].points")!;
  assert.deepEqual(withParents(tableOf(points), points), {
    columns: ["series[]", "v", "series.metric", "series.of.name", "series.unit"],
    rows: [[0, 1, "LEVEL", "A", null], [1, 2, "WARS", undefined, undefined]],
  });
});
