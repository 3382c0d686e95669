// The client of /graphql: requests, subscriptions, and what the last response was like.
import type { Fetcher, FetcherParams, FetcherOpts } from "@graphiql/toolkit";
import { getOperationAST, parse } from "graphql";
import { jsonText, parseExact } from "./json";
import { limitsOf, type Limits } from "./limits";
import { variablesOf } from "./parse";
import { EventParser, withEvent, type Shown } from "./sse";

export const endpoint = "/graphql";

/** What is known of the last response, besides its body. */
export interface Exchange {
  status: number;
  /** Milliseconds from the request to the end of the body. */
  ms: number;
  /** Bytes of the body, decompressed. */
  bytes: number;
  /** Received events; null if the operation is no subscription. */
  events: number | null;
  limits: Limits | null;
}

let last: Exchange | null = null;
const listeners = new Set<() => void>();

function publish(exchange: Exchange | null) {
  last = exchange;
  for (const listener of listeners) listener();
}

/** The last exchange, null while a request is on its way, as a store for useSyncExternalStore. */
export const exchanges = {
  get: () => last,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

interface Observer {
  next(result: unknown): void;
  error(error: unknown): void;
  complete(): void;
}

// GraphiQL rounds the numbers of the variables that it passes on, so they are read from its editor.
let typedVariables = () => "";
export const readVariablesFrom = (editor: { getValue(): string }) => void (typedVariables = () => editor.getValue());

/** fetcher sends an operation; the browser adds the session cookie. Unsubscribing ends the request. */
export const fetcher = ((params: FetcherParams, options?: FetcherOpts) => ({
  subscribe(observer: Observer) {
    const abort = new AbortController();
    run(params, options?.headers ?? {}, abort.signal, (result) => abort.signal.aborted || observer.next(result)).then(
      () => observer.complete(),
      (error: unknown) => abort.signal.aborted || observer.error(error),
    );
    return { unsubscribe: () => abort.abort() };
  },
})) as unknown as Fetcher;

async function run(params: FetcherParams, headers: Record<string, string>, signal: AbortSignal, next: (result: unknown) => void) {
  const operationName = operationNameIn(params.query, params.operationName);
  const streamed = isSubscription(params.query, operationName);
  const start = performance.now();
  const ours = operationName === "IntrospectionQuery"; // of the console itself
  if (!ours) publish(null);
  const variables = params.variables ? variablesOf(typedVariables()) : undefined;
  const response = await post({ ...params, variables, operationName }, { ...(streamed ? { Accept: "text/event-stream" } : {}), ...headers }, signal);
  const facts = (bytes: number, events: number | null) => {
    if (!ours && !signal.aborted) publish({ status: response.status, ms: performance.now() - start, bytes, events, limits: limitsOf(response.headers) });
  };
  if (response.body && response.headers.get("Content-Type")?.startsWith("text/event-stream")) return receive(response.body, facts, next);
  const text = await response.text();
  facts(new Blob([text]).size, null);
  next(parsed(text, response.status));
}

/** post sends a request to /graphql. Mutations with a session require X-Requested-With, which no page of another site can send. */
export const post = (body: object, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(endpoint, { method: "POST", headers: { "Content-Type": "application/json", "X-Requested-With": "console", ...headers }, body: jsonText(body), signal: signal ?? null });

// receive shows the events of a stream, the first one at once, then at most four times a second.
async function receive(body: ReadableStream<Uint8Array>, facts: (bytes: number, events: number) => void, next: (result: unknown) => void) {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  const parser = new EventParser();
  let shown: Shown = { events: [] };
  let [bytes, count, timer] = [0, 0, 0];
  const show = () => {
    timer = 0;
    facts(bytes, count);
    next(shown);
  };
  show();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      bytes += piece.value.length;
      const before = count;
      for (const { event, data } of parser.push(piece.value)) {
        if (event === "complete") return;
        if (event !== "next") continue;
        count++;
        shown = withEvent(shown, parsed(data, 200) as object, new Date());
      }
      if (before === 0 && count > 0) show();
      else if (count > before && timer === 0) timer = setTimeout(show, 250) as unknown as number;
    }
  } finally {
    clearTimeout(timer);
    if (count > 0) show();
    reader.cancel().catch(() => {}); // it may have ended already
  }
}

function parsed(text: string, status: number): unknown {
  try {
    return parseExact(text);
  } catch {
    throw new Error(`The response has status ${status} and is not JSON: ${text.slice(0, 200)}`);
  }
}

// Right after a change of tabs GraphiQL still sends the operation name of the previous tab.
function operationNameIn(query: string, name: string | null | undefined): string | undefined {
  return name && new RegExp(`\\b(?:query|mutation|subscription)\\s+${name}\\b`).test(query) ? name : undefined;
}

/** isSubscription reports whether the operation with a name, else the only one, is a subscription. */
export function isSubscription(query: string, operationName: string | undefined): boolean {
  try {
    return getOperationAST(parse(query), operationName)?.operation === "subscription";
  } catch {
    return false; // the service reports the error
  }
}
