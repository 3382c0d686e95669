// The bar above a response, its views, and the line with its cost below it.
import { pick, useGraphiQL } from "@graphiql/react";
import { useMemo, useState, useSyncExternalStore } from "react";
import { Account } from "./account";
import { limits } from "./client";
import { CodeView } from "./code-view";
import { parseExact } from "./json";
import { costText, limitText } from "./limits";
import { isObject } from "./lists";
import { RestView } from "./rest-view";
import { TableView } from "./table-view";

const views = ["JSON", "Table", "Code", "REST"] as const;
type View = (typeof views)[number];

const descriptions: Record<View, string> = {
  JSON: "The response as JSON",
  Table: "A list of the response as a table, to view or download",
  Code: "The query as a program",
  REST: "The /v3 endpoints with this data",
};

export function ResponseTools() {
  const [view, setView] = useState<View>("JSON");
  const { tabs, activeTabIndex } = useGraphiQL(pick("tabs", "activeTabIndex"));
  const tab = tabs[activeTabIndex];
  const response = tab?.response ?? "";
  const body = useMemo(() => parse(response), [response]);
  return (
    <>
      <div className="response-bar" data-view={view} role="group" aria-label="View of the response">
        {views.map((v) => (
          <button key={v} type="button" value={v} aria-pressed={v === view} title={descriptions[v]} onClick={() => setView(v)}>{v}</button>
        ))}
      </div>
      {view !== "JSON" && (
        <section className="response-view" aria-label={descriptions[view]} tabIndex={-1}>
          {view === "Table" && <TableView response={body} name={tab?.operationName ?? "response"} />}
          {view === "Code" && <CodeView query={tab?.query ?? ""} variables={tab?.variables ?? ""} headers={tab?.headers ?? ""} operationName={tab?.operationName ?? null} />}
          {view === "REST" && <RestView query={tab?.query ?? ""} variables={tab?.variables ?? ""} operationName={tab?.operationName ?? null} />}
        </section>
      )}
      <LimitLine response={body} />
    </>
  );
}

function LimitLine({ response }: { response: unknown }) {
  const current = useSyncExternalStore(limits.subscribe, limits.get);
  const extensions = isObject(response) ? response.extensions : undefined;
  const cost = isObject(extensions) && isObject(extensions.cost) ? costText(extensions.cost as Record<string, number>) : "";
  return (
    <div className="limits">
      <span role="status">{[cost, current && limitText(current)].filter(Boolean).join(" · ")}</span>
      <Account />
    </div>
  );
}

// While a response is on its way the text is empty.
function parse(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
