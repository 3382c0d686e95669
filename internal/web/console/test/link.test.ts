import assert from "node:assert/strict";
import { test } from "node:test";
import { readChart } from "../src/chart";
import { choiceFor, linkIn, linkTo, maxLink, openLink, shownIn, storedTabs, type Shown, type Tab } from "../src/link";

const json: Shown = { view: "JSON", operation: null, list: "", chart: null };

test("a link comes back as it was", () => {
  for (const q of [{ query: "{ a(b: \"ü & + # %\") }\n", variables: "" }, { query: "{ a }", variables: '{"a": "+&#"}' }]) {
    const link = linkTo(q, json)!;
    assert.deepEqual(linkIn("", new URL("https://x/playground" + link).hash), q);
    assert.deepEqual(linkIn("?" + link.slice(1), ""), q);
  }
  assert.equal(linkTo({ query: " \n", variables: "{}" }, json), "");
  assert.equal(linkTo({ query: "x".repeat(maxLink), variables: "" }, json), null);
  for (const nothing of ["", "?a=b", "?variables=1"]) assert.equal(linkIn(nothing, "#main"), null);
  assert.equal(linkIn("?query=old", "#query=new")?.query, "new");
});

test("a link has the view, the list and the chart", () => {
  const q = { query: "query Q { a { b } }", variables: "" };
  for (const shown of [
    { ...json, operation: "Q" }, { view: "Table", operation: "Q", list: "a[].b", chart: null },
    { view: "Chart", operation: "Q", list: "a", chart: readChart("line list=a x=at y=value series=of.name") },
  ] as Shown[]) {
    const { hash } = new URL("https://x/playground" + linkTo(q, shown));
    assert.deepEqual(shownIn("", hash), shown);
    assert.deepEqual(linkIn("", hash), q);
  }
  assert.deepEqual(shownIn("", "#query=x&view=pie&chart=x"), json);
  assert.deepEqual(choiceFor("query Other { a }", { ...json, operation: "Q", list: "a" }), { list: "", chart: null });
});

const tab = (id: string, query: string): Tab => ({ id, query, variables: null, hash: "", title: id, headers: null, operationName: null, response: null });
const tabs = { tabs: [tab("1", "{ a }"), tab("2", "{ b }")], activeTabIndex: 0 };

test("a link opens in a tab that shows its query", () => {
  assert.deepEqual(openLink(tabs, { query: "{ b }\n", variables: "" }, null, "new"), { ...tabs, activeTabIndex: 1 });
});

test("else in the tab of the last link, unless that was edited", () => {
  const link = { query: "query C { c }", variables: "" };
  const reused = openLink(tabs, link, { id: "2", query: "{ b }", variables: "" }, "new");
  assert.deepEqual([reused.tabs.map((t) => [t.id, t.title]), reused.activeTabIndex], [[["1", "1"], ["2", "C"]], 1]);
  const added = openLink(tabs, link, { id: "2", query: "{ other }", variables: "" }, "new");
  assert.deepEqual([added.tabs.map((t) => t.id), added.activeTabIndex], [["1", "2", "new"], 2]);
});

test("stored tabs that cannot be read are none", () => {
  for (const text of [null, "", "{", "null", '{"tabs":[],"activeTabIndex":0}', '{"tabs":[{}],"activeTabIndex":0}']) assert.equal(storedTabs(text), null);
  assert.deepEqual(storedTabs(JSON.stringify(tabs)), tabs);
});
