// Relay: relay-compiler accepts the schema, @refetchable connections of the root and of an object are read on, and an
// item is read again by its id.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import relay, { type GraphQLTaggedNode, type OperationType } from 'relay-runtime';
import guildQuery from './relay/__generated__/documentsGuildQuery.graphql';
import itemRefetchQuery from './relay/__generated__/documentsItemRefetchQuery.graphql';
import membersQuery from './relay/__generated__/documentsMembersPaginationQuery.graphql';
import paginationQuery from './relay/__generated__/documentsItemsPaginationQuery.graphql';
import pageQuery from './relay/__generated__/documentsPageQuery.graphql';
import { endpoint } from './url';

const { ConnectionHandler, Environment, fetchQuery, Network, RecordSource, Store } = relay;

// client returns an environment and a function that runs an operation in it.
function client() {
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
  return { environment, run };
}

test('a page, the next page, and one item again', async () => {
  const { environment, run } = client();
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

test('members of a guild by pages', async () => {
  const { environment, run } = client();
  await run(guildQuery, { prefix: 'MOSS' });
  const members = () => {
    let found: { guild: string; nodes: { id: string; player: string | undefined }[]; cursor: unknown } | undefined;
    environment.commitUpdate((store) => {
      const guild = store.getRoot().getLinkedRecord('guild', { by: { prefix: 'MOSS' } })!;
      const record = ConnectionHandler.getConnection(guild, 'documents_members')!;
      found = {
        guild: guild.getDataID(),
        nodes: record.getLinkedRecords('edges')!.map((edge) => {
          const node = edge!.getLinkedRecord('node')!;
          return { id: node.getDataID(), player: node.getLinkedRecord('player')?.getDataID() };
        }),
        cursor: record.getLinkedRecord('pageInfo')!.getValue('endCursor'),
      };
    });
    return found!;
  };
  const first = members();
  assert.equal(first.nodes.length, 3);
  await run(membersQuery, { id: first.guild, first: 3, after: first.cursor });
  const both = members();
  assert.equal(both.nodes.length, 6);
  assert.deepEqual(both.nodes.slice(0, 3), first.nodes);
  // The guild, its members and their players are records under their ids.
  const source = environment.getStore().getSource();
  assert.equal(source.get(first.guild)?.__typename, 'Guild');
  assert.equal(new Set(both.nodes.map((node) => node.id)).size, 6);
  for (const { player } of both.nodes) {
    assert.equal(source.get(player!)?.__typename, 'Player');
  }
});
