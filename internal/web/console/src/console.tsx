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

// A link may bring an operation, /playground?query=…&variables=…: it gets a tab of its own.
const link = new URLSearchParams(location.search);
const query = link.get("query");
const variables = link.get("variables");
const brought = query === null ? {} : { initialQuery: query, ...(variables === null ? {} : { initialVariables: variables }) };
const tabs = query === null ? examples : [{ query, variables }, ...examples];

export function Console() {
  return (
    <GraphiQL fetcher={ask} plugins={plugins} defaultTabs={tabs} {...brought}>
      <GraphiQL.Logo>
        <a href="/" className="home">gamedata</a>
      </GraphiQL.Logo>
      <GraphiQL.Footer>
        <AnswerTools />
      </GraphiQL.Footer>
    </GraphiQL>
  );
}
