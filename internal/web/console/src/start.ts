// What the console opens with: the tabs of the last visit, an example on the first one, and the query of a link.
import { getOperationAST, Kind, parse } from "graphql";
import { firstExample } from "./examples";
import { linkIn, openLink, storedTabs, type Linked } from "./link";
import { saveSetting, setting } from "./settings";

const tabsKey = "graphiql:tabState";
const linkedKey = "console:link";

/** firstTabs returns the settings of GraphiQL that open the first tabs. */
export function firstTabs() {
  const link = linkIn(location.search, location.hash);
  const stored = storedTabs(setting(tabsKey));
  if (!stored) {
    const first = link ?? { query: firstExample, variables: "" };
    return { defaultTabs: [first], initialQuery: first.query, initialVariables: first.variables };
  }
  const tabs = link ? openLink(stored, link, linkedTab(), crypto.randomUUID?.() ?? String(Date.now())) : stored;
  const active = tabs.tabs[tabs.activeTabIndex];
  if (link && active) {
    saveSetting(tabsKey, JSON.stringify(tabs));
    if (tabs.tabs !== stored.tabs) saveSetting(linkedKey, JSON.stringify({ ...link, id: active.id }));
  }
  return { initialQuery: active?.query ?? "", initialVariables: active?.variables ?? "" };
}

function linkedTab(): Linked | null {
  try {
    return JSON.parse(setting(linkedKey) ?? "null") as Linked | null;
  } catch {
    return null;
  }
}

/** isSafe reports whether a document has one operation, and that is a query. */
export function isSafe(query: string): boolean {
  try {
    const document = parse(query);
    return document.definitions.every((d) => d.kind !== Kind.OPERATION_DEFINITION || d.operation === "query") && getOperationAST(document) !== null;
  } catch {
    return false;
  }
}
