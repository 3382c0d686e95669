// Links to a query: the address of the console follows the active tab, and a link opens in a tab that shows the same
// query already, or in the one that the last link opened if it was not edited since.
import { chartText, readChart, type Chart } from "./chart";

export interface Query {
  query: string;
  /** The text of the variables editor. */
  variables: string;
}

export const views = ["JSON", "Table", "Chart", "Code", "REST"] as const;
export type View = (typeof views)[number];

/** How the response of a query is shown. */
export interface Shown {
  view: View;
  /** The operation whose list and chart the user chose. */
  operation: string | null;
  /** The path of the list; empty if none was chosen. */
  list: string;
  /** The chart; null if none was chosen. */
  chart: Chart | null;
}

/** nameIn returns the name of the first operation of a document; null if it has none. */
export const nameIn = (query: string): string | null => /\b(?:query|subscription|mutation)\s+(\w+)/.exec(query)?.[1] ?? null;

/** Longer links are cut by chats and proxies; the address does not follow a longer query. */
export const maxLink = 8000;

/** linkIn reads the query of an address: `#query=…&variables=…`, or the same after a question mark. */
export function linkIn(search: string, hash: string): Query | null {
  const values = valuesIn(search, hash);
  return values && { query: values.get("query")!, variables: values.get("variables") ?? "" };
}

/** shownIn reads how an address shows the response: `&view=chart&list=…&chart=…`. */
export function shownIn(search: string, hash: string): Shown {
  const values = valuesIn(search, hash);
  return {
    view: views.find((v) => v.toLowerCase() === values?.get("view")) ?? "JSON", operation: nameIn(values?.get("query") ?? ""),
    list: values?.get("list") ?? "", chart: readChart(values?.get("chart") ?? ""),
  };
}

function valuesIn(search: string, hash: string): URLSearchParams | null {
  return [hash, search].map((part) => new URLSearchParams(part.slice(1))).find((values) => values.has("query")) ?? null;
}

/**
 * linkTo returns the fragment that opens a query and shows its response in the same way, null if it would be too long. An
 * empty query has an empty one.
 */
export function linkTo({ query, variables }: Query, shown: Shown): string | null {
  if (query.trim() === "") return "";
  const { list, chart } = choiceFor(query, shown);
  const values = { query, variables: variables.trim() === "" ? "" : variables, view: shown.view === "JSON" ? "" : shown.view.toLowerCase(), list, chart: chart ? chartText(chart) : "" };
  const link = "#" + Object.entries(values).filter(([, v]) => v !== "").map(([name, v]) => `${name}=${encodeURIComponent(v)}`).join("&");
  return link.length > maxLink ? null : link;
}

/** choiceFor returns the list and the chart that the user chose for a query. */
export const choiceFor = (query: string, shown: Shown): Pick<Shown, "list" | "chart"> =>
  shown.operation === nameIn(query) ? shown : { list: "", chart: null };

/** A tab as GraphiQL stores it. */
export interface Tab {
  id: string;
  hash: string;
  title: string;
  query: string | null;
  variables: string | null;
  headers: string | null;
  operationName: string | null;
  response: string | null;
}

export interface Tabs {
  tabs: Tab[];
  activeTabIndex: number;
}

/** same reports whether a tab shows a query. */
export const same = (tab: { query?: string | null; variables?: string | null }, q: Query) =>
  (tab.query ?? "").trim() === q.query.trim() && (tab.variables ?? "").trim() === q.variables.trim();

/** The tab that the last link opened, and with what. */
export interface Linked extends Query {
  id: string;
}

/** storedTabs reads the tabs of the last visit; null if there are none. */
export function storedTabs(text: string | null): Tabs | null {
  try {
    const { tabs, activeTabIndex } = JSON.parse(text ?? "") as Tabs;
    const active = tabs[activeTabIndex];
    return active && tabs.every((t) => typeof t.id === "string") ? { tabs, activeTabIndex } : null;
  } catch {
    return null;
  }
}

/** openLink returns the tabs after a link was opened. */
export function openLink({ tabs }: Tabs, link: Query, linked: Linked | null, newId: string): Tabs {
  const shown = tabs.findIndex((t) => same(t, link));
  if (shown >= 0) return { tabs, activeTabIndex: shown };
  const name = nameIn(link.query);
  const opened = { ...link, hash: "", title: name ?? "<untitled>", headers: null, operationName: name, response: null };
  const reused = tabs.findIndex((t) => linked !== null && t.id === linked.id && same(t, linked));
  if (reused >= 0) return { tabs: tabs.map((t, i) => (i === reused ? { ...opened, id: t.id } : t)), activeTabIndex: reused };
  return { tabs: [...tabs, { ...opened, id: newId }], activeTabIndex: tabs.length };
}
