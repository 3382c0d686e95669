// The programs run where their language is installed, against a server that records the request:
// what matters is that the text arrives, not how it is written.
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { stripIgnoredCharacters } from "graphql";
import { codeFor, type Language } from "../src/code";
import { jsonText, parseAsTyped } from "../src/json";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "code-"));
let received: { type: string | undefined; token: string | undefined; body: string } | null = null;
const server = createServer((request: IncomingMessage, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (part: string) => (body += part)).on("end", () => {
    received = { type: request.headers["content-type"], token: request.headers.authorization, body };
    response.statusCode = request.url === "/hook?wait=true" ? 404 : body.includes("rejected") ? 400 : 200;
    if (request.method === "GET") response.setHeader("Content-Type", "text/csv").end(`name,n\r\n${new URL(request.url!, url).searchParams.get("query")},1\r\nB,22\r\n`);
    else response.setHeader("Content-Type", "application/json").end('{"data":{"ok":true}}');
  });
});
let url = "";

before(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
});
after(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

type Program = Exclude<Language, "Google Sheets" | "Excel" | "Discord">;
const programs: Record<Program, (code: string) => [string, string[]]> = {
  curl: (code) => ["sh", ["-c", code]],
  Go: (code) => ["go", ["run", file("main.go", code)]],
  Python: (code) => ["python3", [file("request.py", code)]],
  TypeScript: (code) => [process.execPath, [file("request.mjs", code)]], // it has no types to strip
  R: (code) => ["Rscript", [file("request.R", code)]],
};
const needs: Record<Program, [string, string]> = { R: ["Rscript", "--version"], curl: ["curl", "--version"], Go: ["go", "version"], Python: ["python3", "--version"], TypeScript: [process.execPath, "--version"] };

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

function installed([program, argument]: [string, string]): boolean {
  try {
    execFileSync(program, [argument], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const nasty = `'"\`\${x} $(id) \\ \\n %s {{}} \u2028 鉱 🙂 \t</script>`;

for (const language of Object.keys(programs) as Program[]) {
  const missing = !installed(needs[language]) && `${needs[language][0]} is not installed`;
  for (const [name, request] of [
    ["one line", { query: "{ classes { name } }", variables: {}, headers: {}, operationName: null }],
    ["an error response is printed", { query: "{ rejected }", variables: {}, headers: {}, operationName: null }],
    ["several lines", { query: "query A {\n  a(text: \"\"\"it's `x` \\ \"\"\")\n}\n", variables: {}, headers: { Authorization: `Bearer it's "$x" \\ %s \`` }, operationName: "A" }],
    ["every kind of text", { query: `# ${nasty}\n# """ ''' \r\n{ a(s: ${JSON.stringify(nasty)}) }`, variables: { text: nasty, lines: "a\nb\r\n", list: [1, -2.5, true, null, { n: "'" }] }, headers: {}, operationName: null }],
    ["digits", { query: "query Q($n: Int64) { a(n: $n, m: 9007199254740993) }", variables: parseAsTyped('{"n": [9007199254740993, -9223372036854775808]}') as Record<string, unknown>, headers: {}, operationName: null }],
  ] as const) {
    test(`${language}: ${name}`, { skip: missing }, async () => {
      received = null;
      const { stdout } = await run(...programs[language](codeFor(language, { url, ...request })));
      const want = { query: stripIgnoredCharacters(request.query), ...(Object.keys(request.variables).length > 0 ? { variables: request.variables } : {}), ...(request.operationName ? { operationName: request.operationName } : {}) };
      assert.deepEqual(parseAsTyped(received!.body), parseAsTyped(jsonText(want)));
      assert.equal(received!.type, "application/json");
      assert.equal(received!.token, (request.headers as Record<string, string>).Authorization);
      assert.deepEqual(JSON.parse(stdout), { data: { ok: true } });
    });
  }
}

const request = { url: "https://data.example/graphql", query: "# guilds\nquery G($n: Int!) {\n  guilds(first: $n) { nodes { name } }\n}", variables: { n: 5 }, headers: {}, operationName: "G", list: "guilds.nodes" };

test("formulas of spreadsheets read the list as CSV", () => {
  const address = /^=IMPORTDATA\("(.*)"\)\n$/.exec(codeFor("Google Sheets", request))?.[1] ?? "";
  const values = Object.fromEntries(new URL(address).searchParams);
  assert.deepEqual(values, { format: "csv", list: "guilds.nodes", query: "query G($n:Int!){guilds(first:$n){nodes{name}}}", variables: '{"n":5}', operationName: "G" });
  const long = codeFor("Excel", { ...request, query: `query G { ${Array.from({ length: 90 }, (_, i) => `a${i}: guilds { totalCount }`).join(" ")} }` });
  const texts = [...long.matchAll(/"([^"]*)"/g)].map((m) => m[1]!);
  assert.ok(texts.length > 1 && texts.every((t) => t.length <= 255) && long.startsWith("=WEBSERVICE("), long.slice(0, 80));
  assert.equal(new URL(texts.join("")).searchParams.get("format"), "csv");
  assert.match(codeFor("Google Sheets", { ...request, query: "mutation G { a }" }), /only run a query/);
});

test("a subscription is requested as a stream", () => {
  const code = (language: Language) => codeFor(language, { ...request, query: "subscription G { a }", variables: {} });
  assert.match(code("curl"), /^curl -sSN .*\n.*\n.*-H 'Accept: text\/event-stream'/);
  for (const language of ["Go", "Python", "TypeScript", "R"] as const) assert.match(code(language), /text\/event-stream/);
});

test("R takes any text", () => {
  const body = /^body <- r"(-*)\((.*)\)\1"$/m.exec(codeFor("R", { ...request, query: '{ a(s: ")\\" )-") }' }))?.[2];
  assert.equal((JSON.parse(body ?? "") as { query: string }).query, '{a(s:")\\" )-")}');
});

test("the program for Discord shows the list as a table", { skip: !installed(needs.Python) && "python3 is not installed" }, async () => {
  const code = codeFor("Discord", { ...request, url, query: '{ a(s: "\\"") }', operationName: null });
  const program = run("python3", [file("board.py", code)], { env: { ...process.env, DISCORD_WEBHOOK: new URL("/hook", url).href }, cwd: folder });
  await assert.rejects(program, /The webhook was deleted/);
  assert.deepEqual(JSON.parse(received!.body), { content: '```\nname            n\n{ a(s: "\\"") }  1\nB               22\n```' });
  assert.match(codeFor("Discord", { ...request, query: "mutation G { a }" }), /only show a query/);
});
