import assert from "node:assert/strict";
import { test } from "node:test";
import { costWords, limitsOf, limitWords } from "../src/limits";

const headers = (all: Record<string, string>) => new Headers(all);
const full = { "RateLimit-Limit": "50", "RateLimit-Remaining": "47", "RateLimit-Reset": "4", "RateLimit-Bucket": "PLAYER" };

for (const [says, all, words] of [
  ["what is left", full, "47 of 50 requests left in PLAYER, all of them again in 4 seconds."],
  ["one second", { ...full, "RateLimit-Reset": "1" }, "47 of 50 requests left in PLAYER, all of them again in 1 second."],
  ["a full counter", { ...full, "RateLimit-Remaining": "50", "RateLimit-Reset": "0" }, "50 of 50 requests left in PLAYER."],
  ["a refusal", { ...full, "RateLimit-Remaining": "0", "Retry-After": "12" }, "Refused: the limit of PLAYER is spent. Try again in 12 seconds."],
] as [string, Record<string, string>, string][]) {
  test(says, () => assert.equal(limitWords(limitsOf(headers(all))!), words));
}

test("an answer without the headers tells nothing", () => {
  for (const name of Object.keys(full)) {
    const some: Record<string, string> = { ...full };
    delete some[name];
    assert.equal(limitsOf(headers(some)), null);
  }
});

test("the cost of an operation", () => {
  assert.equal(costWords({ PLAYER: 2, GUILD: 1 }), "It cost 2 in PLAYER and 1 in GUILD.");
  assert.equal(costWords({}), "");
});
