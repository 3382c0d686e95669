// Opening a query in the running console.
import { pick, useGraphiQL, useGraphiQLActions } from "@graphiql/react";
import { isExample } from "./examples";
import { useFrame, useSmall } from "./frame";
import { same, type Query, type View } from "./link";

interface Options {
  run?: boolean;
  /** The view of the response; the present one if there is none. */
  view?: View | undefined;
}

/**
 * useOpen returns a function that shows a query: in the tab that shows it already, in the active one if that is empty
 * or an unedited example, else in a new one.
 */
export function useOpen(): (q: Query, options?: Options) => void {
  const { tabs, activeTabIndex, queryEditor, variableEditor } = useGraphiQL(pick("tabs", "activeTabIndex", "queryEditor", "variableEditor"));
  const { changeTab, addTab, run, stop } = useGraphiQLActions();
  const { setShown, setPart } = useFrame();
  const opened = useOpened();
  return (q, { run: runs = false, view } = {}) => {
    stop(); // before a change of tabs: a late response would be the next tab's
    const shown = tabs.findIndex((t) => same(t, q));
    const active = tabs[activeTabIndex];
    if (shown >= 0) {
      if (shown !== activeTabIndex) changeTab(shown);
    } else {
      const replaceable = active && (active.variables ?? "").trim() === "" && ((active.query ?? "").trim() === "" || isExample(active.query ?? ""));
      if (!replaceable) addTab();
      queryEditor?.setValue(q.query);
      variableEditor?.setValue(q.variables);
      queryEditor?.setScrollTop(0);
    }
    opened();
    if (view) setShown((shown) => ({ ...shown, view }));
    if (!runs) return;
    setPart("Result");
    run();
  };
}

/** useOpened returns a function for after a query was opened: the response of the one before goes, and on a small screen the panel. */
export function useOpened(): () => void {
  const responseEditor = useGraphiQL((state) => state.responseEditor);
  const { stop, updateActiveTabValues, setVisiblePlugin } = useGraphiQLActions();
  const { setPart } = useFrame();
  const small = useSmall();
  return () => {
    stop();
    responseEditor?.setValue("");
    updateActiveTabValues({ response: "" });
    setPart("Query");
    if (small) setVisiblePlugin(null);
  };
}
