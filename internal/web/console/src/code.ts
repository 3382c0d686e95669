// The operation as a program: copied and run, it prints the same response. Comments and spaces are left out of it.
import { getOperationAST, parse, stripIgnoredCharacters } from "graphql";
import guide from "../../../../docs/discord.md";
import { jsonText } from "./json";

export interface Request {
  /** Absolute URL of /graphql. */
  url: string;
  query: string;
  variables: Record<string, unknown>;
  /** Headers besides Content-Type, such as Authorization. */
  headers: Record<string, string>;
  /** Which of several operations; null if the document has one. */
  operationName: string | null;
  /** Path of the list that a spreadsheet shows; the only one of the response if empty. */
  list?: string;
}

export const languages = ["curl", "Go", "Python", "TypeScript", "R", "Google Sheets", "Excel", "Discord"] as const;
export type Language = (typeof languages)[number];

/** codeFor returns a program in a language. R needs httr2, the others their standard library only. */
export function codeFor(language: Language, r: Request): string {
  return { curl, Go: golang, Python: python, TypeScript: typescript, R: rlang, "Google Sheets": sheets, Excel: excel, Discord: discord }[language](r);
}

/** hintFor says what the user of a program has to know; empty for most. */
export function hintFor(language: Language): string {
  if (language === "R") return "Needs the package httr2.";
  if (language === "Google Sheets") return "The formula fills the cells with the list. It gets what guests see: a sheet sends no session and no token.";
  if (language === "Excel") return "The formula returns the list as CSV in one cell (Excel for Windows). To fill cells, give its address to Data › From Web. It gets what guests see.";
  if (language === "Discord") return "A Python program that shows the list in one message of a channel and edits it every minute: DISCORD_WEBHOOK is the address of the channel's webhook.";
  return "";
}

function payload(r: Request): Record<string, unknown> {
  return {
    query: minified(r.query),
    ...(Object.keys(r.variables).length > 0 ? { variables: r.variables } : {}),
    ...(r.operationName === null ? {} : { operationName: r.operationName }),
  };
}

function minified(query: string): string {
  try {
    return stripIgnoredCharacters(query);
  } catch {
    return query; // not valid: the service says why
  }
}

function kindOf(r: Request): string | undefined {
  try {
    return getOperationAST(parse(r.query), r.operationName)?.operation;
  } catch {
    return undefined;
  }
}

// A subscription is a stream of events, which the programs print as they come.
const isStream = (r: Request) => kindOf(r) === "subscription";

const headersOf = (r: Request) => ({ "Content-Type": "application/json", ...(isStream(r) ? { Accept: "text/event-stream" } : {}), ...r.headers });

// Single quotes protect everything but themselves in a POSIX shell. A leading @ would make curl
// read a file; a JSON object never begins with one.
const shell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const curl = (r: Request) =>
  [
    `curl -sS${isStream(r) ? "N" : ""} ${shell(r.url)}`,
    ...Object.entries(headersOf(r)).map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    `--data-binary ${shell(jsonText(payload(r)))}`,
  ].join(" \\\n  ") + "\n";

// A raw string cannot hold a backquote and loses carriage returns.
const goText = (text: string) => (/[`\r\uFEFF]/.test(text) ? goQuoted(text) : "`" + text + "`");

// Go has no \/ and no surrogates. JSON.stringify never writes the first, and the second only for
// unpaired ones, which JSON of the service cannot have.
const goQuoted = (text: string) => JSON.stringify(text).replaceAll("\uFEFF", "\\ufeff");

const golang = (r: Request) => `package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
)

func main() {
	body, err := json.Marshal(map[string]any{
${Object.entries(payload(r)).map(([key, v]) => `\t\t${JSON.stringify(key)}: ${typeof v === "string" ? goText(v) : `json.RawMessage(${goText(jsonText(v))})`},`).join("\n")}
	})
	if err != nil {
		log.Fatal(err)
	}
	request, err := http.NewRequest("POST", ${goQuoted(r.url)}, bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
${Object.entries(headersOf(r)).map(([name, value]) => `\trequest.Header.Set(${goQuoted(name)}, ${goQuoted(value)})`).join("\n")}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(os.Stdout, response.Body); err != nil {
		log.Fatal(err)
	}
}
`;

// Long texts keep their line breaks; JSON's escapes are valid in Python.
const pythonText = (text: string) =>
  text.includes("\n") ? `"""${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\r", "\\r").replaceAll("\0", "\\x00")}"""` : JSON.stringify(text);

const python = (r: Request) => `import json
import urllib.error
import urllib.request

body = {
${Object.entries(payload(r)).map(([key, v]) => `    ${JSON.stringify(key)}: ${typeof v === "string" ? pythonText(v) : `json.loads(${JSON.stringify(jsonText(v))})`},`).join("\n")}
}
request = urllib.request.Request(
    ${JSON.stringify(r.url)},
    data=json.dumps(body).encode(),
    headers=${JSON.stringify(headersOf(r), null, 1).replace(/\n */g, " ").replace("{ ", "{").replace(/ }$/, "}")},
)
try:
    response = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    response = error  # its body has the reason
with response:
${isStream(r) ? `    for line in response:
        print(line.decode(), end="", flush=True)` : `    print(json.dumps(json.load(response), indent=2))`}
`;

const template = (text: string) => "`" + text.replace(/[\\`]|\$(?=\{)/g, "\\$&").replaceAll("\r", "\\r") + "`";

// Numbers of JavaScript lose the digits that doubles lack.
const keepsDigits = (value: unknown) => jsonText(value) === JSON.stringify(JSON.parse(jsonText(value)));

const typescript = (r: Request) => `const response = await fetch(${JSON.stringify(r.url)}, {
  method: "POST",
  headers: ${JSON.stringify(headersOf(r), null, 1).replace(/\n */g, " ")},
  body: ${keepsDigits(r.variables) ? `JSON.stringify({
${Object.entries(payload(r)).map(([key, v]) => `    ${key}: ${typeof v === "string" ? template(v) : jsonText(v)},`).join("\n")}
  })` : template(jsonText(payload(r)))},
});
${isStream(r) ? `for await (const piece of response.body!) console.log(new TextDecoder().decode(piece));` : `console.log(await response.text());`}
`;

// JSON is written as a raw string, whose end cannot be in it.
const rText = (text: string) => {
  let dashes = "";
  while (text.includes(")" + dashes + '"')) dashes += "-";
  return `r"${dashes}(${text})${dashes}"`;
};

const rlang = (r: Request) => `library(httr2)

body <- ${rText(jsonText(payload(r)))}
response <- request(${rText(r.url)}) |>
${Object.entries(headersOf(r)).filter(([name]) => name !== "Content-Type").map(([name, value]) => `  req_headers(${JSON.stringify(name)} = ${rText(value)}) |>\n`).join("")}  req_body_raw(body, "application/json") |>
  req_error(is_error = \\(response) FALSE) |>
${isStream(r) ? `  req_perform_connection()
while (!resp_stream_is_complete(response)) print(resp_stream_sse(response)$data)` : `  req_perform()
str(resp_body_json(response, simplifyVector = TRUE))`}
`;

// The parameters of the list as CSV; null for what is no query.
function csvParameters(r: Request, query: string): [string, string][] | null {
  if (kindOf(r) !== "query") return null;
  const { variables, operationName } = payload(r);
  const values = { format: "csv", list: r.list, query, variables: variables && jsonText(variables), operationName };
  return Object.entries(values).filter((value): value is [string, string] => Boolean(value[1]));
}

const csvAddress = (r: Request) => {
  const values = csvParameters(r, minified(r.query));
  return values && `${r.url}?${values.map(([name, v]) => `${name}=${encodeURIComponent(v).replaceAll("'", "%27")}`).join("&")}`;
};

const noFormula = "A spreadsheet formula can only run a query.\n";

// A percent-encoded address has no quotes.
const sheets = (r: Request) => {
  const address = csvAddress(r);
  return address === null ? noFormula : `=IMPORTDATA("${address}")\n`;
};

// A text in a formula of Excel has at most 255 characters.
const excel = (r: Request) => {
  const address = csvAddress(r);
  return address === null ? noFormula : `=WEBSERVICE(${(address.match(/.{1,250}/g) ?? []).map((t) => `"${t}"`).join("&")})\n`;
};

// What the program of docs/discord.md does with its message.
const [, posting = ""] = /^```python.*?^(def call.*?)^```/ms.exec(guide) ?? [];

// The program of docs/discord.md with another message: the list as a table.
const discord = (r: Request) => {
  const parameters = csvParameters(r, r.query.replace(/^(#.*\n)+/, ""));
  return parameters === null ? "A message can only show a query.\n" : String.raw`import csv, io, json, os, pathlib, time
from urllib import error, parse, request
WEBHOOK, FILE, HEADERS, etag = os.environ["DISCORD_WEBHOOK"], pathlib.Path("discord-message.txt"), ${JSON.stringify(r.headers)}, '""'
URL = ${JSON.stringify(`${r.url}?`)} + parse.urlencode({
${parameters.map(([name, v]) => `    "${name}": ${pythonText(v)},`).join("\n")}
})

def message(reply):
    text = reply.read().decode()
    if reply.headers.get_content_type() != "text/csv": raise ValueError(text)
    rows = list(csv.reader(io.StringIO(text)))
    widths = [max(map(len, column)) for column in zip(*rows)]
    table = "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
    return {"content": f"${"```"}\n{table[:1900]}\n${"```"}"}

${posting.replaceAll("http://localhost:8080", new URL(r.url).origin)}`;
};
