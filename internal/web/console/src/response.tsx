// The response: its views, what it cost, and its errors.
import { pick, ResponseEditor, useGraphiQL, useMonaco } from "@graphiql/react";
import { useMemo, useRef, useState, useSyncExternalStore } from "react";
import { Account } from "./account";
import { ChartView } from "./chart-view";
import { exchanges, type Exchange } from "./client";
import { CodeView } from "./code-view";
import { ErrorBanner, errorsOf } from "./error-banner";
import { parseExact } from "./json";
import { limitText, sizeText, timeText } from "./limits";
import { isObject, listsIn } from "./lists";
import { RestView } from "./rest-view";
import { TableView } from "./table-view";

const views = ["JSON", "Table", "Chart", "Code", "REST"] as const;
type View = (typeof views)[number];

const descriptions: Record<View, string> = {
  JSON: "The response as JSON",
  Table: "A list of the response as a table: sort, filter, download",
  Chart: "Two columns of a list as a chart",
  Code: "The query as a program or a formula",
  REST: "The /v3 endpoints with this data",
};

export function Response() {
  const [view, setView] = useState<View>("JSON");
  const [path, setPath] = useState("");
  const { tabs, activeTabIndex, isFetching, subscription } = useGraphiQL(pick("tabs", "activeTabIndex", "isFetching", "subscription"));
  const loaded = useMonaco((state) => Boolean(state.monaco));
  const tab = tabs[activeTabIndex];
  const response = tab?.response ?? "";
  const body = useMemo(() => parse(response), [response]);
  const lists = useMemo(() => listsIn(isObject(body) && "events" in body ? { events: body.events } : isObject(body) ? body.data : undefined), [body]);
  const exchange = useExchange(tab?.id ?? "");
  const nothing = body === undefined ? (isFetching ? "Loading…" : "Run the query first: press Ctrl+Enter.")
    : errorsOf(body).length > 0 ? "The last query failed: see JSON." : "This response has no lists.";
  const name = tab?.operationName ?? "response";
  const texts = { query: tab?.query ?? "", variables: tab?.variables ?? "", operationName: tab?.operationName ?? null };
  return (
    <section className="response" aria-label="Response" data-view={view}>
      <div className="bar">
        <div className="views" role="group" aria-label="View of the response">
          {views.map((v) => (
            <button key={v} type="button" value={v} aria-pressed={v === view} title={descriptions[v]} onClick={() => setView(v)}>{v}</button>
          ))}
        </div>
        {response !== "" && exchange && <Facts exchange={exchange} live={subscription !== null && exchange.events !== null} />}
      </div>
      <ErrorBanner body={body} />
      <div className="result">
        {loaded && <ResponseEditor />}
        {response === "" && <p className="empty" role="status">{isFetching || subscription ? "Loading…" : <>Press <kbd>Ctrl</kbd>+<kbd>Enter</kbd> or <b>Run</b>. The response appears here.</>}</p>}
      </div>
      {view !== "JSON" && (
        <div className="view">
          {view === "Table" && <TableView lists={lists} path={path} onPath={setPath} nothing={nothing} name={name} />}
          {view === "Chart" && <ChartView lists={lists} path={path} onPath={setPath} nothing={nothing} name={name} />}
          {view === "Code" && <CodeView {...texts} headers={tab?.headers ?? ""} lists={lists} path={path} />}
          {view === "REST" && <RestView {...texts} />}
        </div>
      )}
      <div className="limits">
        <span role="status">{limitText(costOf(body), response !== "" && exchange ? exchange.limits : null)}</span>
        <Account />
      </div>
    </section>
  );
}

function Facts({ exchange, live }: { exchange: Exchange; live: boolean }) {
  const { status, ms, bytes, events } = exchange;
  return (
    <p className="facts">
      {live && <b className="live">Live</b>}
      <span className={status < 400 ? "good" : "bad"} title="HTTP status">{status}</span>
      {events !== null && <span>{events} {events === 1 ? "event" : "events"}</span>}
      <span title="Time until the whole response was here">{timeText(ms)}</span>
      <span title="Size of the body, decompressed">{sizeText(bytes)}</span>
    </p>
  );
}

// useExchange returns the facts of the response that a tab shows. A change of tabs ends requests, so that the last
// exchange belongs to the tab that is active when it appears.
function useExchange(tab: string): Exchange | undefined {
  const last = useSyncExternalStore(exchanges.subscribe, exchanges.get);
  const seen = useRef<Exchange | null>(last);
  const byTab = useRef(new Map<string, Exchange>());
  if (last && last !== seen.current) {
    seen.current = last;
    byTab.current.set(tab, last);
  }
  return byTab.current.get(tab);
}

function costOf(body: unknown): Record<string, number> {
  const extensions = isObject(body) ? body.extensions : undefined;
  return isObject(extensions) && isObject(extensions.cost) ? (extensions.cost as Record<string, number>) : {};
}

// While a response is on its way the text is empty.
function parse(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
