import assert from "node:assert/strict";
import test from "node:test";
import { spread } from "../src/line-ends";
import { lines, lone, padded, valueLabels } from "../src/site/chart";

test("labels of the axes", () => {
  assert.deepEqual(valueLabels([0, 0.5, 1500, 2_500_000]), ["0", "", "1,500", "2.5m"]);
  assert.deepEqual(valueLabels([0, 0.5, 0.75]), ["0", "0.5", "0.75"]);
});

test("lines run from end to end of the time that was chosen", () => {
  const of = (line: string | undefined) => lines([[20, [1]], [30, [2]], [90, [0]]], { line, interval: "10", from: "10", to: "100" });
  assert.deepEqual(of(undefined), [[10, [null]], [20, [1]], [30, [2]], [40, [null]], [90, [0]], [100, [null]]]);
  assert.deepEqual(of("steps"), [[10, [null]], [20, [1]], [30, [2]], [90, [0]], [100, [0]]]);
  assert.deepEqual(of("grows"), [[10, [null]], [30, [1]], [40, [2]], [90, [2]], [100, [0]]]);
  assert.deepEqual(lone([null, 1, null, 2, 3]), [1]);
});

test("space above and below the values", () => {
  assert.deepEqual(padded(1, 9, true), [0.5, 9.5]);
  assert.deepEqual(padded(0, 100, false), [0, 106]);
  assert.deepEqual(padded(5, 5, false), [4, 6]);
  for (const value of [2 ** 53, 1e300]) {
    const [low, high] = padded(value, value, false);
    assert.ok(low < value && high > value && value + (high - low) / 100 > value, "steps add up");
  }
});

test("names beside lines are moved apart within the plot", () => {
  assert.deepEqual(spread([0, 50, 100], 14, 0, 100), [0, 50, 100]);
  assert.deepEqual(spread([50, 52, 90], 14, 0, 100), [50, 64, 90]);
  assert.deepEqual(spread([-5, 98, 99], 14, 0, 100), [0, 86, 100]);
});
