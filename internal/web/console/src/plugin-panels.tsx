// GraphiQL's query builder and history, with names for people who hear them: the plugins give some controls none, or
// another than they show.
import { explorerPlugin } from "@graphiql/plugin-explorer";
import "@graphiql/plugin-explorer/style.css";
import { HISTORY_PLUGIN } from "@graphiql/plugin-history";
import { useEffect, useRef, type ComponentType } from "react";
import { useOpened } from "./open";

function renamed(Content: ComponentType, rename: (box: HTMLElement) => void) {
  return function Panel() {
    const box = useRef<HTMLDivElement>(null);
    useEffect(() => {
      const element = box.current;
      if (!element) return;
      const observer = new MutationObserver(() => rename(element));
      observer.observe(element, { childList: true, subtree: true });
      rename(element);
      return () => observer.disconnect();
    }, []);
    return <div ref={box}><Content /></div>;
  };
}

export const BuilderPanel = renamed(explorerPlugin({ showAttribution: false }).content, (box) => {
  for (const field of box.querySelectorAll("input:not([aria-label]), select:not([aria-label])")) {
    const argument = field.closest("[data-arg-name]")?.getAttribute("data-arg-name");
    field.setAttribute("aria-label", argument ?? (field.closest(".variable-editor-title") ? "New operation" : "Name of the operation"));
  }
});

const History = renamed(HISTORY_PLUGIN.content, (box) => {
  for (const item of box.querySelectorAll(".graphiql-history-item-label[aria-label]")) item.removeAttribute("aria-label");
});

/** The history. A click on an entry opens its query. */
export function HistoryPanel() {
  const opened = useOpened();
  return <div onClick={({ target }) => (target as Element).closest(".graphiql-history-item-label") && opened()}><History /></div>;
}
