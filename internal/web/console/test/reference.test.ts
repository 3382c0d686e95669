import assert from "node:assert/strict";
import { test } from "node:test";
import { pretty, targetOf } from "../src/reference/try-it";

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
