import assert from "node:assert/strict";
import { test } from "node:test";
import { buildSchema, parse } from "graphql";
import { parseAsTyped } from "../src/json";
import { restRequests, type Endpoint } from "../src/rest";

const endpoints: Endpoint[] = [
  { method: "GET", path: "/v3/things/{name}", operation: "Thing", document: `query Thing($name: String!, $fullResult: Boolean!) { thing(id: $name) { a b { ...B } parts @include(if: $fullResult) { x } } } fragment B on B { c d }` },
  { method: "GET", path: "/v3/things", operation: "Things", document: `query Things($page: Int! = 1, $fullResult: Boolean!, $only: Kind, $server: String) { things(page: $page, fullResult: $fullResult, only: $only, server: $server) { a } }` },
  { method: "POST", path: "/v3/things/search", operation: "Search", document: `query Search($filter: ThingFilter!, $page: Int! = 1) { search(filter: $filter, page: $page) { a } }` },
  { method: "GET", path: "/v3/meta", operation: "Meta", document: `query Meta($static: Boolean!) { meta { plain @skip(if: $static) fixed @include(if: $static) both } }` },
  { method: "GET", path: "/v3/news", operation: "News", document: `query News { posts(type: "news") { a } }` },
  { method: "GET", path: "/v3/blog", operation: "Blog", document: `query Blog { posts(type: "blog") { a b } }` },
  { method: "GET", path: "/v3/entries", operation: "Entries", document: `query Entries { entries { position ... on P { score } ... on G { members { name } } } }` },
  { method: "GET", path: "/v3/owner/{username}", operation: "Owner", document: `query Owner($username: String!, $fullResult: Boolean!) { owner(by: { reference: $username }) { name parts @include(if: $fullResult) { x } } }` },
  { method: "GET", path: "/v3/team/{name}", operation: "TeamByName", document: `query TeamByName($name: String!) { team(by: { name: $name }) { name } }` },
  { method: "GET", path: "/v3/team/tag/{tag}", operation: "TeamByTag", document: `query TeamByTag($tag: String!) { team(by: { tag: $tag }) { name } }` },
  { method: "GET", path: "/v3/pages/{kind}", operation: "Pages", document: `query Pages($kind: String) { pages(filter: { kind: $kind }) { name } }` },
];

const requests = (query: string, variables: Record<string, unknown> = {}, operation: string | null = null) =>
  restRequests(parse(query), operation, variables, endpoints).map((root) => [root.field, ...root.requests.map((w) => [w.endpoint.operation, w.target, w.missing, w.unsupported])]);

for (const [name, query, variables, want] of [
  ["a value is encoded in the path", `{ thing(id: "a/b ü") { a b { c } } }`, {}, [["thing", ["Thing", "/v3/things/a%2Fb%20%C3%BC", [], []]]]],
  ["a variable wins over its default", `query ($n: String = "x") { thing(id: $n) { a } }`, { n: "y" }, [["thing", ["Thing", "/v3/things/y", [], []]]]],
  ["a default is used without a variable", `query ($n: String = "x") { thing(id: $n) { a } }`, {}, [["thing", ["Thing", "/v3/things/x", [], []]]]],
  ["an unknown value stays a variable", `query ($n: String!) { thing(id: $n) { a } }`, {}, [["thing", ["Thing", "/v3/things/{name}", [], []]]]],
  ["a value that is a fixed path has no request", `{ thing(id: "search") { a } }`, {}, [["thing"]]],
  ["missing fields are listed without those below them", `{ thing(id: "x") { a no b { c nor { deep deeper } } none { x } __typename } }`, {}, [["thing", ["Thing", "/v3/things/x", ["no", "b.nor", "none"], []]]]],
  ["aliases and fragments make no difference", `{ mine: thing(id: "x") { z: a ...F ... on T { b { d } } } } fragment F on T { b { c } }`, {}, [["thing", ["Thing", "/v3/things/x", [], []]]]],
  ["a field under a flag sets the flag", `{ thing(id: "x") { parts { x } } }`, {}, [["thing", ["Thing", "/v3/things/x?fullResult", [], []]]]],
  ["flags, numbers and enums in the query", `{ things(page: 3, fullResult: true, only: BIG, server: "EU 1") { a } }`, {}, [["things", ["Things", "/v3/things?page=3&fullResult&only=big&server=EU%201", [], []]]]],
  ["digits of literals and variables", `query ($n: Int!) { a: things(page: 9007199254740993) { a } b: things(page: $n) { a } }`, parseAsTyped('{"n":9007199254740993}'), [["things", ["Things", "/v3/things?page=9007199254740993", [], []]], ["things", ["Things", "/v3/things?page=9007199254740993", [], []]]]],
  ["defaults and false are left out", `{ things(page: 1, fullResult: false) { a } }`, {}, [["things", ["Things", "/v3/things", [], []]]]],
  ["an unsupported argument", `{ things(sort: "x") { a } }`, {}, [["things", ["Things", "/v3/things", [], ["sort"]]]]],
  ["fields that need the flag unset", `{ meta { plain both } }`, {}, [["meta", ["Meta", "/v3/meta", [], []]]]],
  ["fields that exclude each other", `{ meta { fixed plain } }`, {}, [["meta", ["Meta", "/v3/meta?static", ["plain"], []]]]],
  ["an argument that is fixed elsewhere", `{ posts(type: "blog") { a } }`, {}, [["posts", ["Blog", "/v3/blog", [], []]]]],
  ["the request that lacks least comes first", `{ posts { b } }`, {}, [["posts", ["Blog", "/v3/blog", [], []], ["News", "/v3/news", ["b"], []]]]],
  ["fields of the types of an interface", `{ entries { position ... on P { score } ... on G { members { name rank } } } }`, {}, [["entries", ["Entries", "/v3/entries", ["members.rank"], []]]]],
  ["several root fields", `{ secret { a } things { a } __schema { types { name } } }`, {}, [["secret"], ["things", ["Things", "/v3/things", [], []]]]],
  ["a mutation has no request", `mutation { thing(id: "x") { a } }`, {}, []],
  ["a fragment that spreads itself ends", `{ thing(id: "x") { ...F } } fragment F on T { a ...F b { c ...F } }`, {}, [["thing", ["Thing", "/v3/things/x", [], []]]]],
  ["a lookup by an input object", `query ($n: String!) { team(by: { tag: $n }) { name } }`, { n: "MOSS" }, [["team", ["TeamByTag", "/v3/team/tag/MOSS", [], []]]]],
  ["a reference is a uuid or a username", `{ a: owner(by: { uuid: "1-2" }) { name } b: owner(by: { username: "Salted" }) { parts { x } } }`, {}, [["owner", ["Owner", "/v3/owner/1-2", [], []]], ["owner", ["Owner", "/v3/owner/Salted?fullResult", [], []]]]],
  ["a lookup that no endpoint has", `{ team(by: { number: 7 }) { name } }`, {}, [["team"]]],
  ["a member of a filter that the endpoint does not take", `{ pages(filter: { kind: "news", pinned: true }) { name } }`, {}, [["pages", ["Pages", "/v3/pages/news", [], ["filter.pinned"]]]]],
  ["only introspection", `{ __typename }`, {}, []],
] as [string, string, Record<string, unknown>, unknown[]][]) {
  test(name, () => assert.deepEqual(requests(query, variables), want));
}

test("the operation is chosen by name", () => {
  const two = `query A { things { a } } query B { thing(id: "x") { a } }`;
  assert.equal(requests(two, {}, "B")[0]?.[0], "thing");
  assert.equal(requests(two)[0]?.[0], "things");
});

test("an object goes into the body of a POST", () => {
  const [root] = restRequests(parse(`query ($f: F = { type: ["wand"], levelRange: [30, 40] }) { search(filter: $f, page: 2) { a } }`), null, {}, endpoints);
  assert.equal(root?.requests[0]?.target, "/v3/things/search?page=2");
  assert.deepEqual({ ...(root?.requests[0]?.body as object) }, { type: ["wand"], levelRange: [30, 40] });
  assert.deepEqual(restRequests(parse("{ search { a } }"), null, {}, endpoints)[0]?.requests[0]?.body, {});
});

test("default values of the schema count", () => {
  const schema = buildSchema(`type Query { posts(type: String! = "news"): P thing(id: String = "x"): P things(page: Int = 1, fullResult: Boolean = false, sort: String = "a"): P } type P { a: Int b: Int }`);
  const requests = (query: string) => restRequests(parse(query), null, {}, endpoints, schema)[0]?.requests.map((w) => [w.target, w.unsupported]);
  assert.deepEqual(requests("{ posts { b } }"), [["/v3/news", []]]);
  assert.deepEqual(requests("{ thing { a } }"), [["/v3/things/x", []]]);
  assert.deepEqual(requests("{ things { a } }"), [["/v3/things", []]]);
});
