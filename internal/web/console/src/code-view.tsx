// The query as a program or formula to copy.
import { useState } from "react";
import { endpoint } from "./client";
import { codeFor, hintFor, languages, type Language } from "./code";
import { CopyButton } from "./copy-button";
import { defaultList, type List } from "./lists";
import { headersOf, variablesOf } from "./parse";

export interface EditorTexts {
  query: string;
  /** Of the variables editor. */
  variables: string;
  /** Of the headers editor. */
  headers: string;
  operationName: string | null;
  /** The lists of the response, and the one that the user chose. */
  lists: List[];
  path: string;
}

export function CodeView({ query, variables, headers, operationName, lists, path }: EditorTexts) {
  const [language, setLanguage] = useState<Language>("curl");
  const url = new URL(endpoint, location.href).href;
  const code = codeFor(language, { url, query, variables: variablesOf(variables), headers: headersOf(headers), operationName, list: (lists.find((l) => l.path === path) ?? defaultList(lists))?.path });
  return (
    <>
      <div className="choices">
        <label>
          Language{" "}
          <select value={language} onChange={(e) => setLanguage(e.target.value as Language)}>
            {languages.map((l) => <option key={l}>{l}</option>)}
          </select>
        </label>
        <CopyButton text={code} />
      </div>
      {hintFor(language) && <p className="hint">{hintFor(language)} {language === "Discord" && <a href="/docs/guides/discord">Discord in ten minutes</a>}</p>}
      <pre className="scroll" tabIndex={0} role="region" aria-label={`The query in ${language}`}>{code}</pre>
    </>
  );
}
