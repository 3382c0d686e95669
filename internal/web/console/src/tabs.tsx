// The open queries.
import { pick, useGraphiQL, useGraphiQLActions } from "@graphiql/react";
import { Icon } from "./icons";

export function Tabs() {
  const { tabs, activeTabIndex } = useGraphiQL(pick("tabs", "activeTabIndex"));
  const { addTab, changeTab, closeTab, stop } = useGraphiQLActions();
  const nameOf = (title: string) => (title === "<untitled>" ? "Untitled" : title);
  return (
    <ul className="tabs" aria-label="Open queries">
      {tabs.map((t, i) => (
        <li key={t.id} className={i === activeTabIndex ? "active" : ""}>
          <button type="button" className="tab" aria-current={i === activeTabIndex ? "true" : undefined} onClick={() => i !== activeTabIndex && changeTab(i)}>{nameOf(t.title)}</button>
          {tabs.length > 1 && <button type="button" className="close" aria-label={`Close ${nameOf(t.title)}`} onClick={() => closeTab(i)}><Icon name="close" /></button>}
        </li>
      ))}
      <li><button type="button" className="close" aria-label="New query" title="New query" onClick={() => { stop(); addTab(); }}><Icon name="add" /></button></li>
    </ul>
  );
}
