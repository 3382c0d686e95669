// The query as a program to copy.
import { useState } from "react";
import { address } from "./asking";
import { codeFor, languages, type Language } from "./code";
import { CopyButton } from "./copy";
import { headersOf, variablesOf } from "./variables";

export interface Asked {
  query: string;
  /** Text of the variables editor. */
  variables: string;
  /** Text of the headers editor. */
  headers: string;
  operationName: string | null;
}

export function CodeView({ query, variables, headers, operationName }: Asked) {
  const [language, choose] = useState<Language>("curl");
  const url = new URL(address, location.href).href;
  const code = codeFor(language, { url, query, variables: variablesOf(variables), headers: headersOf(headers), operationName });
  return (
    <>
      <p className="choices">
        <label>
          Language{" "}
          <select value={language} onChange={(e) => choose(e.target.value as Language)}>
            {languages.map((l) => <option key={l}>{l}</option>)}
          </select>
        </label>
        <CopyButton text={code} />
      </p>
      <pre className="scroll" tabIndex={0}>{code}</pre>
    </>
  );
}
