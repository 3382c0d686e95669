import assert from "node:assert/strict";
import { test } from "node:test";
import { chartText, coloursOf, columnsFor, columnsOf, defaultChoice, describe, fits, maxSeries, pointsOf, readChart, scaleOf } from "../src/chart";
import { Int64 } from "../src/json";
import { listsIn } from "../src/lists";
import { tableOf } from "../src/table";

const history = {
  columns: ["index", "at", "value", "metric"],
  rows: [
    [0, "2026-11-02T00:00:00Z", 2, "LEVEL"], [0, "2026-11-01T00:00:00Z", 1, "LEVEL"],
    [1, "2026-11-01T00:00:00Z", new Int64("9007199254740993"), "WARS"], [1, "2026-11-03T00:00:00Z", null, "WARS"],
  ],
};
const guilds = { columns: ["position", "name", "score", "tags", "nothing"], rows: [[1, "A", 30, [], null], [2, "B", 20, ["x"], null], [3, "A", 10, [], null]] };

test("scales of columns", () => {
  assert.deepEqual(history.columns.map((c) => scaleOf(history, c)), ["number", "time", "number", "text"]);
  assert.deepEqual(guilds.columns.map((c) => scaleOf(guilds, c)), ["number", "text", "number", null, null]);
  assert.deepEqual(columnsFor(guilds), { x: ["position", "name", "score"], y: ["position", "score"], series: ["position", "name", "score"] });
});

test("the first chart", () => {
  const first = (columns: string[], ...rows: unknown[][]) => {
    const choice = defaultChoice({ columns, rows });
    return choice && [choice.kind, choice.x, choice.y, choice.series].filter(Boolean).join(" ");
  };
  const day = (n: number) => `2026-11-0${n}T00:00:00Z`;
  assert.equal(first(["metric", "at", "value"], ["LEVEL", day(1), 1], ["LEVEL", day(2), 2], ["WARS", day(1), 3], ["WARS", day(2), 4]), "line at value metric");
  assert.equal(first(["a[]", "at", "value"], [0, day(1), 1], [0, day(2), 2], [1, day(1), 3], [1, day(2), 4]), "line at value a[]");
  assert.equal(first(["at", "value"], [day(1), 1], [day(2), 2]), "line at value");
  assert.equal(first(["at", "value"], [day(1), 1], [day(1), 2]), "points at value", "nothing distinguishes the points");
  assert.equal(first(["name", "level", "foundedAt"], ["A", 1, day(1)], ["B", 2, day(2)]), "bar name level", "guilds with a date are no series");
  assert.equal(first(["position", "name", "score"], [1, "A", 30], [2, "B", 20]), "bar name score");
  assert.equal(first(["name", "score"], ["A", 3], [null, 2], [null, 1], ["B", 1]), "bar name score", "two hidden names do not repeat");
  assert.equal(first(["type", "tier", "count"], ["A", "x", 1], ["A", "y", 2], ["B", "x", 3], ["B", "y", 4]), "bar type count tier");
  assert.equal(first(["min", "max", "count"], [1, 9, 5], [10, 19, 6]), "histogram min count");
  assert.equal(first(["from", "count"], [1, 5], [2, 6]), "points from count");
  const items = Array.from({ length: 100 }, (_, i) => [`item ${i}`, i, 2 * i, `tier ${i % 3}`]);
  assert.equal(first(["name", "level", "damage", "tier"], ...items), "points level damage tier", "more names than bars can have");
  assert.equal(first(["position", "score", "name"], ...items.map(([name, i], n) => [n, i!, name!])), "bar name score", "positions are no measure");
  for (const none of [first([]), first(["name"], ["A"], ["B"]), first(["level"], [1], [2]), first(["min", "max", "count"], [1, 9, 5])]) assert.equal(none, null);
});

test("no chart has ids as x or a value of the entry around the rows as y", () => {
  const lists = listsIn({ pages: [{ page: 1, abilities: [{ id: "MQ", name: "A" }, { id: "Mg", name: "B" }] }, { page: 2, abilities: [{ id: "Mw", name: "C" }] }] });
  const table = tableOf(lists.find((l) => l.path === "pages[].abilities")!);
  assert.deepEqual([table.columns, table.outer], [["page", "id", "name"], 1]);
  assert.deepEqual([defaultChoice(table), columnsFor(table)], [null, { x: ["page", "name"], y: [], series: ["page", "name"] }]);
  const players = { columns: ["of.uuid", "key", "wars"], rows: [["12345678-1234-4234-8234-123456789012", "12345678-1234-4234-8234-123456789012", 1], ["x", "22345678-1234-4234-8234-123456789012", 2]] };
  assert.deepEqual(columnsFor(players), { x: ["wars"], y: ["wars"], series: ["wars"] });
  assert.ok(!fits(players, { x: "key", y: "wars", series: "", kind: "bar" }) && fits(players, { x: "", y: "wars", series: "", kind: "bar" }), "x was not chosen yet");
});

test("times and seconds have units as y", () => {
  const table = { columns: ["name", "lastJoinedAt", "heldSeconds"], rows: [["A", "2026-11-25T00:00:00Z", 7200], ["B", "2026-11-26T12:00:00Z", 1800], ["C", null, null]] };
  const of = (y: string) => pointsOf(table, { x: "name", y, series: "", kind: "bar" }, Date.UTC(2026, 10, 27));
  assert.deepEqual([of("lastJoinedAt").series, of("lastJoinedAt").empty], [[{ name: "days since lastJoinedAt", values: [2, 0.5] }], { lastJoinedAt: 1 }]);
  assert.deepEqual(of("heldSeconds").series, [{ name: "held (hours)", values: [2, 0.5] }]);
  assert.equal(describe(of("heldSeconds"), "bar", [0, 2.1]), "Bar: 2 points, series held (hours), from A to B, held (hours) on an axis from 0 to 2.1.");
});

test("a chart survives writing and reading, with its columns", () => {
  for (const text of ["line list=a[].points x=at y=value series=of.name", "bar list=a x=name y=n"]) assert.equal(chartText(readChart(text)!), text);
  for (const none of ["", "pie list=a x=b y=c", "toString list=a x=b y=c", "line x=a y=b", "line list=a x=b"]) assert.equal(readChart(none), null);
  const choice = readChart("bar list=guilds x=name y=score")!;
  assert.ok(fits(guilds, choice) && fits(guilds, { ...choice, series: "position" }));
  for (const other of [{ x: "none" }, { y: "name" }, { series: "tags" }]) assert.ok(!fits(guilds, { ...choice, ...other }));
});

const lines = { x: "at", y: "value", series: "metric", kind: "line" } as const;
const bars = { x: "name", y: "score", series: "", kind: "bar" } as const;

test("points are ascending, points of several series share a position", () => {
  assert.deepEqual(pointsOf(history, lines), {
    xScale: "time", xs: [1793491200, 1793577600], names: [], yName: "value", empty: { value: 1 }, beyond: 0,
    series: [{ name: "LEVEL", values: [1, 2] }, { name: "WARS", values: [9007199254740992, null] }],
  });
});

test("rows without a name are drawn, each restricted one by itself; others name the column that is empty", () => {
  const rows = [["A", 3, false, "2026-11-01T00:00:00Z"], [null, 2, true, null], [null, 2, true, null], [null, 1, false, null]];
  const table = { columns: ["player.name", "gained", "restricted", "at"], rows };
  const of = (x: string, kind: "bar" | "line") => pointsOf(table, { x, y: "gained", series: "", kind });
  assert.deepEqual([of("player.name", "bar").names, of("player.name", "bar").empty], [["A", "hidden 1", "hidden 2", "none"], {}]);
  assert.deepEqual([of("at", "line").xs.length, of("at", "line").empty], [1, { at: 3 }]);
});

test("series have the colour beside their name", () => {
  const table = { columns: ["guild.name", "guild.colour"], rows: [["A", "#0085cc"], ["B", null], ["C", "WHITE"]] };
  const of = (series: string) => [...coloursOf(table, { x: "", y: "", series, kind: "line" })];
  assert.deepEqual([of("guild.name"), of("")], [[["A", "#0085cc"]], []]);
});

test("a second point of a series has its own position", () => {
  assert.deepEqual(pointsOf(guilds, bars), { xScale: "text", xs: [0, 0, 1], names: ["A", "B"], yName: "score", empty: {}, beyond: 0, series: [{ name: "score", values: [30, 10, 20] }] });
});

test("of more series than can be distinguished the largest are drawn, and the others as one", () => {
  const rows = Array.from({ length: maxSeries + 2 }, (_, i) => [[0, i + 1, `s${i}`], [1, i + 1, `s${i}`]]).flat();
  const of = (kind: "line" | "bar" | "points") => pointsOf({ columns: ["x", "y", "s"], rows }, { x: "x", y: "y", series: "s", kind }).series;
  assert.deepEqual([of("line").length, of("line")[0]], [maxSeries, { name: "s3", values: [4, 4] }]);
  assert.deepEqual(of("line").at(-1), { name: "3 others (mean)", values: [2, 2] });
  assert.deepEqual(of("bar").at(-1), { name: "3 others (sum)", values: [6, 6] });
  assert.deepEqual(of("points").at(-1), { name: "3 others", values: [1, 2, 3, 1, 2, 3] });
});

test("a histogram names its ranges", () => {
  const points = pointsOf({ columns: ["min", "max", "count"], rows: [[1, 9, 5], [10, 19, 6]] }, { x: "min", y: "count", series: "", kind: "histogram" });
  assert.deepEqual([points.names, points.series], [["1–9", "10–19"], [{ name: "count", values: [5, 6] }]]);
});

test("the file has the columns of the chart", () => {
  assert.deepEqual(columnsOf(guilds, { x: "name", y: "score", series: "name", kind: "bar" }), { columns: ["name", "score"], rows: [["A", 30], ["B", 20], ["A", 10]] });
});
