// The editors of the query, its variables and headers, with their tools.
import { HeaderEditor, pick, QueryEditor, useGraphiQL, useGraphiQLActions, useMonaco, VariableEditor } from "@graphiql/react";
import { useEffect, useRef, useState } from "react";
import { useSmall } from "./frame";
import { Icon } from "./icons";
import { linkTo, type Shown } from "./link";
import { priceOf, priceText } from "./price";
import { saveSetting, setting } from "./settings";
import { Split } from "./split";

type Extra = "variables" | "headers";

export function Editors({ shown }: { shown: Shown }) {
  const loaded = useMonaco((state) => Boolean(state.monaco));
  const { initialQuery, initialVariables } = useGraphiQL(pick("initialQuery", "initialVariables"));
  const [extra, setExtra] = useState<Extra | null>(initialVariables.trim() === "" ? null : "variables");
  const withHeaders = useRef(false); // an editor takes long to create: few people need this one
  withHeaders.current ||= extra === "headers";
  return (
    <section className="editors" aria-label="Query">
      <Toolbar shown={shown} />
      <Split
        name="variables" label="Height of the query" direction="column" initial={70} min={20} max={90}
        first={loaded ? <QueryEditor className="query-editor" /> : <pre className="query-editor loading" aria-busy="true">{initialQuery}</pre>}
        second={
          <div className={extra ? "extra" : "extra closed"}>
            <div className="bar" role="group" aria-label="Variables and headers">
              {(["variables", "headers"] as const).map((e) => (
                <button key={e} type="button" aria-expanded={extra === e} onClick={() => setExtra(extra === e ? null : e)}>{e === "variables" ? "Variables" : "Headers"}</button>
              ))}
            </div>
            {loaded && <VariableEditor className={extra === "variables" ? "" : "hidden"} />}
            {loaded && withHeaders.current && <HeaderEditor className={extra === "headers" ? "" : "hidden"} />}
          </div>
        }
      />
    </section>
  );
}

function Toolbar({ shown }: { shown: Shown }) {
  const { operations, operationName, tabs, activeTabIndex } = useGraphiQL(pick("operations", "operationName", "tabs", "activeTabIndex"));
  const { query, variables } = tabs[activeTabIndex] ?? {};
  const { prettifyEditors, setOperationName } = useGraphiQLActions();
  const small = useSmall();
  const named = operations?.filter((o) => o.name) ?? [];
  return (
    <div className="bar tools" role="group" aria-label="Tools">
      {!small && <RunButton />}
      {named.length > 1 && (
        <select aria-label="Operation to run" value={operationName ?? ""} onChange={(e) => setOperationName(e.target.value)}>
          {named.map((o) => <option key={o.name!.value}>{o.name!.value}</option>)}
        </select>
      )}
      <Price query={query ?? ""} variables={variables ?? ""} operationName={operationName ?? null} />
      <span className="space" />
      <button type="button" title="Shift+Ctrl+P" onClick={() => void prettifyEditors()}>Format</button>
      <WrapButton />
      <ShareButton link={linkTo({ query: query ?? "", variables: variables ?? "" }, shown)} />
    </div>
  );
}

export function RunButton() {
  const { isFetching, subscription } = useGraphiQL(pick("isFetching", "subscription"));
  const { run, stop } = useGraphiQLActions();
  const running = isFetching || subscription !== null;
  return <button type="button" className="run" title="Ctrl+Enter" onClick={() => (running ? stop() : run())}><Icon name={running ? "stop" : "run"} />{running ? "Stop" : "Run"}</button>;
}

const priceDelay = 800; // ms without an edit

// Price shows what a run of the query would cost.
function Price({ query, variables, operationName }: { query: string; variables: string; operationName: string | null }) {
  const [price, setPrice] = useState<Record<string, number> | null>(null);
  useEffect(() => {
    let edited = false;
    const timer = setTimeout(() => void priceOf(query, variables, operationName).then((p) => edited || setPrice(p)), priceDelay);
    return () => {
      clearTimeout(timer);
      edited = true;
      setPrice(null);
    };
  }, [query, variables, operationName]);
  return <span className="price" title="What a run would be charged, by bucket">{price && priceText(price)}</span>;
}

const look = {
  fontSize: 14, fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace", wrappingIndent: "indent",
  unicodeHighlight: { ambiguousCharacters: false }, // texts contain ’ and –
} as const;

function WrapButton() {
  const { queryEditor, variableEditor, headerEditor, responseEditor } = useGraphiQL(pick("queryEditor", "variableEditor", "headerEditor", "responseEditor"));
  const [wrap, setWrap] = useState(setting("console:wrap") !== "off");
  useEffect(() => {
    for (const editor of [queryEditor, variableEditor, headerEditor, responseEditor]) editor?.updateOptions({ ...look, wordWrap: wrap ? "on" : "off" });
  }, [wrap, queryEditor, variableEditor, headerEditor, responseEditor]);
  const toggle = () => {
    setWrap(!wrap);
    saveSetting("console:wrap", wrap ? "off" : "on");
  };
  return <button type="button" aria-pressed={wrap} title="Wrap long lines" onClick={toggle}>Wrap</button>;
}

function ShareButton({ link }: { link: string | null }) {
  const [result, setResult] = useState({ link: "", text: "" });
  const share = async () => {
    try {
      await navigator.clipboard.writeText(location.origin + location.pathname + link);
      setResult({ link: link!, text: "Link copied" });
    } catch {
      setResult({ link: link!, text: "Copy the address" }); // it has the link
    }
  };
  if (link === null) return <button type="button" disabled title="The query is too long for a link. Save it instead.">Share</button>;
  return <button type="button" title="Copy a link to this query and its view" onClick={() => void share()}><span role="status">{result.link === link && link !== "" ? result.text : "Share"}</span></button>;
}
