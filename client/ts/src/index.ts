/**
 * A client of a gamedata service: the REST endpoints under /v3 and the events of GET /events, typed. It uses nothing but
 * fetch, so it runs in browsers, Node.js 20 and later, Deno and Bun.
 */
import { EventStreamParser } from './eventstream.js';
import type { EventData } from './eventdata.js';
import type { paths } from './openapi.js';

export type * from './eventdata.js';
export type { components, paths } from './openapi.js';

export interface Options {
  /** Sent as `Authorization: Bearer`. */
  token?: string;
  /** How often a request is sent again after 429 or 503, and when no server is reached; 3 by default. */
  retries?: number;
  /** The longest wait before a retry, in milliseconds; a minute by default. If the service demands more, its error is thrown. */
  maxWait?: number;
  fetch?: typeof fetch;
}

/** The service rejected a request. */
export class ServiceError extends Error {
  constructor(readonly status: number, readonly body: unknown, message: string) {
    super(message);
    this.name = 'ServiceError';
  }
}

type Method = 'get' | 'post';
type PathsOf<M extends Method> = { [P in keyof paths]: paths[P] extends Record<M, object> ? P : never }[keyof paths];
type Operation<P extends keyof paths, M extends Method> = paths[P] extends Record<M, infer O> ? O : never;
type Member<T, K extends string> = K extends keyof T ? NonNullable<T[K]> : never;
type Parameter<O, In extends string> = Member<Member<O, 'parameters'>, In>;
type Body<O> = Member<Member<Member<O, 'requestBody'>, 'content'>, 'application/json'>;
/** Optional keys are left out where an operation does not have them. */
type Part<Key extends string, T> = [T] extends [never] ? unknown : Partial<T> extends T ? { [K in Key]?: T } : { [K in Key]: T };

export type Request<P extends keyof paths, M extends Method> = Part<'path', Parameter<Operation<P, M>, 'path'>> &
  Part<'query', Parameter<Operation<P, M>, 'query'>> &
  Part<'body', Body<Operation<P, M>>> & { signal?: AbortSignal };

/** The body of a response with status 200. */
export type Result<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { responses: { 200: { content: { 'application/json': infer T } } } } ? T : never;

type Arguments<R> = Partial<R> extends R ? [request?: R] : [request: R];

/** Something that happened, as GET /events delivers it. */
export type GameEvent<T extends keyof EventData = keyof EventData> = {
  [K in T]: { id: string; type: K; at: string; data: EventData[K] };
}[T];

export interface EventFilter<T extends keyof EventData> {
  types?: readonly T[];
  /** Uuids; events that name one of them. */
  players?: readonly string[];
  guilds?: readonly string[];
  territories?: readonly string[];
  worlds?: readonly string[];
  /** Id of an event: the stream begins with what followed it. */
  after?: string;
  signal?: AbortSignal;
}

interface Plain {
  path?: Record<string, string | number>;
  query?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
}

export class Client {
  private readonly base: string;
  private readonly options: Required<Omit<Options, 'token'>> & Pick<Options, 'token'>;

  /** @param url address of the service, such as https://data.example */
  constructor(url: string, options: Options = {}) {
    this.base = url.replace(/\/+$/, '');
    this.options = { retries: 3, maxWait: 60_000, fetch: globalThis.fetch.bind(globalThis), ...options };
  }

  /** Requests an endpoint of /v3: `client.get('/player/{username}', { path: { username: 'Salted' } })`. */
  get<P extends PathsOf<'get'>>(path: P, ...[request]: Arguments<Request<P, 'get'>>): Promise<Result<P, 'get'>> {
    return this.call('GET', path, request) as Promise<Result<P, 'get'>>;
  }

  /** Posts to an endpoint of /v3: `client.post('/item/search', { body: { levelRange: [1, 20] } })`. */
  post<P extends PathsOf<'post'>>(path: P, ...[request]: Arguments<Request<P, 'post'>>): Promise<Result<P, 'post'>> {
    return this.call('POST', path, request) as Promise<Result<P, 'post'>>;
  }

  /**
   * Delivers events until the signal aborts, and connects again by itself: `for await (const event of client.events())`.
   * An event that comes again after reconnecting is left out. ServiceError when the service rejects the request.
   */
  async *events<T extends keyof EventData>(filter: EventFilter<T> = {}): AsyncGenerator<GameEvent<T>, void, undefined> {
    const { signal, after, ...lists } = filter;
    const query = new URLSearchParams(Object.entries(lists).map(([name, list]) => [name, list.join(',')]));
    const seen = new Set<string>();
    let last = after;
    while (!signal?.aborted) {
      const parser = new EventStreamParser();
      try {
        const headers: Record<string, string> = last === undefined ? {} : { 'Last-Event-ID': last };
        const response = await this.send(`/events?${query}`, { headers, ...(signal && { signal }) });
        for await (const event of parser.events(response)) {
          last = event.id ?? last;
          if (event.type === 'end' || event.type === 'reconnect') {
            const body = JSON.parse(event.data) as { reason: string };
            if (body.reason === 'INVALID_TOKEN') throw new ServiceError(401, body, 'the token is not valid any more');
            break;
          }
          if (event.data === '' || seen.has(event.id ?? '')) continue;
          remember(seen, event.id ?? '');
          yield JSON.parse(event.data) as GameEvent<T>;
        }
      } catch (error) {
        if (signal?.aborted) return;
        if (error instanceof ServiceError) throw error;
      }
      await sleep(parser.retry, signal);
    }
  }

  private async call(method: string, template: string, request: Plain = {}): Promise<unknown> {
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(request.path?.[name])));
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) query.append(name, String(value));
    }
    const init: RequestInit = { method, ...(request.signal && { signal: request.signal }) };
    if (request.body !== undefined) {
      init.body = JSON.stringify(request.body);
      init.headers = { 'Content-Type': 'application/json' };
    }
    const response = await this.send(`/v3${path}${query.size > 0 ? `?${query}` : ''}`, init);
    return response.json();
  }

  /** Sends a request, and again when the service says when. ServiceError when the response is no success. */
  private async send(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.options.token !== undefined) headers.set('Authorization', `Bearer ${this.options.token}`);
    for (let attempt = 0; ; attempt++) {
      let wait = 1000 * 2 ** attempt;
      try {
        const response = await this.options.fetch(this.base + path, { ...init, headers });
        if (response.ok) return response;
        const text = await response.text();
        const after = response.headers.get('Retry-After');
        const again = (response.status === 429 || response.status === 503) && after !== null;
        wait = Number(after) * 1000;
        if (!again || attempt >= this.options.retries || wait > this.options.maxWait) {
          throw new ServiceError(response.status, parsed(text), `${response.status} ${path}: ${text.slice(0, 200)}`);
        }
      } catch (error) {
        if (error instanceof ServiceError || init.signal?.aborted || attempt >= this.options.retries) throw error;
      }
      await sleep(wait, init.signal ?? undefined);
    }
  }
}

/** How many ids of events are remembered to drop repeated events. */
const maxSeen = 5000;

function remember(seen: Set<string>, id: string): void {
  seen.add(id);
  for (const oldest of seen) {
    if (seen.size <= maxSeen) break;
    seen.delete(oldest);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => { clearTimeout(timer); resolve(); }, { once: true });
  });
}
