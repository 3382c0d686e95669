// What stands above an answer: the choice of how to see it, and what it cost.
import { pick, useGraphiQL } from "@graphiql/react";
import { useMemo, useState, useSyncExternalStore } from "react";
import { limits } from "./asking";
import { CodeView } from "./code-view";
import { parseExact } from "./exact";
import { costWords, limitWords } from "./limits";
import { isObject } from "./lists";
import { PathView } from "./path-view";
import { TableView } from "./table-view";
import { Who } from "./who";

const views = ["JSON", "Table", "Code", "REST"] as const;
type View = (typeof views)[number];

const explained: Record<View, string> = {
  JSON: "The answer as it came",
  Table: "A list of the answer as a table, to look at or to download",
  Code: "The query as a program",
  REST: "Which /v3 path gives this",
};

export function AnswerTools() {
  const [view, setView] = useState<View>("JSON");
  const { tabs, activeTabIndex } = useGraphiQL(pick("tabs", "activeTabIndex"));
  const tab = tabs[activeTabIndex];
  const response = tab?.response ?? "";
  const answer = useMemo(() => parsed(response), [response]);
  return (
    <>
      <div className="answer-bar" data-view={view} role="group" aria-label="How to see the answer">
        {views.map((v) => (
          <button key={v} type="button" value={v} aria-pressed={v === view} title={explained[v]} onClick={() => setView(v)}>{v}</button>
        ))}
      </div>
      {view !== "JSON" && (
        <section className="answer-view" aria-label={explained[view]} tabIndex={-1}>
          {view === "Table" && <TableView answer={answer} name={tab?.operationName ?? "answer"} />}
          {view === "Code" && <CodeView query={tab?.query ?? ""} variables={tab?.variables ?? ""} headers={tab?.headers ?? ""} operationName={tab?.operationName ?? null} />}
          {view === "REST" && <PathView query={tab?.query ?? ""} variables={tab?.variables ?? ""} operationName={tab?.operationName ?? null} />}
        </section>
      )}
      <LimitLine answer={answer} />
    </>
  );
}

function LimitLine({ answer }: { answer: unknown }) {
  const now = useSyncExternalStore(limits.subscribe, limits.get);
  const extensions = isObject(answer) ? answer.extensions : undefined;
  const cost = isObject(extensions) && isObject(extensions.cost) ? costWords(extensions.cost as Record<string, number>) : "";
  return (
    <div className="limits">
      <span role="status">{[cost, now && limitWords(now)].filter(Boolean).join(" ")}</span>
      <Who />
    </div>
  );
}

// While an answer is on its way the text is empty.
function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
