// The console: GraphiQL with the query builder and our views of a response.
import { explorerPlugin } from "@graphiql/plugin-explorer";
import "@graphiql/plugin-explorer/style.css";
import { HISTORY_PLUGIN } from "@graphiql/plugin-history";
import { GraphiQL } from "graphiql";
import "graphiql/style.css";
import { fetcher } from "./client";
import { ResponseTools } from "./response";
import "./console.css";
import { examples } from "./examples";

const plugins = [explorerPlugin({ showAttribution: false }), HISTORY_PLUGIN];

// A link may carry an operation, /playground?query=…&variables=…, which opens in a new tab.
const link = new URLSearchParams(location.search);
const query = link.get("query");
const variables = link.get("variables");
const initial = query === null ? {} : { initialQuery: query, ...(variables === null ? {} : { initialVariables: variables }) };
const tabs = query === null ? examples : [{ query, variables }, ...examples];

export function Console() {
  return (
    <GraphiQL fetcher={fetcher} plugins={plugins} defaultTabs={tabs} {...initial}>
      <GraphiQL.Logo>
        <a href="/" className="home">gamedata</a>
      </GraphiQL.Logo>
      <GraphiQL.Footer>
        <ResponseTools />
      </GraphiQL.Footer>
    </GraphiQL>
  );
}
