// graphql-codegen: typed documents, checked by tsc with every strict option.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { graphql } from './gql';
import { endpoint } from './url';

const itemsDocument = graphql(`
  query CodegenItems($first: Int!, $after: String) {
    items(first: $first, after: $after) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes { id internalName type { key } requirements { level } identifications { key raw } }
    }
  }
`);

const itemDocument = graphql(`
  query CodegenItem($by: ItemBy!) {
    item(by: $by) { id displayName sets { name } }
  }
`);

async function execute<R, V>(document: TypedDocumentNode<R, V>, variables: V): Promise<R> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json' },
    body: JSON.stringify({ query: print(document), variables }),
  });
  const { data, errors } = (await response.json()) as { data: R; errors?: unknown };
  assert.equal(errors, undefined);
  return data;
}

test('a page, the next page, and one item of it', async () => {
  const first = (await execute(itemsDocument, { first: 5 })).items;
  assert.equal(first.nodes.length, 5);
  assert.ok(first.totalCount > 1000 && first.pageInfo.hasNextPage);
  const second = (await execute(itemsDocument, { first: 5, after: first.pageInfo.endCursor ?? null })).items;
  assert.equal(new Set([...first.nodes, ...second.nodes].map((item) => item.id)).size, 10);
  const item = second.nodes[0]!;
  const level: number = item.requirements.level;
  assert.ok(level >= 0);
  const again = (await execute(itemDocument, { by: { internalName: item.internalName } })).item;
  assert.equal(again?.id, item.id);
});
