import assert from "node:assert/strict";
import { test } from "node:test";
import { limitsOf, limitText, sizeText, timeText } from "../src/limits";

const headers = (all: Record<string, string>) => new Headers(all);
const full = { "RateLimit-Limit": "50", "RateLimit-Remaining": "47", "RateLimit-Reset": "4", "RateLimit-Bucket": "PLAYER" };

for (const [name, cost, all, want] of [
  ["cost and limit of one bucket", { PLAYER: 1 }, full, "Cost 1 (PLAYER) · 47 of 50 left · refills in 4 s"],
  ["the limit of another bucket", { PLAYER: 2, GUILD: 1 }, full, "Cost 2 (PLAYER), 1 (GUILD) · 47 of 50 left in PLAYER · refills in 4 s"],
  ["large numbers", { SHARED: 1 }, { "RateLimit-Limit": "100000", "RateLimit-Remaining": "99999", "RateLimit-Reset": "1", "RateLimit-Bucket": "SHARED" }, "Cost 1 (SHARED) · 99,999 of 100,000 left · refills in 1 s"],
  ["no cost", {}, full, "47 of 50 left in PLAYER · refills in 4 s"],
  ["a full bucket", {}, { ...full, "RateLimit-Remaining": "50", "RateLimit-Reset": "0" }, "50 of 50 left in PLAYER"],
  ["a rejected request", {}, { ...full, "RateLimit-Remaining": "0", "Retry-After": "12" }, "Rate limit of PLAYER reached · try again in 12 s"],
] as [string, Record<string, number>, Record<string, string>, string][]) {
  test(name, () => assert.equal(limitText(cost, limitsOf(headers(all))), want));
}

test("sizes and times", () => {
  assert.deepEqual([0, 999, 3400, 1_250_000].map(sizeText), ["0 B", "999 B", "3.4 kB", "1.3 MB"]);
  assert.deepEqual([0.4, 12.3, 1340].map(timeText), ["0 ms", "12 ms", "1.3 s"]);
});

test("a response without the headers has no limits", () => {
  for (const name of Object.keys(full)) {
    const some: Record<string, string> = { ...full };
    delete some[name];
    assert.equal(limitsOf(headers(some)), null);
  }
});
