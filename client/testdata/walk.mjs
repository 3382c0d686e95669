// Copies the projects of docs/typed-clients.md into a directory and runs them against the service in GAMEDATA_URL. The
// packages that their install commands name are those of client/testdata and client/ts.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const url = process.env.GAMEDATA_URL;
const text = readFileSync(join(here, '../../docs/typed-clients.md'), 'utf8').replaceAll('http://localhost:8080', url);
const root = mkdtempSync(join(tmpdir(), 'clients-'));
symlinkSync(join(here, 'js/node_modules'), join(root, 'node_modules'));

const shared = {}; // files of earlier projects, which later ones use
let failed = false;
for (const [, title, section] of text.matchAll(/^(?:## (.*)|# .*)\n([\s\S]*?)(?=^## |(?![\s\S]))/gm)) {
  const files = {};
  let install = '';
  let run;
  for (const [, language, name, body] of section.matchAll(/^```(\w+) (\S+)\n([\s\S]*?)^```/gm)) {
    if (language !== 'sh') files[name] = body;
    else if (name === 'install') install = body;
    else run = body;
  }
  Object.assign(shared, files);
  if (!run) continue;
  const dir = join(root, title.toLowerCase().replaceAll(' ', '-'));
  mkdirSync(dir);
  const go = run.startsWith('go ');
  if (go) {
    for (const file of ['go.mod', 'go.sum']) cpSync(join(here, run.includes('oapi') ? 'oapi' : 'genqlient', file), join(dir, file));
  } else {
    writeFileSync(join(dir, 'package.json'), '{"type": "module"}');
    if (run.includes('graphql-codegen')) files['codegen.ts'] ??= shared['codegen.ts'];
    files['tsconfig.json'] = shared['tsconfig.json'];
    if (install.includes('client/ts')) {
      mkdirSync(join(dir, 'node_modules'));
      symlinkSync(join(here, '../ts'), join(dir, 'node_modules/gamedata-client'));
    }
  }
  for (const [name, body] of Object.entries(files)) writeFileSync(join(dir, name), body);
  for (const [, file, address] of install.matchAll(/^curl -so (\S+) (\S+)$/gm)) {
    writeFileSync(join(dir, file), await (await fetch(address)).text());
  }
  const begun = Date.now();
  try {
    const out = execFileSync('bash', ['-ec', run], {
      cwd: dir, encoding: 'utf8', timeout: 300_000, stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: `${join(here, 'js/node_modules/.bin')}:${process.env.PATH}` },
    });
    const live = /events/.test(files['main.ts'] ?? files['main.go']);
    if (!out.includes('Salted') || live && !/\d{4}-\d\d-\d\dT/.test(out)) throw new Error(`no player, or no event: ${out}`);
    console.log(`${title}: ${((Date.now() - begun) / 1000).toFixed(1)} s: ${out.trim().split('\n').slice(-2).join(' | ')}`);
  } catch (error) {
    failed = true;
    console.error(`${title}: ${error.message}\n${error.stdout ?? ''}`);
  }
}
rmSync(root, { recursive: true });
process.exitCode = failed ? 1 : 0;
