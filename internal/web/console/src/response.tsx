// The response: its views, what it cost, and its errors.
import { pick, ResponseEditor, useGraphiQL, useMonaco } from "@graphiql/react";
import { lazy, Suspense, useMemo, useRef, useSyncExternalStore } from "react";
import "uplot/dist/uPlot.min.css";
import { Account } from "./account";
import { exchanges, isSubscription, type Exchange } from "./client";
import { CodeView } from "./code-view";
import { ErrorBanner, errorsOf } from "./error-banner";
import { exampleOf } from "./examples";
import { parseExact } from "./json";
import { choiceFor, nameIn, views, type Shown, type View } from "./link";
import { limitText, sizeText, timeText } from "./limits";
import { isObject, listsIn } from "./lists";
import { RestView } from "./rest-view";
import { TableView } from "./table-view";

// The chart is loaded when it is shown first.
const failed = { ChartView: () => <p className="hint">The chart could not be loaded. Reload the page.</p> };
const ChartView = lazy(async () => ({ default: (await import("./chart-view").catch(() => failed)).ChartView as typeof import("./chart-view").ChartView }));

const descriptions: Record<View, string> = {
  JSON: "The response as JSON",
  Table: "A list of the response as a table: sort, filter, download",
  Chart: "Columns of a list as a chart",
  Code: "The query as a program or a formula",
  REST: "The /v3 endpoints with this data",
};

export function Response({ shown, onShow }: { shown: Shown; onShow: (shown: Shown) => void }) {
  const { view } = shown;
  const { tabs, activeTabIndex, isFetching, subscription } = useGraphiQL(pick("tabs", "activeTabIndex", "isFetching", "subscription"));
  const loaded = useMonaco((state) => Boolean(state.monaco));
  const tab = tabs[activeTabIndex];
  const response = tab?.response ?? "";
  const body = useMemo(() => parse(response), [response]);
  const latest = useExchange(tab?.id ?? "");
  const exchange = response === "" || errorsOf(body).some((e) => e.message.startsWith("Request not sent.")) ? undefined : latest;
  const waiting = subscription !== null && exchange?.events === 0;
  const lists = useMemo(() => (waiting ? [] : listsIn(isObject(body) && "events" in body ? { events: body.events } : isObject(body) ? body.data : undefined)), [body, waiting]);
  const connects = useMemo(() => isSubscription(tab?.query ?? "", tab?.operationName ?? undefined), [tab?.query, tab?.operationName]);
  const idle = isFetching || subscription ? "Loading…" : connects ? "Press Run to connect." : "Press Run or Ctrl+Enter. The response appears here.";
  const nothing = waiting ? "Connected · waiting for the first event." : body === undefined ? idle
    : errorsOf(body).length > 0 ? "The last query failed: see JSON." : "This response has no lists.";
  const name = tab?.operationName ?? "response";
  const query = tab?.query ?? "";
  const { list: path, chart } = choiceFor(query, shown);
  const choose = (choice: Partial<Shown>) => onShow({ ...shown, operation: nameIn(query), list: path, chart, ...choice });
  const ofLists = { lists, path, onPath: (list: string) => choose({ list, chart: null }), nothing, name };
  const texts = { query, variables: tab?.variables ?? "", operationName: tab?.operationName ?? null };
  return (
    <section className="response" aria-label="Response" data-view={view}>
      <div className="bar">
        <div className="views" role="group" aria-label="View of the response">
          {views.map((v) => (
            <button key={v} type="button" value={v} aria-pressed={v === view} title={descriptions[v]} onClick={() => onShow({ ...shown, view: v })}>{v}</button>
          ))}
        </div>
        <p className="facts">{exchange && <Facts exchange={exchange} live={subscription !== null && exchange.events !== null} errors={errorsOf(body).length} />}</p>
      </div>
      <ErrorBanner body={body} />
      <div className="result">
        {loaded && <ResponseEditor />}
        {response === "" && <p className="empty" role="status">{idle}</p>}
      </div>
      {view !== "JSON" && (
        <div className="view">
          {view === "Table" && <TableView {...ofLists} />}
          {view === "Chart" && <Suspense><ChartView {...ofLists} chosen={chart} example={exampleOf(query)} onChart={(c) => choose({ list: c.list, chart: c })} /></Suspense>}
          {view === "Code" && <CodeView {...texts} headers={tab?.headers ?? ""} lists={lists} path={path} />}
          {view === "REST" && <RestView {...texts} />}
        </div>
      )}
      <div className="limits">
        <span role="status">{limitText(costOf(body), exchange?.limits ?? null)}</span>
        <Account />
      </div>
    </section>
  );
}

function Facts({ exchange, live, errors }: { exchange: Exchange; live: boolean; errors: number }) {
  const { status, ms, bytes, events } = exchange;
  if (live && events === 0) return <b className="live" role="status">Connected · waiting for the first event</b>;
  return (
    <>
      {live && <b className="live">Live</b>}
      <span className={status < 400 && errors === 0 ? "good" : "bad"} title="HTTP status">{status}</span>
      {errors > 0 && <span className="bad">{errors} {errors === 1 ? "error" : "errors"}</span>}
      {events !== null && <span>{events} {events === 1 ? "event" : "events"}</span>}
      <span title="Time until the whole response was here">{timeText(ms)}</span>
      <span title="Size of the body, decompressed">{sizeText(bytes)}</span>
    </>
  );
}

// useExchange returns the facts of the response that a tab shows. A change of tabs ends requests, so that the last
// exchange belongs to the tab that is active when it appears.
function useExchange(tab: string): Exchange | undefined {
  const last = useSyncExternalStore(exchanges.subscribe, exchanges.get);
  const seen = useRef<Exchange | null>(last);
  const byTab = useRef(new Map<string, Exchange>());
  if (last !== seen.current) {
    seen.current = last;
    if (last) byTab.current.set(tab, last);
    else byTab.current.delete(tab);
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
