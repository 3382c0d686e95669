// The console: GraphiQL's editors, schema documentation, query builder and history, in our frame.
import { DOC_EXPLORER_PLUGIN, DocExplorerStore } from "@graphiql/plugin-doc-explorer";
import { HistoryStore } from "@graphiql/plugin-history";
import { GraphiQLProvider, pick, Tooltip, useGraphiQL, useGraphiQLActions, useMonaco } from "@graphiql/react";
import "graphiql/style.css";
import { useEffect, useMemo, useRef, useState } from "react";
import { fetcher, readVariablesFrom } from "./client";
import "./console.css";
import { Editors, RunButton } from "./editors";
import { ExamplesPanel } from "./examples-panel";
import { isExample } from "./examples";
import { FrameContext, useSmall, type Part } from "./frame";
import { Icon, type IconName } from "./icons";
import { linkIn, linkTo, shownIn, type Shown } from "./link";
import { useOpen } from "./open";
import { BuilderPanel, HistoryPanel } from "./plugin-panels";
import { Response } from "./response";
import { Split } from "./split";
import { firstTabs, isSafe } from "./start";
import { Tabs } from "./tabs";
import { useEditorTheme } from "./theme";

const panel = (title: string, icon: IconName, content: () => React.ReactNode) => ({ title, icon: () => <Icon name={icon} />, content });
const schemaPanel = { ...DOC_EXPLORER_PLUGIN, title: "Schema", icon: () => <Icon name="schema" /> };
const panels = [
  panel("Examples", "examples", ExamplesPanel),
  schemaPanel,
  panel("Builder", "builder", BuilderPanel),
  panel("History", "history", HistoryPanel),
];

export function Console() {
  const [start] = useState(firstTabs);
  return (
    <GraphiQLProvider fetcher={fetcher} plugins={panels} referencePlugin={schemaPanel} {...start}>
      <HistoryStore>
        <DocExplorerStore>
          <Tooltip.Provider>
            <Frame />
          </Tooltip.Provider>
        </DocExplorerStore>
      </HistoryStore>
    </GraphiQLProvider>
  );
}

function Frame() {
  const [shown, setShown] = useState(() => shownIn(location.search, location.hash));
  const [part, setPart] = useState<Part>("Query");
  const frame = useMemo(() => ({ setShown, setPart }), []);
  return <FrameContext value={frame}><Areas shown={shown} onShow={setShown} part={part} onPart={setPart} /></FrameContext>;
}

interface AreasProps {
  shown: Shown;
  onShow: (shown: Shown) => void;
  part: Part;
  onPart: (part: Part) => void;
}

function Areas({ shown, onShow, part, onPart }: AreasProps) {
  const { visiblePlugin: visible, schema, isFetching } = useGraphiQL(pick("visiblePlugin", "schema", "isFetching"));
  const { setVisiblePlugin } = useGraphiQLActions();
  const small = useSmall();
  useEditorTheme();
  useAddress(shown, onShow);
  useFirstRun();
  useEffect(() => {
    if (isFetching) onPart("Result");
  }, [isFetching, onPart]);
  const Content = visible?.content;
  return (
    <div className="console graphiql-container" aria-busy={!schema}>
      <ul className="rail" aria-label="Side panels">
        {panels.map((p) => (
          <li key={p.title}>
            <button type="button" aria-expanded={visible === p} aria-controls="panel" onClick={() => setVisiblePlugin(visible === p ? null : p)}>
              <p.icon />
              {p.title}
            </button>
          </li>
        ))}
      </ul>
      <Split
        name="panel" label="Width of the side panel" direction="row" initial={26} min={16} max={50}
        first={visible && Content ? (
          <section id="panel" className="panel" aria-label={`${visible.title} panel`}>
            <button type="button" className="close" aria-label={`Close ${visible.title}`} onClick={() => setVisiblePlugin(null)}><Icon name="close" /></button>
            <Content />
          </section>
        ) : null}
        second={
          <div className="work" data-part={part}>
            <Tabs />
            {small && (
              <div className="parts" role="group" aria-label="Query or result">
                {(["Query", "Result"] as const).map((p) => <button key={p} type="button" aria-pressed={p === part} onClick={() => onPart(p)}>{p}</button>)}
                <span className="space" />
                <RunButton />
              </div>
            )}
            <Split name="response" label="Width of the query" direction="row" initial={48} min={20} max={80} first={<Editors shown={shown} />} second={<Response shown={shown} onShow={onShow} />} />
          </div>
        }
      />
    </div>
  );
}

// useAddress keeps the address of the page at the query of the active tab and its view, and opens links that are followed
// while the console is open.
function useAddress(shown: Shown, onShow: (shown: Shown) => void) {
  const { query, variables } = useGraphiQL((state) => ({ query: state.tabs[state.activeTabIndex]?.query ?? "", variables: state.tabs[state.activeTabIndex]?.variables ?? "" }));
  useEffect(() => history.replaceState(null, "", location.pathname + (linkTo({ query, variables }, shown) ?? "")), [query, variables, shown]);
  const open = useRef(useOpen());
  open.current = useOpen();
  useEffect(() => {
    const follow = () => {
      const link = linkIn("", location.hash);
      if (!link) return;
      open.current(link);
      onShow(shownIn("", location.hash));
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [onShow]);
}

// useFirstRun runs the query that the console opens with, so that the first thing to see is a response: an unedited
// example, or a query from a link of our own pages. Links from elsewhere run when the user says so.
function useFirstRun() {
  const { queryEditor, variableEditor, responseEditor } = useGraphiQL(pick("queryEditor", "variableEditor", "responseEditor"));
  const monaco = useMonaco((state) => state.monaco);
  const { run } = useGraphiQLActions();
  const done = useRef(false);
  const ready = Boolean(monaco && queryEditor && variableEditor && responseEditor);
  useEffect(() => {
    if (!ready || done.current) return;
    done.current = true;
    readVariablesFrom(variableEditor!);
    const query = queryEditor?.getValue() ?? "";
    const ours = document.referrer.startsWith(location.origin + "/");
    if (isSafe(query) && (isExample(query) || ours)) run();
  }, [ready, queryEditor, variableEditor, run]);
}
