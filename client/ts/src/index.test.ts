import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { Client, ServiceError, type GameEvent } from './index.js';

const service = process.env['GAMEDATA_URL'] ?? 'http://localhost:8080';

/** Starts a server for one test and returns its address. */
async function serve(t: TestContext, handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => { server.closeAllConnections(); server.close(); });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function take<T>(events: AsyncGenerator<T>, n: number): Promise<T[]> {
  const out: T[] = [];
  for await (const event of events) {
    if (out.push(event) === n) break;
  }
  return out;
}

test('endpoints of the service', async () => {
  const client = new Client(service);
  const player = await client.get('/player/{username}', { path: { username: 'Salted' } });
  assert.ok('username' in player);
  const name: string = player.username;
  assert.equal(name, 'Salted');
  const found = await client.post('/item/search', { body: { levelRange: [1, 20] } });
  assert.ok('results' in found && found.controller && found.controller.count > 10);
  // @ts-expect-error the path parameter is missing
  await assert.rejects(client.get('/player/{username}', {}));
});

test('a rejected request', async () => {
  await assert.rejects(new Client(service).get('/player/{username}', { path: { username: 'nobody-is-called-so' } }), (e) => {
    assert.ok(e instanceof ServiceError);
    assert.equal(e.status, 404);
    assert.equal((e.body as { code: number }).code, 404);
    return true;
  });
});

test('events of the service', async () => {
  const events = await take(new Client(service).events({ types: ['playerCameOnline', 'territoryCaptured'] }), 3);
  for (const event of events) {
    if (event.type === 'territoryCaptured') assert.ok(event.data.territory);
    else assert.match(event.data.player, /^[0-9a-f-]{36}$/);
  }
});

test('a request is sent again when the service says so, with its token', async (t) => {
  const seen: (string | undefined)[] = [];
  const url = await serve(t, (request, response) => {
    seen.push(request.headers.authorization);
    if (seen.length < 3) response.writeHead(503, { 'Retry-After': '0' }).end('{}');
    else response.end('{"found": true}');
  });
  const found: unknown = await new Client(url, { token: 'secret' }).get('/classes');
  assert.deepEqual(found, { found: true });
  assert.deepEqual(seen, ['Bearer secret', 'Bearer secret', 'Bearer secret']);
  await assert.rejects(new Client(`${url}/x`, { retries: 0, fetch: async () => new Response('no', { status: 503 }) }).get('/classes'));
});

test('a stream continues where it ended, and an event comes once', async (t) => {
  const lastIDs: (string | undefined)[] = [];
  const line = (id: string) =>
    `id: ${id}\nevent: seasonStarted\ndata: ${JSON.stringify({ id, type: 'seasonStarted', at: '', data: { season: 1 } })}\n\n`;
  const url = await serve(t, (request, response) => {
    lastIDs.push(request.headers['last-event-id'] as string | undefined);
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('retry: 1\nid: a\n\n');
    switch (lastIDs.length) {
      case 1: return void response.end(`${line('b')}event: reconnect\ndata: {"reason":"SHUTDOWN"}\n\n`);
      case 2: return void response.write(`${line('b')}: comment\r\n\r\n${line('c')}`, () => response.destroy());
      default: return void response.end(`${line('d')}event: end\ndata: {"reason":"INVALID_TOKEN"}\n\n`);
    }
  });
  const events: GameEvent[] = [];
  await assert.rejects(async () => {
    for await (const event of new Client(url).events()) events.push(event);
  }, ServiceError);
  assert.deepEqual(events.map((e) => e.id), ['b', 'c', 'd']);
  assert.deepEqual(lastIDs, [undefined, 'b', 'c']);
});

test('a stream ends with its signal', async (t) => {
  const url = await serve(t, (_, response) => void response.writeHead(200).write('id: a\n\n'));
  const events = new Client(url).events({ signal: AbortSignal.timeout(50) });
  assert.deepEqual(await take(events, 1), []);
});
