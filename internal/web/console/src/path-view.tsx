// Which documented path gives what the query asks.
import { useGraphiQL } from "@graphiql/react";
import { parse, type GraphQLSchema } from "graphql";
import { useEffect, useMemo, useState } from "react";
import { CopyButton } from "./copy";
import { jsonText } from "./exact";
import { waysOf, type Endpoint, type Root, type Way } from "./paths";
import { variablesOf } from "./variables";

export function PathView({ query, variables, operationName }: { query: string; variables: string; operationName: string | null }) {
  const endpoints = useEndpoints();
  const schema = useGraphiQL((state) => state.schema);
  const roots = useMemo(() => ways(query, variables, operationName, endpoints, schema), [query, variables, operationName, endpoints, schema]);
  if (typeof endpoints === "string") return <p className="hint">{endpoints}</p>;
  if (typeof roots === "string") return <p className="hint">{roots}</p>;
  return (
    <div className="scroll" tabIndex={0}>
      <p className="hint">Every path under /v3 is one fixed operation on the same engine. These answer what the query asks:</p>
      {roots.map((root, i) => (
        <section key={i} className="root">
          <h3><code>{root.field}</code></h3>
          {root.ways.length === 0 && <p>No path: this field is answered by GraphQL alone.</p>}
          {root.ways.map((way) => <WayView key={way.endpoint.method + way.endpoint.path} way={way} />)}
        </section>
      ))}
    </div>
  );
}

function WayView({ way }: { way: Way }) {
  const { method } = way.endpoint;
  return (
    <div className="way">
      <p>
        <b>{method}</b> {method === "GET" && way.complete ? <a href={way.target} target="_blank" rel="noreferrer"><code>{way.target}</code></a> : <code>{way.target}</code>}
        {" "}<CopyButton text={way.target} />
      </p>
      {way.body !== undefined && <pre>{jsonText(way.body, 2)}</pre>}
      {way.refused.length > 0 && <p>It does not take {names(way.refused)}.</p>}
      <p>{way.missing.length === 0 ? "It answers every field of the query." : <>It lacks {names(way.missing)}.</>} Operation <code>{way.endpoint.operation}</code>.</p>
    </div>
  );
}

function names(all: string[]) {
  return all.map((name, i) => <span key={name}>{i > 0 && ", "}<code>{name}</code></span>);
}

function ways(query: string, variables: string, operationName: string | null, endpoints: Endpoint[] | string, schema?: GraphQLSchema | null): Root[] | string {
  if (typeof endpoints === "string") return [];
  try {
    const roots = waysOf(parse(query), operationName, variablesOf(variables), endpoints, schema);
    return roots.length > 0 ? roots : "The query asks no field of the service.";
  } catch {
    return "The query cannot be read yet.";
  }
}

// The endpoints, or a sentence while there are none.
function useEndpoints(): Endpoint[] | string {
  const [endpoints, set] = useState<Endpoint[] | string>("The paths are loading.");
  useEffect(() => {
    fetch("/playground/paths.json")
      .then((r) => (r.ok ? (r.json() as Promise<Endpoint[]>) : Promise.reject(new Error(`status ${r.status}`))))
      .then(set, (e: Error) => set(`The paths cannot be loaded: ${e.message}.`));
  }, []);
  return endpoints;
}
