// Runs the programs of docs/discord.md as written, but with a minute of a fifth of a second, against a receiver that plays
// the webhooks of Discord and stands in front of the service in GAMEDATA_URL.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const guide = readFileSync(join(here, '../../docs/discord.md'), 'utf8');
const modules = join(here, '../ts/node_modules');
const compile = `--strict --target ES2022 --module nodenext --types node --typeRoots ${modules}/@types --skipLibCheck`;

// check runs a program, which the receiver leads through everything that can happen.
async function check(name, command) {
  const dir = mkdtempSync(join(tmpdir(), 'discord-'));
  const requests = [];
  let arrived;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    requests.push({ request, body, respond: (status, text, headers) => response.writeHead(status, headers).end(text) });
    arrived?.();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const base = `http://127.0.0.1:${server.address().port}`;
  const code = guide.match(new RegExp('^```\\w+ ' + name + '\\n([\\s\\S]*?)^```', 'm'))[1];
  assert.ok(code.trim().split('\n').length <= 40, `${name} has more than 40 lines`);
  writeFileSync(join(dir, name), code.replaceAll('http://localhost:8080', base).replace(/\b60\b/g, '0.2'));
  writeFileSync(join(dir, 'package.json'), '{"type": "module"}');
  if (name.endsWith('.ts')) execFileSync(`${modules}/.bin/tsc`, [...compile.split(' '), name], { cwd: dir, stdio: 'inherit' });

  let errors = '';
  const start = () => {
    const env = { ...process.env, DISCORD_WEBHOOK: `${base}/hook` };
    const started = spawn(command, [name.replace('.ts', '.js')], { cwd: dir, env, timeout: 300_000 });
    started.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
    return started.on('exit', () => arrived?.());
  };
  let program = start();

  // next waits for the next request.
  const next = async (method, path) => {
    if (requests.length === 0 && program.exitCode === null) await new Promise((done) => (arrived = done));
    const got = requests.shift() ?? assert.fail(`the program ended: ${errors}`);
    assert.equal(`${got.request.method} ${got.request.url.split('?query=')[0]}`, `${method} ${path}`);
    return got;
  };
  // query sends the next query to the service. A fresh one has no ETag.
  const query = async ({ fresh = true, guild = 'Mossbound+Company' } = {}) => {
    const { request, respond } = await next('GET', '/graphql');
    const etag = request.headers['if-none-match'];
    const url = process.env.GAMEDATA_URL + request.url.replace('Mossbound+Company', guild);
    const response = await fetch(url, { headers: fresh ? {} : { 'If-None-Match': etag } });
    respond(response.status, await response.text(), { ETag: response.headers.get('ETag') });
    return { status: response.status, etag };
  };
  // message responds to the next request for Discord and returns its embed.
  const message = async (method, path, status, text, headers) => {
    const { request, body, respond } = await next(method, path);
    respond(status, text, headers);
    assert.match(request.headers['user-agent'], /^DiscordBot \(http.*, \d\)$/); // Discord rejects Python's own
    assert.equal(request.headers['content-type'], 'application/json');
    return JSON.parse(body).embeds[0];
  };
  const posted = '/hook?wait=true', later = [429, '{"retry_after": 1}', { 'Retry-After': '1' }];

  try {
    (await next('GET', '/graphql')).respond(...later);
    const begun = performance.now();
    await query();
    await message('POST', posted, ...later);
    await query();
    const { title, description } = await message('POST', posted, 200, '{"id": "1001"}');
    assert.ok(performance.now() - begun > 1990, 'it did not wait for Retry-After');
    assert.match(title, /^Mossbound Company: \d+ online$/);
    assert.match(description, /^(`\w+`.*)?\n(.* to .* <t:\d{10}:R>\n){5}(<t:\d{10}:R> \w|No world event soon)/);

    let last;
    for (let polls = 0; polls < 100 && (last = await query({ fresh: false })).status === 200; polls++) {
      await message('PATCH', '/hook/messages/1001', 200);
    }
    assert.equal(last.status, 304);
    assert.equal((await query()).etag, last.etag); // nothing was sent to Discord
    await message('PATCH', '/hook/messages/1001', 404);
    await message('POST', posted, 200, '{"id": "1002"}');
    (await next('GET', '/graphql')).request.destroy();
    await query();
    await message('PATCH', '/hook/messages/1002', 200);
    program.kill();
    await once(program, 'exit');

    program = start();
    await query();
    await message('PATCH', '/hook/messages/1002', 200);
    await query({ guild: 'Nobody' });
    assert.equal((await message('PATCH', '/hook/messages/1002', 200)).title, 'There is no such guild');
    await query();
    await message('PATCH', '/hook/messages/1002', 404);
    const ended = once(program, 'exit');
    await message('POST', posted, 404);
    assert.equal((await ended)[0], 1);
    assert.match(errors, /The webhook was deleted/);
  } finally {
    program.kill();
    server.close();
    rmSync(dir, { recursive: true });
  }
  console.log(`docs/discord.md: ${name} passed`);
}

await Promise.all([check('board.py', 'python3'), check('board.ts', process.execPath)]);
