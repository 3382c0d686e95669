// The query as a program to copy.
import { useState } from "react";
import { address } from "./asking";
import { codeFor, languages, type Language } from "./code";
import { CopyButton } from "./copy";
import { variablesOf } from "./variables";

export interface Asked {
  query: string;
  /** Text of the variables editor. */
  variables: string;
  operationName: string | null;
}

export function CodeView({ query, variables, operationName }: Asked) {
  const [language, choose] = useState<Language>("curl");
  const code = codeFor(language, { url: new URL(address, location.href).href, query, variables: variablesOf(variables), operationName });
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
