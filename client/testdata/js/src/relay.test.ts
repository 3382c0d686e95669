// Relay: relay-compiler accepts the schema, a @refetchable connection is read on, and an item is read again by its id.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import relay, { type GraphQLTaggedNode, type OperationType } from 'relay-runtime';
import itemRefetchQuery from './relay/__generated__/documentsItemRefetchQuery.graphql';
import paginationQuery from './relay/__generated__/documentsItemsPaginationQuery.graphql';
import pageQuery from './relay/__generated__/documentsPageQuery.graphql';
import { endpoint } from './url';

const { ConnectionHandler, Environment, fetchQuery, Network, RecordSource, Store } = relay;

test('a page, the next page, and one item again', async () => {
  const environment = new Environment({
    network: Network.create(async ({ text }, variables) => {
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: text, variables }),
      });
      return response.json() as Promise<never>;
    }),
    store: new Store(new RecordSource(), { gcReleaseBufferSize: 100 }),
  });
  const run = async (query: unknown, variables: object) => {
    const operation = relay.createOperationDescriptor(relay.getRequest(query as GraphQLTaggedNode), variables);
    environment.retain(operation);
    return fetchQuery<OperationType>(environment, query as GraphQLTaggedNode, variables).toPromise();
  };
  const connection = () => {
    let found: { ids: string[]; cursor: unknown } | undefined;
    environment.commitUpdate((store) => {
      const record = ConnectionHandler.getConnection(store.getRoot(), 'documents_items');
      const edges = record?.getLinkedRecords('edges') ?? [];
      found = {
        ids: edges.map((edge) => edge!.getLinkedRecord('node')!.getDataID()),
        cursor: record?.getLinkedRecord('pageInfo')?.getValue('endCursor'),
      };
    });
    return found!;
  };
  await run(pageQuery, { first: 5 });
  const { ids, cursor } = connection();
  assert.equal(ids.length, 5);
  await run(paginationQuery, { first: 5, after: cursor });
  const all = connection().ids;
  assert.equal(new Set(all).size, 10);
  assert.deepEqual(all.slice(0, 5), ids);
  await run(itemRefetchQuery, { id: all[7] });
  const record = environment.getStore().getSource().get(all[7]!);
  assert.equal(record?.__typename, 'Item');
  assert.equal(typeof record?.['displayName'], 'string');
});
