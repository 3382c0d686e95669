// A plugin of Swagger UI: the GraphQL operation of an endpoint, what a request costs and how long
// the response is cacheable.
import { consoleLink, endpointFacts, explainLink, type Extensions } from "./docs-texts";

interface System {
  React: { createElement(type: unknown, props: object | null, ...children: unknown[]): unknown };
  specSelectors: { specJson(): { getIn(path: string[]): { toJS(): Extensions } | undefined } };
}

/** graphQLSection puts a section between the parameters and the responses of each endpoint. */
export function graphQLSection(system: System) {
  const h = system.React.createElement;
  return {
    wrapComponents: {
      responses: (Original: unknown) => (props: { path: string; method: string }) => {
        const operation = system.specSelectors.specJson().getIn(["paths", props.path, props.method])?.toJS();
        return h("div", null, operation && section(h, props.path, operation), h(Original, props));
      },
      // An application sends its users to /oauth/authorize itself; its token is pasted as a bearer token.
      oauth2: () => () =>
        h("p", null, "OAuth2: an application sends its users to ", h("code", null, "/oauth/authorize"), " and exchanges the code at ",
          h("code", null, "/v3/oauth/token"), ". To try a request with an access token, paste it as the bearer token."),
    },
  };
}

function section(h: System["React"]["createElement"], path: string, operation: Extensions) {
  const graphql = operation["x-graphql"];
  return h("section", { className: "graphql" },
    h("div", { className: "opblock-section-header" }, h("h4", { className: "opblock-title" }, "GraphQL")),
    h("div", { className: "graphql-body" },
      h("p", null, endpointFacts(operation)),
      graphql && h("p", null, "Operation ", h("b", null, graphql.operation), ", field ", h("code", null, graphql.field), "."),
      h("p", { className: "links" },
        graphql && h("a", { href: consoleLink(graphql) }, "Open in the console"),
        h("a", { href: explainLink(path) }, "Explain the mapping")),
      graphql && h("pre", { tabIndex: 0, "aria-label": "The operation" }, graphql.document)));
}
