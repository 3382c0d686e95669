// Opening a query in the running console.
import { pick, useGraphiQL, useGraphiQLActions } from "@graphiql/react";
import { isExample } from "./examples";
import { same, type Query } from "./link";

/**
 * useOpen returns a function that shows a query: in the tab that shows it already, in the active one if that is empty
 * or an unedited example, else in a new one.
 */
export function useOpen(): (q: Query, options?: { run: boolean }) => void {
  const { tabs, activeTabIndex, queryEditor, variableEditor } = useGraphiQL(pick("tabs", "activeTabIndex", "queryEditor", "variableEditor"));
  const { changeTab, addTab, run, stop } = useGraphiQLActions();
  return (q, options) => {
    const shown = tabs.findIndex((t) => same(t, q));
    const active = tabs[activeTabIndex];
    if (shown >= 0) {
      if (shown !== activeTabIndex) changeTab(shown);
    } else {
      const replaceable = active && (active.variables ?? "").trim() === "" && ((active.query ?? "").trim() === "" || isExample(active.query ?? ""));
      if (replaceable) stop();
      else addTab();
      queryEditor?.setValue(q.query);
      variableEditor?.setValue(q.variables);
      queryEditor?.setScrollTop(0);
    }
    if (options?.run) run();
  };
}
