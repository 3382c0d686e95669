import assert from "node:assert/strict";
import { test } from "node:test";
import { findPages, type Entry } from "../src/reference/search";
import { pretty, targetOf } from "../src/reference/try-it";

const entries: Entry[] = [
  ["/docs/guides/rate-limits", "Rate limits", "Guide"],
  ["/docs/rest/Player", "GET /v3/player/{username}", "REST"],
  ["/docs/graphql/Player", "Player", "Object", ["username", "guild"]],
  ["/docs/graphql/PlayerBy", "PlayerBy", "Input object", ["username"]],
];

test("search", () => {
  const paths = (query: string) => findPages(entries, query, 3).map(({ path }) => path);
  assert.deepEqual(paths("player"), ["/docs/graphql/Player", "/docs/graphql/PlayerBy", "/docs/graphql/Player#field-guild"]);
  assert.deepEqual(paths("RATE  limits"), ["/docs/guides/rate-limits"]);
  assert.deepEqual(paths("player.user"), ["/docs/graphql/Player#field-username"]);
  assert.deepEqual(paths("/v3/player"), ["/docs/rest/Player"]);
  assert.deepEqual(paths("  "), []);
  assert.deepEqual(paths("nothing"), []);
});

test("address of a request", () => {
  const parameter = (name: string, place: string, value: string, checked = false) => ({ name, in: place, value, checked });
  assert.equal(targetOf("/v3/player/{username}", [parameter("username", "path", "a/b c"), parameter("fullResult", "flag", "on", true)]),
    "/v3/player/a%2Fb%20c?fullResult");
  assert.equal(targetOf("/v3/player", [parameter("server", "query", "EU 1"), parameter("identifier", "query", ""), parameter("x", "flag", "on")]),
    "/v3/player?server=EU%201");
});

test("numbers of a body stay exact", () => {
  assert.equal(pretty('{"a":[1,9007199254740993,{}],"b":"x, {\\"y\\": [1]}","c":[],"d":1.5}'),
    '{\n  "a": [\n    1,\n    9007199254740993,\n    {}\n  ],\n  "b": "x, {\\"y\\": [1]}",\n  "c": [],\n  "d": 1.5\n}');
  assert.equal(pretty("no,json"), "no,json");
});
