// Builds the scripts and style sheets of all pages into ../dist, which the binary embeds: files with a hash in their
// name, manifest.json with the path of each entry, and licenses.txt. Files that gzip shrinks are written gzipped only.
//
//   node build.mjs          build the console
//   node build.mjs --test   bundle test/*.test.ts into .test/ for `node --test`
import { readdirSync, readFileSync, rmSync, writeFileSync, mkdirSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "../dist");
const base = "/assets/";

const shared = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  metafile: true,
  write: false,
  outdir: dist,
  entryNames: "[name]-[hash]",
  chunkNames: "chunk-[hash]",
  assetNames: "[name]-[hash]",
  publicPath: base,
  target: "es2022",
  loader: { ".ttf": "file", ".png": "dataurl", ".md": "text" },
  legalComments: "none", // licenses.txt has them
  logLevel: "warning",
};

// GraphiQL's style sheet includes Monaco's and its icon font. Its text fonts are left out in favour
// of the system's, and its colours, which are triples such as hsl(var(--color-base)), become whole colours.
const styles = {
  name: "styles",
  setup(build) {
    const fonts = [];
    build.onLoad({ filter: /node_modules[\\/]monaco-editor[\\/].*\.css$/ }, () => ({ contents: "", loader: "css" }));
    build.onLoad({ filter: /node_modules[\\/](graphiql|@graphiql[\\/][\w-]+)[\\/].*\.css$/ }, ({ path }) => ({
      loader: "css",
      resolveDir: dirname(path),
      contents: readFileSync(path, "utf8")
        .replace(/hsl\(\s*(var\(--color-\w+\))\s*\)/g, "$1")
        .replace(/hsla\(\s*(var\(--color-\w+\)),\s*(var\([\w-]+\)|[\d.]+)\s*\)/g, "color-mix(in srgb, $1 calc(100% * $2), transparent)")
        .replace(/@font-face\s*\{[^}]*(Roboto|Fira Code)[^}]*\}/g, "")
        .replace(/url\(data:font\/ttf;base64,([^)]*)\)/g, (_, data) => `url(font:${fonts.push(Buffer.from(data, "base64")) - 1}/icons.ttf)`),
    }));
    build.onResolve({ filter: /^font:/ }, ({ path }) => ({ path: path.slice(5), namespace: "font" }));
    build.onLoad({ filter: /.*/, namespace: "font" }, ({ path }) => ({ contents: fonts[parseInt(path)], loader: "file" }));
  },
};

// The language service takes a document that does not parse, as while one types, for a schema too, and completes `extend`
// or `scalar`. The editor has only queries.
const completion = {
  name: "completion",
  setup(build) {
    build.onLoad({ filter: /graphql-language-service[\\/]esm[\\/]parser[\\/]api\.js$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const contents = source.replace("let mode = GraphQLDocumentMode.UNKNOWN", "let mode = GraphQLDocumentMode.EXECUTABLE");
      if (contents === source) throw new Error("graphql-language-service has changed: see the plugin completion");
      return { contents };
    });
  },
};

// The module "examples": every file below examples/, by folder and name.
const examples = {
  name: "examples",
  setup(build) {
    build.onResolve({ filter: /^examples$/ }, () => ({ path: "examples", namespace: "examples" }));
    build.onLoad({ filter: /.*/, namespace: "examples" }, () => {
      const folder = join(here, "examples");
      const files = readdirSync(folder).flatMap((group) => readdirSync(join(folder, group)).sort()
        .map((file) => ({ group, name: basename(file, ".graphql"), query: readFileSync(join(folder, group, file), "utf8") })));
      return { contents: JSON.stringify(files), loader: "json" };
    });
  },
};

async function tests() {
  const outdir = join(here, ".test");
  rmSync(outdir, { recursive: true, force: true });
  await esbuild.build({
    ...shared, minify: false, write: true, outdir, entryNames: "[name]", platform: "node", format: "esm", outExtension: { ".js": ".mjs" },
    entryPoints: readdirSync(join(here, "test")).map((name) => join("test", name)), packages: "external", plugins: [examples], sourcemap: "inline",
  });
}

// Scripts of pages: each file of src/pages is an entry, which a page names. They share chunks.
const pageEntries = () => Object.fromEntries(readdirSync(join(here, "src/pages"))
  .filter((file) => file !== "theme.ts").map((file) => [basename(file, extname(file)), `src/pages/${file}`]));

async function pages() {
  const workers = await esbuild.build({
    ...shared, format: "iife", plugins: [completion],
    entryPoints: {
      "editor-worker": "monaco-editor/esm/vs/editor/editor.worker.js",
      "json-worker": "monaco-editor/esm/vs/language/json/json.worker.js",
      "graphql-worker": "monaco-graphql/esm/graphql.worker.js",
      "events-worker": "src/events-worker.ts",
    },
  });
  const address = (result, start) => base + basename(result.outputFiles.find((f) => basename(f.path).startsWith(start)).path);
  const main = await esbuild.build({
    ...shared, format: "esm", splitting: true, jsx: "automatic", plugins: [styles, examples], entryPoints: { console: "src/main.tsx" },
    define: {
      "process.env.NODE_ENV": '"production"',
      EDITOR_WORKER: JSON.stringify(address(workers, "editor-worker")),
      JSON_WORKER: JSON.stringify(address(workers, "json-worker")),
      GRAPHQL_WORKER: JSON.stringify(address(workers, "graphql-worker")),
    },
  });
  const site = await esbuild.build({ ...shared, format: "esm", splitting: true, entryPoints: pageEntries(), define: { EVENTS_WORKER: JSON.stringify(address(workers, "events-worker")) } });
  const plain = await esbuild.build({
    ...shared, format: "iife", entryPoints: { theme: "src/pages/theme.ts", page: "src/page.css", shell: "../shell.css" },
  });
  const results = [workers, main, site, plain];

  mkdirSync(dist, { recursive: true });
  for (const name of readdirSync(dist)) if (name !== "README") rmSync(join(dist, name), { recursive: true });
  for (const { outputFiles } of results) for (const f of outputFiles) if (f.contents.length > 0) put(basename(f.path), f.contents);
  put("licenses.txt", licenses(...results.map(({ metafile }) => metafile)));
  writeFileSync(join(dist, "manifest.json"), JSON.stringify(manifest(results), null, 2)); // last: make compares its time
}

// manifest maps the name of each entry, such as site.js, to the path of its file. The style sheet that a script imports
// has the script's name.
function manifest(results) {
  const names = {};
  for (const { outputFiles } of results) {
    for (const { path, contents } of outputFiles) {
      const [, name] = /^(.+)-[A-Z0-9]{8}$/.exec(basename(path, extname(path))) ?? [];
      if (name && name !== "chunk" && contents.length > 0) names[name + extname(path)] = base + basename(path);
    }
  }
  return names;
}

function put(name, contents) {
  const small = gzipSync(contents, { level: 9 });
  if (small.length < 0.9 * contents.length) writeFileSync(join(dist, name + ".gz"), small);
  else writeFileSync(join(dist, name), contents);
}

// licenses returns the licences of all bundled packages.
function licenses(...metafiles) {
  const packages = new Set();
  for (const { inputs } of metafiles) {
    for (const path of Object.keys(inputs)) {
      const found = /^(?:.*:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(path);
      if (found) packages.add(found[1]);
    }
  }
  return [...packages].sort().map((path) => {
    const folder = join(here, path);
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file)).sort();
    return [`${name} ${version} (${license})`, ...files.map((file) => readFileSync(join(folder, file), "utf8").trim())].join("\n\n");
  }).join(`\n\n${"-".repeat(80)}\n\n`) + "\n";
}

await (process.argv.includes("--test") ? tests() : pages());
