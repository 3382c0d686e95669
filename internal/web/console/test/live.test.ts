import assert from "node:assert/strict";
import test from "node:test";
import { concerns } from "../src/site/live";

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
