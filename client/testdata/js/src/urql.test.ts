// urql with graphcache, which knows the schema: entities by their id, pages joined by relayPagination.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Client, fetchExchange, gql } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import type { IntrospectionQuery } from 'graphql';
import { endpoint } from './url';

const ITEMS = gql`
  query UrqlItems($after: String) {
    items(first: 5, after: $after) {
      __typename
      edges { __typename cursor node { __typename id internalName displayName } }
      pageInfo { __typename hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
`;
const NODE = gql`query UrqlNode($id: ID!) { node(id: $id) { __typename id ... on Item { displayName } } }`;

test('a page, the next page, and an entity from the cache', async () => {
  const warnings: string[] = [];
  const client = new Client({
    url: endpoint,
    preferGetMethod: false,
    exchanges: [
      cacheExchange({
        schema: JSON.parse(await readFile('.out/schema.json', 'utf8')) as IntrospectionQuery,
        resolvers: {
          Query: {
            items: relayPagination(),
            node: (_parent, { id }) => ({ __typename: 'Item', id: id as string }),
          },
        },
        // The pieces of an entity that have no id of their own.
        logger: (severity, message) => { if (severity !== 'debug') warnings.push(message); },
      }),
      fetchExchange,
    ],
  });
  const first = await client.query(ITEMS, {}).toPromise();
  assert.equal(first.error, undefined);
  const after = first.data.items.pageInfo.endCursor as string;
  const both = await client.query(ITEMS, { after }).toPromise();
  assert.equal(both.error, undefined);
  const ids = both.data.items.edges.map((edge: { node: { id: string } }) => edge.node.id) as string[];
  assert.equal(new Set(ids).size, 10);
  const cached = await client.query(NODE, { id: ids[6] }, { requestPolicy: 'cache-only' }).toPromise();
  assert.equal(cached.data?.node.id, ids[6]);
  assert.ok(cached.data?.node.displayName);
  assert.deepEqual(warnings, []);
});
