// Hey API: functions and types made of the OpenAPI document. Its runtime does not compile with exactOptionalPropertyTypes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base } from '../url';
import { guild, itemSearch } from './__generated__';
import { client } from './__generated__/client.gen';

test('a guild, and items of a level', async () => {
  client.setConfig({ baseUrl: `${base}/v3` });
  const { data } = await guild({ path: { query: 'Mossbound Company' }, throwOnError: true });
  assert.ok('prefix' in data);
  const prefix: string = data.prefix;
  assert.equal(prefix, 'MOSS');
  const found = await itemSearch({ body: { levelRange: [1, 20] }, throwOnError: true });
  assert.ok('results' in found.data && found.data.controller && found.data.controller.count > 10);
});
