// Apollo Client: the normalised cache holds entities by their id, and fetchMore appends a page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import { firstValueFrom, filter } from 'rxjs';
import { endpoint } from './url';

const ITEMS = gql`
  query ApolloItems($after: String) {
    items(first: 5, after: $after) {
      edges { cursor node { id internalName displayName } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
`;
const ITEM = gql`
  query ApolloItem($by: ItemBy!) { item(by: $by) { id displayName restriction } }
`;
interface Item { id: string; internalName: string; displayName: string }
interface Items {
  items: { edges: { node: Item }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
}

test('entities and fetchMore', async () => {
  const cache = new InMemoryCache({
    typePolicies: { Query: { fields: { items: relayStylePagination(['filter', 'orderBy']) } } },
  });
  const client = new ApolloClient({ cache, link: new HttpLink({ uri: endpoint }) });
  const watched = client.watchQuery<Items>({ query: ITEMS });
  const settled = (edges: number) => firstValueFrom(watched.pipe(filter(
    (result) => result.dataState === 'complete' && result.data.items.edges.length === edges)));
  const first = (await settled(5)).data as Items;
  await watched.fetchMore({ variables: { after: first.items.pageInfo.endCursor } });
  const both = (await settled(10)).data as Items;
  assert.equal(new Set(both.items.edges.map((edge) => edge.node.id)).size, 10);
  assert.ok(both.items.pageInfo.hasNextPage);

  // A field of an item that another query reads is added to the same entity.
  const node = both.items.edges[7]!.node;
  await client.query({ query: ITEM, variables: { by: { internalName: node.internalName } } });
  const stored = cache.extract() as Record<string, Record<string, unknown>>;
  const entities = Object.keys(stored).filter((key) => key.startsWith('Item:'));
  assert.equal(entities.length, 10);
  assert.ok('restriction' in stored[`Item:${node.id}`]!);
  client.stop();
});

const BOARD = gql`
  query ApolloBoard($type: String!, $after: String) {
    leaderboard(by: {type: $type}) {
      id
      entryCount
      entries(first: 5, after: $after) {
        edges {
          cursor
          node {
            id
            position
            name
            ... on PlayerLeaderboardEntry { player { id username } }
          }
        }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }
  }
`;
interface Entry { __typename: string; id: string; position: number; player: { id: string; username: string } | null }
interface Board {
  leaderboard: {
    id: string; entryCount: number;
    entries: { edges: { node: Entry }[]; pageInfo: { endCursor: string | null } };
  };
}

test('entries of a leaderboard, which are of several types', async () => {
  const cache = new InMemoryCache({
    possibleTypes: {
      LeaderboardEntry: ['PlayerEntry', 'CharacterEntry', 'GamemodeEntry'],
      PlayerLeaderboardEntry: ['PlayerEntry', 'CharacterEntry', 'GamemodeEntry'],
    },
    typePolicies: { Leaderboard: { fields: { entries: relayStylePagination(['filter', 'around']) } } },
  });
  const client = new ApolloClient({ cache, link: new HttpLink({ uri: endpoint }) });
  for (const [type, typename] of [['totalGlobalLevel', 'PlayerEntry'], ['hardcoreContent', 'GamemodeEntry']]) {
    const watched = client.watchQuery<Board>({ query: BOARD, variables: { type } });
    const settled = (edges: number) => firstValueFrom(watched.pipe(filter(
      (result) => result.dataState === 'complete' && result.data.leaderboard.entries.edges.length === edges)));
    const first = ((await settled(5)).data as Board).leaderboard;
    await watched.fetchMore({ variables: { after: first.entries.pageInfo.endCursor } });
    const both = ((await settled(10)).data as Board).leaderboard;
    assert.deepEqual(both.entries.edges.map((edge) => edge.node.position), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);

    // Every entry, the players of those that name one and the leaderboard are entities of their own.
    const stored = cache.extract() as Record<string, Record<string, unknown>>;
    assert.equal(stored[`Leaderboard:${first.id}`]!['entryCount'], first.entryCount);
    let players = 0;
    for (const { node } of both.entries.edges) {
      assert.equal(stored[`${typename}:${node.id}`]!['position'], node.position);
      if (node.player) {
        players++;
        assert.equal(stored[`Player:${node.player.id}`]!['username'], node.player.username);
      }
    }
    assert.ok(players > 0);
  }
  client.stop();
});
