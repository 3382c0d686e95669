// The client of /graphql. It remembers the rate limit of the last response.
import type { Fetcher } from "@graphiql/toolkit";
import { parseExact } from "./json";
import { limitsOf, type Limits } from "./limits";

export const endpoint = "/graphql";

let last: Limits | null = null;
const listeners = new Set<() => void>();

/** The limits of the last response, as a store for useSyncExternalStore. */
export const limits = {
  get: () => last,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

/** fetcher sends an operation; the browser adds the session cookie. */
export const fetcher: Fetcher = async (params, options) => {
  const response = await fetch(endpoint, {
    method: "POST",
    // Mutations with a session require X-Requested-With, which no page of another site can send.
    headers: { "Content-Type": "application/json", "X-Requested-With": "console", ...options?.headers },
    body: JSON.stringify({ ...params, operationName: operationNameIn(params.query, params.operationName) }),
  });
  last = limitsOf(response.headers) ?? last;
  for (const listener of listeners) listener();
  const text = await response.text();
  try {
    return parseExact(text) as never;
  } catch {
    throw new Error(`The response has status ${response.status} and is not JSON: ${text.slice(0, 200)}`);
  }
};

// Right after a change of tabs GraphiQL still sends the operation name of the previous tab.
function operationNameIn(query: string, name: string | null | undefined): string | undefined {
  return name && new RegExp(`\\b(?:query|mutation|subscription)\\s+${name}\\b`).test(query) ? name : undefined;
}
