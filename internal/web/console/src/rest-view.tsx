// The REST endpoints that return the data of the query.
import { useGraphiQL } from "@graphiql/react";
import { parse, type GraphQLSchema } from "graphql";
import { useEffect, useMemo, useState } from "react";
import { CopyButton } from "./copy-button";
import { jsonText } from "./json";
import { restRequests, type Endpoint, type RestRequest, type RootField } from "./rest";
import { variablesOf } from "./parse";

export function RestView({ query, variables, operationName }: { query: string; variables: string; operationName: string | null }) {
  const endpoints = useEndpoints();
  const schema = useGraphiQL((state) => state.schema);
  const roots = useMemo(() => requestsOf(query, variables, operationName, endpoints, schema), [query, variables, operationName, endpoints, schema]);
  if (typeof endpoints === "string") return <p className="hint">{endpoints}</p>;
  if (typeof roots === "string") return <p className="hint">{roots}</p>;
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="REST endpoints">
      <p className="hint">Every /v3 endpoint runs one fixed GraphQL query. These return the data of yours:</p>
      {roots.map((root, i) => (
        <section key={i} className="root">
          <h2><code>{root.field}</code></h2>
          {root.requests.length === 0 && <p>Not available over REST.</p>}
          {root.requests.map((r) => <RequestView key={r.endpoint.method + r.endpoint.path} request={r} />)}
        </section>
      ))}
    </div>
  );
}

function RequestView({ request }: { request: RestRequest }) {
  const { method } = request.endpoint;
  return (
    <div className="rest-request">
      <p>
        <b>{method}</b> {method === "GET" && request.complete ? <a href={request.target} target="_blank" rel="noreferrer"><code>{request.target}</code></a> : <code>{request.target}</code>}
        {" "}<CopyButton text={request.target} />
      </p>
      {request.body !== undefined && <pre>{jsonText(request.body, 2)}</pre>}
      {request.unsupported.length > 0 && <p>Arguments without a REST equivalent: {names(request.unsupported)}.</p>}
      <p>{request.missing.length === 0 ? "Returns every field of the query." : <>Not available over REST: {names(request.missing)}.</>}</p>
      <p>Operation: <code>{request.endpoint.operation}</code></p>
    </div>
  );
}

function names(all: string[]) {
  return all.map((name, i) => <span key={name}>{i > 0 && ", "}<code>{name}</code></span>);
}

function requestsOf(query: string, variables: string, operationName: string | null, endpoints: Endpoint[] | string, schema?: GraphQLSchema | null): RootField[] | string {
  if (typeof endpoints === "string") return [];
  try {
    const roots = restRequests(parse(query), operationName, variablesOf(variables), endpoints, schema);
    return roots.length > 0 ? roots : "The query selects no field of the service.";
  } catch {
    return "The query has a syntax error.";
  }
}

// The endpoints, or a text while they load.
function useEndpoints(): Endpoint[] | string {
  const [endpoints, setEndpoints] = useState<Endpoint[] | string>("Loading the endpoints…");
  useEffect(() => {
    fetch("/playground/endpoints.json")
      .then((r) => (r.ok ? (r.json() as Promise<Endpoint[]>) : Promise.reject(new Error(`status ${r.status}`))))
      .then(setEndpoints, (e: Error) => setEndpoints(`Loading the endpoints failed: ${e.message}.`));
  }, []);
  return endpoints;
}
