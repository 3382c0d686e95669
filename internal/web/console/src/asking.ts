// Asking /graphql, and remembering what the headers of the last answer told.
import type { Fetcher } from "@graphiql/toolkit";
import { parseExact } from "./exact";
import { limitsOf, type Limits } from "./limits";

export const address = "/graphql";

let last: Limits | null = null;
const listeners = new Set<() => void>();

/** The limits of the last answer, as a store for useSyncExternalStore. */
export const limits = {
  get: () => last,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

/** ask sends an operation as the signed-in user, if there is one: the browser adds its cookie. */
export const ask: Fetcher = async (params, options) => {
  const response = await fetch(address, {
    method: "POST",
    // Mutations of a signed-in user want the second one: no page of another site can send it.
    headers: { "Content-Type": "application/json", "X-Requested-With": "console", ...options?.headers },
    body: JSON.stringify({ ...params, operationName: named(params.query, params.operationName) }),
  });
  last = limitsOf(response.headers) ?? last;
  for (const listener of listeners) listener();
  const text = await response.text();
  try {
    return parseExact(text) as never;
  } catch {
    throw new Error(`The answer has status ${response.status} and is not JSON: ${text.slice(0, 200)}`);
  }
};

// Right after a change of tabs GraphiQL still knows the operation of the tab before.
function named(query: string, name: string | null | undefined): string | undefined {
  return name && new RegExp(`\\b(?:query|mutation|subscription)\\s+${name}\\b`).test(query) ? name : undefined;
}
