import assert from "node:assert/strict";
import test from "node:test";
import { accountName } from "../src/site/account-name";
import { offsetOf, timeOf } from "../src/site/clock";
import { relativeTime } from "../src/site/times";

test("the name of the account in the cookies", () => {
  assert.equal(accountName("a=1; __Host-account=Sm%C3%B8rre%20B; b=2"), "Smørre B");
  assert.equal(accountName("__Host-account=%"), "");
  assert.equal(accountName("account=other"), "");
});

test("the clock of the service", () => {
  const at = Date.parse("2026-11-22T12:00:00Z");
  assert.equal(offsetOf("Sun, 22 Nov 2026 12:00:00 GMT", at - 300_000), 301_000);
  assert.equal(offsetOf("Sun, 22 Nov 2026 12:00:00 GMT", at + 300_000), -299_000);
  assert.equal(offsetOf(null, at), 0);
  assert.equal(timeOf("1000 5000 60", 3000).getTime(), 125_000); // of a demo
});

test("times relative to now", () => {
  const now = new Date("2026-11-22T12:00:00Z");
  for (const [at, want] of [
    ["2026-11-22T11:59:40Z", "just now"], ["2026-11-22T12:00:00Z", "just now"], ["2026-11-22T12:00:20Z", "in a moment"], ["2026-11-22T11:57:00Z", "3 minutes ago"],
    ["2026-11-22T10:00:00Z", "2 hours ago"], ["2026-11-21T11:00:00Z", "yesterday"], ["2026-11-24T13:00:00Z", "in 2 days"],
    ["2026-11-23T13:00:00Z", "tomorrow"], ["2025-11-20T00:00:00Z", "1 year ago"], ["2024-01-01T00:00:00Z", "2 years ago"],
  ] as const) assert.equal(relativeTime(new Date(at), now), want);
});
