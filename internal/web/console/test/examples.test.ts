import assert from "node:assert/strict";
import { parse } from "graphql";
import { test } from "node:test";
import { chartText } from "../src/chart";
import { exampleOf, examples, groups, isExample } from "../src/examples";

test("every example has a title and a sentence, and its group has enough of them", () => {
  assert.ok(examples.length >= 30, `${examples.length} examples`);
  for (const e of examples) {
    assert.match(e.title, /^[A-Z].*[^.]$/, e.query);
    assert.match(e.explanation, /^[A-Z].*\.$/, e.title);
    assert.equal(parse(e.query).definitions.length, 1, e.title);
    assert.ok(isExample(e.query + "\n") && !isExample(e.query + "#"), e.title);
  }
  for (const e of examples) assert.equal(exampleOf(e.query), e, "no other operation has its name");
  for (const e of examples) assert.equal(/^# chart: (.*)$/m.exec(e.query)?.[1], e.chart ? chartText(e.chart) : undefined, e.title);
  assert.ok(examples.filter((e) => e.chart).length >= 15);
  for (const g of Object.keys(groups)) assert.ok(examples.filter((e) => e.group === g).length >= 4, g);
  assert.equal(new Set(examples.map((e) => e.title)).size, examples.length);
});
