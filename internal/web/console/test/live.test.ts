import assert from "node:assert/strict";
import test from "node:test";
import { now, readClock } from "../src/site/clock";
import { concerns, pauseAfter } from "../src/site/live";
import { stream } from "../src/site/stream";

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

test("a stream that ended before its first event continues after its start", (t) => {
  const addresses: string[] = [];
  let end = (_: { lastEventId: string }) => {};
  const fakes = {
    BroadcastChannel: class { addEventListener() {} postMessage() {} },
    EventSource: class {
      constructor(address: string) { addresses.push(address); }
      addEventListener(type: string, on: typeof end) { if (type === "end") end = on; }
      close() {}
    },
  };
  for (const [name, value] of Object.entries(fakes)) Object.defineProperty(globalThis, name, { value, configurable: true });
  t.mock.timers.enable({ apis: ["setTimeout"] });
  stream().open();
  end({ lastEventId: "start" });
  t.mock.timers.tick(30_000);
  assert.deepEqual(addresses.map((a) => new URL(a, "http://x").searchParams.get("after")), [null, "start"]);
});

test("what happens is not in the future after a slow response", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  t.mock.method(globalThis, "fetch", async () => {
    const response = new Response(null, { headers: { Date: new Date().toUTCString() } });
    t.mock.timers.tick(5000);
    return response;
  });
  await readClock();
  assert.ok(now() >= new Date());
});
