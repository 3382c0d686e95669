// Writes the schema of the server in GAMEDATA_URL: the text, what introspection says, and the OpenAPI document.
import { mkdir, writeFile } from 'node:fs/promises';
import { getIntrospectionQuery } from 'graphql';

const url = process.env.GAMEDATA_URL;
await mkdir('.out', { recursive: true });

for (const [path, file] of [['/schema.graphqls', 'schema.graphql'], ['/v3/openapi.json', 'openapi.json']]) {
  const text = await fetch(url + path);
  if (!text.ok) throw new Error(`${path}: ${text.status}`);
  await writeFile(`.out/${file}`, await text.text());
}

const response = await fetch(`${url}/graphql`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ query: getIntrospectionQuery({ specifiedByUrl: true, inputValueDeprecation: true, oneOf: true }) }),
});
const { data, errors } = await response.json();
if (errors) throw new Error(JSON.stringify(errors));
await writeFile('.out/schema.json', JSON.stringify(data));
