// The operation as a program: copied and run, it prints the same response.
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
}

export const languages = ["curl", "Go", "Python", "TypeScript"] as const;
export type Language = (typeof languages)[number];

/** codeFor returns a program in a language that uses the standard library only. */
export function codeFor(language: Language, r: Request): string {
  return { curl, Go: golang, Python: python, TypeScript: typescript }[language](r);
}

function payload(r: Request): Record<string, unknown> {
  return {
    query: r.query,
    ...(Object.keys(r.variables).length > 0 ? { variables: r.variables } : {}),
    ...(r.operationName === null ? {} : { operationName: r.operationName }),
  };
}

const headersOf = (r: Request) => ({ "Content-Type": "application/json", ...r.headers });

// Single quotes protect everything but themselves in a POSIX shell. A leading @ would make curl
// read a file; a JSON object never begins with one.
const shell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const curl = (r: Request) =>
  [
    `curl -sS ${shell(r.url)}`,
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
    print(json.dumps(json.load(response), indent=2))
`;

const template = (text: string) => "`" + text.replace(/[\\`]|\$(?=\{)/g, "\\$&").replaceAll("\r", "\\r") + "`";

const typescript = (r: Request) => `const response = await fetch(${JSON.stringify(r.url)}, {
  method: "POST",
  headers: ${JSON.stringify(headersOf(r), null, 1).replace(/\n */g, " ")},
  body: JSON.stringify({
${Object.entries(payload(r)).map(([key, v]) => `    ${key}: ${typeof v === "string" ? template(v) : jsonText(v)},`).join("\n")}
  }),
});
console.log(JSON.stringify(await response.json(), null, 2));
`;
