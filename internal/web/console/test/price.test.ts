import assert from "node:assert/strict";
import { test } from "node:test";
import { priceText, withDryRun } from "../src/price";

const dry = " consoleDryRun: rateLimit(dryRun: true) { cost { bucket cost } } ";

for (const [name, query, operation, want] of [
  ["a short query", "{ a }", undefined, `{${dry} a }`],
  ["a query with variables", "query Q($a: I = {b: 1}) @d { a }", "Q", `query Q($a: I = {b: 1}) @d {${dry} a }`],
  ["one of two", "query A { a } query B { b }", "B", `query A { a } query B {${dry} b }`],
  ["two without a name", "query A { a } query B { b }", undefined, null],
  ["a mutation", "mutation { a }", undefined, null],
  ["an invalid document", "{ a", undefined, null],
] as [string, string, string | undefined, string | null][]) {
  test(name, () => assert.equal(withDryRun(query, operation), want));
}

test("prices", () => {
  assert.equal(priceText({ PLAYER: 1, ITEMS: 2000 }), "Costs 1 (PLAYER), 2,000 (ITEMS)");
  assert.equal(priceText({}), "Free");
});
