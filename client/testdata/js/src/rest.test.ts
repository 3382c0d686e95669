// openapi-typescript with openapi-fetch: requests typed by the OpenAPI document, checked by tsc with every strict option.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import createClient from 'openapi-fetch';
import type { paths } from './__generated__/openapi';
import { base } from './url';

test('a player, items of a level, and an unknown player', async () => {
  const client = createClient<paths>({ baseUrl: `${base}/v3` });
  const player = await client.GET('/player/{username}', { params: { path: { username: 'Salted' } } });
  assert.ok(player.data && 'username' in player.data);
  const name: string = player.data.username;
  assert.equal(name, 'Salted');
  const found = await client.POST('/item/search', { body: { levelRange: [1, 20] } });
  assert.ok(found.data && 'results' in found.data && found.data.controller && found.data.controller.count > 10);
  const unknown = await client.GET('/player/{username}', { params: { path: { username: 'nobody-is-called-so' } } });
  assert.equal(unknown.error?.code, 404);
});
