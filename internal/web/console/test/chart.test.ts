import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsFor, columnsOf, defaultChoice, maxSeries, pointsOf, scaleOf } from "../src/chart";
import { Int64 } from "../src/json";

const history = {
  columns: ["series[]", "at", "value", "series[].metric"],
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
  assert.deepEqual(defaultChoice(history), { x: "at", y: "value", series: "series[].metric", kind: "line" });
  assert.deepEqual(defaultChoice(guilds), { x: "name", y: "score", series: "", kind: "bar" });
  assert.deepEqual(defaultChoice({ columns: ["min", "count"], rows: [[1, 5], [2, 6]] }), { x: "min", y: "count", series: "", kind: "points" });
  assert.equal(defaultChoice({ columns: ["name"], rows: [["A"]] }), null);
  assert.equal(defaultChoice({ columns: [], rows: [] }), null);
});

test("points are ascending, those of several series share a position", () => {
  assert.deepEqual(pointsOf(history, defaultChoice(history)!), {
    xScale: "time", xs: [1793491200, 1793577600], names: [], omitted: 1,
    series: [{ name: "LEVEL", values: [1, 2] }, { name: "WARS", values: [9007199254740992, null] }],
  });
});

test("a second point of a series has its own position", () => {
  assert.deepEqual(pointsOf(guilds, defaultChoice(guilds)!), { xScale: "text", xs: [0, 0, 1], names: ["A", "B"], omitted: 0, series: [{ name: "score", values: [30, 10, 20] }] });
});

test("series beyond the limit are left out", () => {
  const rows = Array.from({ length: maxSeries + 2 }, (_, i) => [i, i, `s${i}`]);
  const points = pointsOf({ columns: ["x", "y", "s"], rows }, { x: "x", y: "y", series: "s", kind: "line" });
  assert.deepEqual([points.series.length, points.omitted], [maxSeries, 2]);
});

test("the file has the columns of the chart", () => {
  assert.deepEqual(columnsOf(guilds, { x: "name", y: "score", series: "name", kind: "bar" }), { columns: ["name", "score"], rows: [["A", 30], ["B", 20], ["A", 10]] });
});
