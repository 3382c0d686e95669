// Links to a query: the address of the console follows the active tab, and a link opens in a tab that shows the same
// query already, or in the one that the last link opened if it was not edited since.

export interface Query {
  query: string;
  /** The text of the variables editor. */
  variables: string;
}

/** Longer links are cut by chats and proxies; the address does not follow a longer query. */
export const maxLink = 8000;

/** linkIn reads the query of an address: `#query=…&variables=…`, or the same after a question mark. */
export function linkIn(search: string, hash: string): Query | null {
  for (const part of [hash, search]) {
    const values = new URLSearchParams(part.slice(1));
    const query = values.get("query");
    if (query !== null) return { query, variables: values.get("variables") ?? "" };
  }
  return null;
}

/** linkTo returns the fragment that opens a query, null if it would be too long. An empty query has an empty one. */
export function linkTo({ query, variables }: Query): string | null {
  if (query.trim() === "") return "";
  const link = `#query=${encodeURIComponent(query)}${variables.trim() === "" ? "" : `&variables=${encodeURIComponent(variables)}`}`;
  return link.length > maxLink ? null : link;
}

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
  const name = /\b(?:query|subscription|mutation)\s+(\w+)/.exec(link.query)?.[1] ?? null;
  const opened = { ...link, hash: "", title: name ?? "<untitled>", headers: null, operationName: name, response: null };
  const reused = tabs.findIndex((t) => linked !== null && t.id === linked.id && same(t, linked));
  if (reused >= 0) return { tabs: tabs.map((t, i) => (i === reused ? { ...opened, id: t.id } : t)), activeTabIndex: reused };
  return { tabs: [...tabs, { ...opened, id: newId }], activeTabIndex: tabs.length };
}
