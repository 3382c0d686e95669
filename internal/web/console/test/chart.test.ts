import assert from "node:assert/strict";
import { test } from "node:test";
import { chartText, columnsFor, columnsOf, defaultChoice, fits, maxSeries, pointsOf, readChart, scaleOf } from "../src/chart";
import { Int64 } from "../src/json";

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
  assert.equal(first(["type", "tier", "count"], ["A", "x", 1], ["A", "y", 2], ["B", "x", 3], ["B", "y", 4]), "bar type count tier");
  assert.equal(first(["min", "max", "count"], [1, 9, 5], [10, 19, 6]), "histogram min count");
  assert.equal(first(["from", "count"], [1, 5], [2, 6]), "points from count");
  const items = Array.from({ length: 100 }, (_, i) => [`item ${i}`, i, 2 * i, `tier ${i % 3}`]);
  assert.equal(first(["name", "level", "damage", "tier"], ...items), "points level damage tier", "more names than bars can have");
  assert.equal(first(["name"], ["A"]), null);
  assert.equal(first([]), null);
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
    xScale: "time", xs: [1793491200, 1793577600], names: [], empty: 1, beyond: 0,
    series: [{ name: "LEVEL", values: [1, 2] }, { name: "WARS", values: [9007199254740992, null] }],
  });
});

test("a second point of a series has its own position", () => {
  assert.deepEqual(pointsOf(guilds, bars), { xScale: "text", xs: [0, 0, 1], names: ["A", "B"], empty: 0, beyond: 0, series: [{ name: "score", values: [30, 10, 20] }] });
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
