// Which REST endpoint returns the same data as a root field of the query. Every endpoint runs one
// fixed operation; the service lists them all (/playground/endpoints.json), so nothing about single
// endpoints is written here.
import { Kind, parse, type DocumentNode, type FieldNode, type GraphQLArgument, type GraphQLSchema, type OperationDefinitionNode, type TypeNode, type ValueNode } from "graphql";
import { jsonText, numberAsTyped } from "./json";
import { fieldsOf, operationOf, rootFieldsOf, type Fields } from "./fields";

/** One documented endpoint with its operation. */
export interface Endpoint {
  method: string;
  /** Path with its variables in braces, `/v3/player/{username}`. */
  path: string;
  operation: string;
  /** The operation as /graphql takes it, its fragments included. */
  document: string;
}

/** A REST request for the data of a root field. */
export interface RestRequest {
  endpoint: Endpoint;
  /** Path and query with the values of this query; a variable without a known value stays in braces. */
  target: string;
  /** Whether every variable of the path has a value. */
  complete: boolean;
  /** The JSON body, for endpoints that read one. */
  body?: unknown;
  /** Selected fields that the endpoint does not return, without those below them. */
  missing: string[];
  /** Arguments that the endpoint does not take. */
  unsupported: string[];
}

/** A root field of the query with its REST requests, none for a field that only GraphQL has. */
export interface RootField {
  field: string;
  requests: RestRequest[];
}

/**
 * restRequests returns the REST requests of every root field, requests that lack least first. The
 * schema, once it is loaded, has the default values of arguments that the query leaves out.
 */
export function restRequests(document: DocumentNode, operationName: string | null, variables: Record<string, unknown>, endpoints: Endpoint[], schema?: GraphQLSchema | null): RootField[] {
  const operation = operationOf(document, operationName);
  if (!operation || operation.operation !== "query") return [];
  const given = { ...defaults(operation), ...variables };
  return rootFieldsOf(document, operation).map((root) => ({
    field: root.name.value,
    requests: endpoints
      .map((endpoint) => restRequest(document, root, given, endpoint, schema?.getQueryType()?.getFields()[root.name.value]?.args ?? []))
      .filter((r) => r !== null)
      // A name that is a fixed path, such as a guild called seasons, does not reach the endpoint.
      .filter((r) => !endpoints.some((e) => e !== r.endpoint && e.path === r.target.split("?")[0]))
      .sort((a, b) => a.missing.length + a.unsupported.length - b.missing.length - b.unsupported.length),
  }));
}

function defaults(operation: OperationDefinitionNode): Record<string, unknown> {
  return Object.fromEntries(operation.variableDefinitions?.flatMap((v) => (v.defaultValue ? [[v.variable.name.value, valueOf(v.defaultValue)]] : [])) ?? []);
}

// valueOf is the value of a literal, with every digit.
function valueOf(node: ValueNode, variables: Record<string, unknown> = {}): unknown {
  switch (node.kind) {
    case Kind.VARIABLE: return variables[node.name.value];
    case Kind.INT: case Kind.FLOAT: return numberAsTyped(node.value);
    case Kind.LIST: return node.values.map((v) => valueOf(v, variables));
    case Kind.OBJECT: return Object.fromEntries(node.fields.map((f) => [f.name.value, valueOf(f.value, variables)]));
    case Kind.NULL: return null;
  }
  return node.value;
}

const parsed = new Map<string, DocumentNode>();

function restRequest(document: DocumentNode, field: FieldNode, variables: Record<string, unknown>, endpoint: Endpoint, schemaArguments: readonly GraphQLArgument[]): RestRequest | null {
  const fixed = parsed.get(endpoint.document) ?? parse(endpoint.document);
  parsed.set(endpoint.document, fixed);
  const operation = operationOf(fixed);
  const root = operation && rootFieldsOf(fixed, operation).find((f) => f.name.value === field.name.value);
  if (!operation || !root) return null;

  const args = argumentsOf(field, variables);
  const settings = new Map<string, unknown>(); // by variable of the endpoint's operation
  const unsupported: string[] = [];
  for (const a of root.arguments ?? []) {
    const value = args.get(a.name.value) ?? schemaArguments.find((k) => k.name === a.name.value)?.defaultValue;
    args.delete(a.name.value);
    if (value !== undefined && !fits(a.value, value, a.name.value, settings, unsupported)) return null;
  }
  const missing = missingFields(fieldsOf(document, field), fieldsOf(fixed, root), settings);
  const { url, complete, body } = target(endpoint, operation, settings);
  return { endpoint, target: url, complete, ...(body === undefined ? {} : { body }), missing, unsupported: [...unsupported, ...args.keys()] };
}

/**
 * fits compares a value with the value in an endpoint's operation and sets the variables of the endpoint. Members of an input
 * object that the endpoint does not take are added to unsupported, unless it takes none of them: then it does not fit.
 */
function fits(want: ValueNode, value: unknown, path: string, settings: Map<string, unknown>, unsupported: string[]): boolean {
  if (want.kind === Kind.VARIABLE) {
    settings.set(want.name.value, value);
    return true;
  }
  if (want.kind !== Kind.OBJECT || typeof value !== "object" || value === null) return jsonText(value) === jsonText(valueOf(want));
  const given = new Map<string, unknown>(Object.entries(value));
  let taken = 0;
  for (const f of want.fields) {
    // A reference is a uuid or a username.
    const name = f.name.value === "reference" ? (["reference", "uuid", "username"].find((n) => given.has(n)) ?? "reference") : f.name.value;
    if (!given.has(name)) continue;
    if (!fits(f.value, given.get(name), `${path}.${name}`, settings, unsupported)) return false;
    given.delete(name);
    taken++;
  }
  unsupported.push(...[...given.keys()].map((name) => `${path}.${name}`));
  return taken > 0 || given.size === 0;
}

function argumentsOf(field: FieldNode, variables: Record<string, unknown>): Map<string, unknown> {
  const out = new Map<string, unknown>();
  for (const a of field.arguments ?? []) {
    const value: unknown = valueOf(a.value, variables);
    if (value !== undefined && value !== null) out.set(a.name.value, value);
  }
  return out;
}

// The selected fields that the endpoint's operation does not select. A field under a condition sets
// the variable of the condition, unless another field needs another value.
function missingFields(selected: Fields, available: Fields, settings: Map<string, unknown>): string[] {
  const missing: string[] = [];
  for (const path of selected.keys()) {
    if (missing.some((m) => path.startsWith(m + "."))) continue;
    const conditions = available.get(path);
    if (!conditions || conditions.some((c) => settings.has(c.variable) && settings.get(c.variable) !== c.when)) {
      missing.push(path);
      continue;
    }
    for (const c of conditions) settings.set(c.variable, c.when);
  }
  return missing;
}

// Variables go where REST expects them: into the path by name, an object into the body, a true flag
// into the query without a value, anything else into the query.
function target(endpoint: Endpoint, operation: OperationDefinitionNode, settings: Map<string, unknown>) {
  let complete = true;
  let body: unknown;
  const inPath = new Set<string>();
  const path = endpoint.path.replace(/\{(\w+)\}/g, (step, name: string) => {
    inPath.add(name);
    const value = settings.get(name);
    if (value === undefined) complete = false;
    return value === undefined ? step : encodeURIComponent(String(value));
  });
  const query: string[] = [];
  for (const v of operation.variableDefinitions ?? []) {
    const name = v.variable.name.value;
    const value = settings.get(name);
    if (inPath.has(name)) continue;
    if (endpoint.method !== "GET" && !scalars.includes(named(v.type))) body = value ?? {};
    else if (value === true) query.push(encodeURIComponent(name));
    else if (value !== undefined && value !== false && !isDefault(v.defaultValue, value)) query.push(`${encodeURIComponent(name)}=${encodeURIComponent(text(value, v.type))}`);
  }
  return { url: path + (query.length > 0 ? "?" + query.join("&") : ""), complete, body };
}

const isDefault = (node: ValueNode | undefined, value: unknown) =>
  node !== undefined && String(valueOf(node)) === String(value);

const named = (type: TypeNode): string => (type.kind === Kind.NAMED_TYPE ? type.name.value : named(type.type));
const scalars = ["String", "Int", "Float", "Boolean", "ID", "Int64", "UUID", "DateTime"];

// Enum values are lower case in paths and queries.
const text = (value: unknown, type: TypeNode) => (scalars.includes(named(type)) ? String(value) : String(value).toLowerCase());
