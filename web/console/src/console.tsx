// The console: GraphiQL with the query builder, and what the service adds to an answer.
import { explorerPlugin } from "@graphiql/plugin-explorer";
import "@graphiql/plugin-explorer/style.css";
import { HISTORY_PLUGIN } from "@graphiql/plugin-history";
import { GraphiQL } from "graphiql";
import "graphiql/style.css";
import { ask } from "./asking";
import { AnswerTools } from "./answer";
import "./console.css";
import { examples } from "./examples";

const plugins = [explorerPlugin({ showAttribution: false }), HISTORY_PLUGIN];

// A link may bring an operation: /playground?query=…&variables=….
const link = new URLSearchParams(location.search);
const brought = { ...text("query", "initialQuery"), ...text("variables", "initialVariables") };

function text(parameter: string, prop: string): Record<string, string> {
  const value = link.get(parameter);
  return value === null ? {} : { [prop]: value };
}

export function Console() {
  return (
    <GraphiQL fetcher={ask} plugins={plugins} defaultTabs={examples} {...brought}>
      <GraphiQL.Logo>
        <a href="/" className="home">gamedata</a>
      </GraphiQL.Logo>
      <GraphiQL.Footer>
        <AnswerTools />
      </GraphiQL.Footer>
    </GraphiQL>
  );
}
