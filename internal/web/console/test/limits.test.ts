import assert from "node:assert/strict";
import { test } from "node:test";
import { costText, limitsOf, limitText } from "../src/limits";

const headers = (all: Record<string, string>) => new Headers(all);
const full = { "RateLimit-Limit": "50", "RateLimit-Remaining": "47", "RateLimit-Reset": "4", "RateLimit-Bucket": "PLAYER" };

for (const [name, all, want] of [
  ["what is left", full, "47 of 50 left in PLAYER · refills in 4 s"],
  ["one second", { ...full, "RateLimit-Reset": "1" }, "47 of 50 left in PLAYER · refills in 1 s"],
  ["a full bucket", { ...full, "RateLimit-Remaining": "50", "RateLimit-Reset": "0" }, "50 of 50 left in PLAYER"],
  ["a rejected request", { ...full, "RateLimit-Remaining": "0", "Retry-After": "12" }, "Rate limit of PLAYER reached · try again in 12 s"],
] as [string, Record<string, string>, string][]) {
  test(name, () => assert.equal(limitText(limitsOf(headers(all))!), want));
}

test("a response without the headers has no limits", () => {
  for (const name of Object.keys(full)) {
    const some: Record<string, string> = { ...full };
    delete some[name];
    assert.equal(limitsOf(headers(some)), null);
  }
});

test("the cost of an operation", () => {
  assert.equal(costText({ PLAYER: 2, GUILD: 1 }), "Cost 2 (PLAYER), 1 (GUILD)");
  assert.equal(costText({}), "");
});
