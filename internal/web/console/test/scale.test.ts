import assert from "node:assert/strict";
import test from "node:test";
import { apart, maxTicks, numberTicks, ticks, timeLabels, timeTicks } from "../src/scale";
import { padded } from "../src/site/chart";

// ends are the lowest and the highest value of data of every kind: flat, negative, huge, tiny, without an end.
const values = [0, 1, -1, 5e-324, 1e-9, 0.1, 12.5, 1000, 1.8e9, 2 ** 31, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1e17, 1e300, -1e300, Number.MAX_VALUE, Infinity, NaN];
const ends = values.flatMap((low) => values.map((high): [number, number] => [low, high]));

// axis returns the ticks of an axis with these ends, as uPlot asks for them.
function axis(between: typeof numberTicks, [low, high]: [number, number], pixels: number): number[] {
  const { space, splits } = ticks(50, between) as { space: (...args: unknown[]) => number; splits: (...args: unknown[]) => number[] };
  space(null, 0, low, high, pixels);
  return splits(null, 0, low, high);
}

test("every axis ends after at most 20 ticks, which ascend between its ends", () => {
  const ranges = [...ends, ...ends.map(([low, high]) => apart(low, high, 30)), ...ends.map(([low, high]) => padded(low, high, false)), ...ends.map(([low, high]) => padded(low, high, true))];
  for (const between of [numberTicks, timeTicks]) for (const [low, high] of ranges) for (const pixels of [0, 100, 390, 1440, 1e6]) {
    const all = axis(between, [low, high], pixels);
    assert.ok(all.length <= maxTicks, `${between.name} ${low} ${high} ${pixels}: ${all.length} ticks`);
    all.forEach((t, i) => assert.ok(t >= low && t <= high && (i === 0 || t > all[i - 1]!), `${between.name} ${low} ${high}: ${all}`));
  }
});

test("axes of usual data have ticks", () => {
  for (const low of [0, -50, 3, 1e9]) for (const width of [1, 7, 45, 3600, 1e5, 1e7, 2 ** 52]) {
    for (const pixels of [300, 1440]) assert.ok(axis(numberTicks, [low, low + width], pixels).length >= 3, `${low} and ${width} in ${pixels}`);
  }
  assert.deepEqual(numberTicks(-0.3, 0.35, 5), [-0.2, 0, 0.2]);
});

test("times are whole hours, days, months and years of UTC", () => {
  const at = (text: string) => Date.parse(text) / 1000;
  const labels = (low: string, high: string, most = 6) => timeLabels(timeTicks(at(low), at(high), most)).join(" ");
  assert.equal(labels("2026-11-27T09:00:10Z", "2026-11-27T09:00:40Z"), "09:00:10 09:00:15 09:00:20 09:00:25 09:00:30 09:00:35 09:00:40");
  assert.equal(labels("2026-11-26T15:00:00Z", "2026-11-27T10:00:00Z"), "18:00 27 Nov 06:00");
  assert.equal(labels("2026-11-20T15:00:00Z", "2026-11-27T10:00:00Z", 4), "21 Nov 23 Nov 25 Nov 27 Nov");
  assert.equal(labels("2026-08-30T00:00:00Z", "2026-11-27T00:00:00Z", 4), "Sept 2026 Oct 2026 Nov 2026");
  assert.equal(labels("2019-08-30T00:00:00Z", "2026-11-27T00:00:00Z", 9), "2020 2021 2022 2023 2024 2025 2026");
  assert.deepEqual([timeLabels([]), timeLabels([at("2026-11-27T00:00:00Z")])], [[], ["27 Nov"]]);
});
