import assert from "node:assert/strict";
import { test } from "node:test";
import { EventParser, withEvent, type Shown } from "../src/sse";

const stream = 'event: next\ndata: {"data":{"a":1}}\n\n: still here\n\nid: 7\r\nevent: next\r\ndata: {"data":\r\ndata: {"a":2}}\r\n\r\ndata:plain\n\nevent: complete\n\nevent: next\ndata: unfinished';
const events = [
  { event: "next", data: '{"data":{"a":1}}' },
  { event: "next", data: '{"data":\n{"a":2}}' },
  { event: "message", data: "plain" },
  { event: "complete", data: "" },
];

test("events are read from pieces of any size", () => {
  for (const size of [1, 2, 3, 7, stream.length]) {
    const parser = new EventParser();
    const got = [];
    for (let i = 0; i < stream.length; i += size) got.push(...parser.push(stream.slice(i, i + size)));
    assert.deepEqual(got, events, `pieces of ${size}`);
  }
});

test("the newest events are shown, newest first", () => {
  let shown: Shown = { events: [] };
  for (let i = 0; i < 300; i++) shown = withEvent(shown, { data: { i } }, new Date(0));
  assert.equal(shown.events.length, 200);
  assert.deepEqual(shown.events[0], { receivedAt: "1970-01-01T00:00:00.000Z", data: { i: 299 } });
});
