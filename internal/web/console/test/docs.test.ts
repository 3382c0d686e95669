import assert from "node:assert/strict";
import { test } from "node:test";
import { consoleLink, endpointFacts, explainLink } from "../src/docs-texts";

test("facts", () => {
  assert.equal(endpointFacts({ "x-bucket": "GUILD", "x-cost": 1, "x-cache": { maxAge: 10, scope: "SHARED" } }),
    "A request costs 1 in the bucket GUILD. Cacheable for 10 seconds, the same for all callers.");
  assert.equal(endpointFacts({ "x-bucket": "PLAYER", "x-cost": 1, "x-cache": { maxAge: 0, scope: "USER" } }),
    "A request costs 1 in the bucket PLAYER. Not cacheable.");
});

test("links", () => {
  const operation = { operation: "Quests", field: "questSummary", document: "query Quests { questSummary { quests } }", variables: {} };
  assert.equal(consoleLink(operation), "/playground?query=query%20Quests%20%7B%20questSummary%20%7B%20quests%20%7D%20%7D");
  const link = new URL(consoleLink({ ...operation, variables: { name: "a&b" } }), "http://x");
  assert.deepEqual(JSON.parse(link.searchParams.get("variables") ?? ""), { name: "a&b" });
  assert.equal(explainLink("/player/{username}"), "/explain/v3/player/%7Busername%7D");
});
