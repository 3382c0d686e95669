// graphql-ws and graphql-sse: the demo world goes on by itself, so that a subscription to all events receives some.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient as createSSE } from 'graphql-sse';
import { createClient as createWS } from 'graphql-ws';
import { endpoint } from './url';

interface Happened { events: { id: string; at: string; __typename: string } }

const query = 'subscription Happened($after: ID) { events(after: $after) { __typename id at } }';

const sockets = () => createWS({
  url: endpoint.replace(/^http/, 'ws'),
  webSocketImpl: require('ws') as unknown,
  lazyCloseTimeout: 0,
});

// Both clients send the same request again when the connection is lost: it has the last id received.
async function receive(client: { iterate: ReturnType<typeof createSSE>['iterate'] }, after?: string) {
  const ids: string[] = [];
  const variables: Record<string, unknown> = after === undefined ? {} : { after };
  for await (const result of client.iterate<Happened>({ query, variables })) {
    assert.equal(result.errors, undefined);
    assert.ok(result.data);
    const { id } = result.data.events;
    if (!ids.includes(id)) ids.push(id);
    variables['after'] = id;
    if (ids.length === 3) break;
  }
  return ids;
}

for (const [name, open] of [
  ['graphql-sse', () => createSSE({ url: endpoint })],
  ['graphql-ws', () => sockets() as unknown as ReturnType<typeof createSSE>],
] as const) {
  test(`${name} receives events, and continues after one`, { timeout: 60_000 }, async () => {
    const client = open();
    const ids = await receive(client);
    assert.equal(new Set(ids).size, 3);
    const more = await receive(client, ids[0]);
    assert.ok(more.every((id) => id !== ids[0]));
    client.dispose();
  });

  test(`${name} receives errors`, { timeout: 60_000 }, async () => {
    const client = open();
    let text = '';
    try {
      for await (const result of client.iterate({ query: 'subscription { events(after: "x") { id } }' })) {
        text += JSON.stringify(result);
      }
    } catch (error) {
      text += JSON.stringify(error);
    }
    assert.match(text, /INVALID_QUERY_PARAMS/);
    client.dispose();
  });
}

test('graphql-ws runs queries, and several operations at once', { timeout: 60_000 }, async () => {
  const client = sockets();
  const kinds = await Promise.all([1, 2, 3].map(async () => {
    for await (const result of client.iterate<{ viewer: { kind: string } }>({ query: '{ viewer { kind } }' })) {
      return result.data?.viewer.kind;
    }
    return undefined;
  }));
  assert.deepEqual(kinds, ['GUEST', 'GUEST', 'GUEST']);
  await client.dispose();
});
