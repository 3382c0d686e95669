// The query as a program to copy.
import { useState } from "react";
import { endpoint } from "./client";
import { codeFor, languages, type Language } from "./code";
import { CopyButton } from "./copy-button";
import { headersOf, variablesOf } from "./editors";

export interface EditorTexts {
  query: string;
  /** Of the variables editor. */
  variables: string;
  /** Of the headers editor. */
  headers: string;
  operationName: string | null;
}

export function CodeView({ query, variables, headers, operationName }: EditorTexts) {
  const [language, setLanguage] = useState<Language>("curl");
  const url = new URL(endpoint, location.href).href;
  const code = codeFor(language, { url, query, variables: variablesOf(variables), headers: headersOf(headers), operationName });
  return (
    <>
      <p className="choices">
        <label>
          Language{" "}
          <select value={language} onChange={(e) => setLanguage(e.target.value as Language)}>
            {languages.map((l) => <option key={l}>{l}</option>)}
          </select>
        </label>
        <CopyButton text={code} />
      </p>
      <pre className="scroll" tabIndex={0}>{code}</pre>
    </>
  );
}
