// Writes the schema of the server in GAMEDATA_URL: the text, and what introspection says.
import { mkdir, writeFile } from 'node:fs/promises';
import { getIntrospectionQuery } from 'graphql';

const url = process.env.GAMEDATA_URL;
await mkdir('.out', { recursive: true });

const text = await fetch(`${url}/schema.graphqls`);
if (!text.ok) throw new Error(`/schema.graphqls: ${text.status}`);
await writeFile('.out/schema.graphql', await text.text());

const response = await fetch(`${url}/graphql`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ query: getIntrospectionQuery({ specifiedByUrl: true, inputValueDeprecation: true, oneOf: true }) }),
});
const { data, errors } = await response.json();
if (errors) throw new Error(JSON.stringify(errors));
await writeFile('.out/schema.json', JSON.stringify(data));
