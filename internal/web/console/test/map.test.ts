import assert from "node:assert/strict";
import test from "node:test";
import { readAddress, writeAddress } from "../src/map/address";
import { find, iconText } from "../src/map/find";
import { boxOf, contains, middle, nearest, roads } from "../src/map/geometry";
import type { Territory } from "../src/map/queries";
import { hoursAfter, hoursSince } from "../src/map/time";

const territory = (name: string, guild: string | null, x: number, linkNames: string[] = []) => ({
  name, guildUuid: guild, guildName: guild, guildPrefix: guild, linkNames, location: { start: { x: x + 10, z: 30 }, end: { x, z: -10 } },
}) as unknown as Territory;

test("the address keeps the state and what belongs to others", () => {
  for (const [search, want] of [
    ["", ""],
    ["?search=moss&sort=NAME", "?search=moss&sort=NAME"],
    ["?x=412&z=-1190&zoom=-1.25&layers=nodes,camps&profession=MINING&material=MARL&territory=Fernmoor+Keep",
      "?x=412&z=-1190&zoom=-1.25&layers=nodes,camps&profession=MINING&material=MARL&territory=Fernmoor+Keep"],
    ["?layers=none", "?layers=none"],
    ["?layers=roads,regions", ""],
    ["?x=12&zoom=nonsense", ""],
    ["?time=2026-11-20T20:00", "?time=2026-11-20T20:00:00Z"],
    ["?time=2026-11-20T20:00:00%2B01:00", "?time=2026-11-20T19:00:00Z"],
    ["?time=yesterday", ""],
  ] as const) assert.equal(writeAddress(search, readAddress(search)), want, search);
});

test("rectangles begin at any corner", () => {
  const box = boxOf(territory("a", null, 5));
  assert.deepEqual(box, { west: 5, east: 15, north: -10, south: 30 });
  assert.deepEqual(middle(box), { x: 10, z: 10 });
  assert.deepEqual([{ x: 5, z: 30 }, { x: 4, z: 0 }, { x: 10, z: 31 }].map((at) => contains(box, at)), [true, false, false]);
});

test("each road is drawn once, none to an unknown territory", () => {
  assert.deepEqual(roads([territory("a", null, 0, ["b", "gone"]), territory("b", null, 20, ["a"])]), [["a", "b"]]);
});

test("the nearest entry within reach", () => {
  const entries = [{ position: { x: 0, z: 0 } }, { position: { x: 6, z: 0 } }];
  assert.equal(nearest(entries, { x: 4, z: 0 }, 5), entries[1]);
  assert.equal(nearest(entries, { x: 50, z: 0 }, 5), undefined);
});

test("the search ranks beginnings first and counts a guild's territories", () => {
  const all = [territory("Old Moss", "MOSS", 0), territory("Mosswood", null, 20), territory("Elm", "MOSS", 40),
    { ...territory("Mossy Past", null, 60), unknown: true }];
  const places = { markers: [{ name: "The Moss Wheel", icon: "Content_BossAltar.png", position: { x: 1, z: 2 } }], events: [], loot: [] };
  const found = find("moss", all, places);
  assert.deepEqual(found.map(({ kind, name, note }) => [kind, name, note]), [
    ["guild", "MOSS", "[MOSS] 2 territories"], ["territory", "Mosswood", "unclaimed"], ["territory", "Mossy Past", "unknown"], ["territory", "Old Moss", "[MOSS]"],
    ["place", "The Moss Wheel", "Boss altar"],
  ]);
  assert.equal(found[0]?.places.length, 2);
  assert.deepEqual(find("  ", all, places), []);
  assert.equal(iconText("painting.png"), "Painting");
});

test("the slider begins at the time of the address, whatever the minute", () => {
  const time = "2026-11-25T12:00:00.000Z";
  for (const now of ["2026-11-27T14:01:00Z", "2026-11-27T14:59:00Z"]) {
    assert.equal(hoursAfter(hoursSince(time, new Date(now)), new Date(now)), time);
  }
});
