import assert from "node:assert/strict";
import test from "node:test";
import { concerns, pauseAfter } from "../src/site/live";

test("a page is read again when an older copy has expired", () => {
  const pause = (cacheControl: string, age?: string) => pauseAfter(new Headers({ "Cache-Control": cacheControl, ...(age ? { Age: age } : {}) }));
  assert.equal(pause("max-age=10, private"), 10_000);
  assert.equal(pause("max-age=10, private", "7"), 3_000);
  assert.equal(pause("max-age=10, private", "12"), 1_000);
  assert.equal(pause("max-age=600, public", "7"), 15_000);
  assert.equal(pauseAfter(new Headers()), 15_000);
});

test("the events after which an element is read again", () => {
  const came = { type: "playerCameOnline", data: { player: "a", world: "EU1", guild: null } };
  const captured = { type: "territoryCaptured", data: { territory: "Mill", from: null, to: { uuid: "g", name: "G", prefix: "G" } } };
  assert.ok(concerns({ live: "presence" }, came));
  assert.ok(!concerns({ live: "presence" }, captured));
  assert.ok(concerns({ live: "presence captures" }, captured));
  assert.ok(concerns({ live: "presence", liveOf: "b a" }, came));
  assert.ok(!concerns({ live: "presence", liveOf: "b" }, came));
  assert.ok(concerns({ live: "captures", liveOf: "g" }, captured));
  assert.ok(concerns({ live: "presence", liveOf: "g" }, { ...came, data: { player: "a", guild: "g" } }));
  assert.ok(!concerns({}, came));
});
