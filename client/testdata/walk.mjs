// Copies the projects of docs/typed-clients.md into a directory, installs them with the commands of the page, and runs
// them against the service in GAMEDATA_URL. Arguments are the titles of the projects to run; none means all.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const url = process.env.GAMEDATA_URL;
const text = readFileSync(join(here, '../../docs/typed-clients.md'), 'utf8').replaceAll('http://localhost:8080', url);
const root = mkdtempSync(join(tmpdir(), 'clients-'));
const only = process.argv.slice(2);

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
  if (!run || (only.length > 0 && !only.includes(title))) continue;
  const dir = join(root, title.toLowerCase().replaceAll(' ', '-'));
  mkdirSync(dir);
  if (!run.startsWith('go ')) {
    writeFileSync(join(dir, 'package.json'), '{"type": "module"}');
    if (run.includes('graphql-codegen')) files['codegen.ts'] ??= shared['codegen.ts'];
    files['tsconfig.json'] = shared['tsconfig.json'];
  }
  for (const [name, body] of Object.entries(files)) writeFileSync(join(dir, name), body);
  if (install.includes('client/ts')) {
    cpSync(join(here, '../ts'), join(dir, 'client/ts'), { recursive: true, filter: (path) => !/node_modules|dist$/.test(path) });
  }
  const begun = Date.now();
  const sh = (commands) => execFileSync('bash', ['-ec', commands], {
    cwd: dir, encoding: 'utf8', timeout: 600_000, stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    sh(install);
    const out = sh(run);
    const live = /events/.test(files['main.ts'] ?? files['main.go']);
    if (!out.includes('Salted') || live && !/\d{4}-\d\d-\d\dT/.test(out)) throw new Error(`no player, or no event: ${out}`);
    console.log(`${title}: ${((Date.now() - begun) / 1000).toFixed(1)} s: ${out.trim().split('\n').slice(-2).join(' | ')}`);
  } catch (error) {
    failed = true;
    console.error(`${title}: ${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`);
  }
}
rmSync(root, { recursive: true });
process.exitCode = failed ? 1 : 0;
