// Which documented path answers the same as a root field of the query. Every path is one fixed
// operation on the same engine, and the service tells all of them (/playground/paths.json):
// nothing about single paths is written here.
import { Kind, parse, valueFromASTUntyped, type DocumentNode, type FieldNode, type GraphQLArgument, type GraphQLSchema, type OperationDefinitionNode, type TypeNode } from "graphql";
import { fieldsOf, operationOf, rootFieldsOf, type Fields } from "./fields";

/** One documented endpoint and the operation behind it. */
export interface Endpoint {
  method: string;
  /** Path with its variables in braces, `/v3/player/{username}`. */
  path: string;
  operation: string;
  /** The operation as /graphql takes it, its fragments included. */
  document: string;
}

/** A way to ask a root field by REST. */
export interface Way {
  endpoint: Endpoint;
  /** Path and query with the values of this query; a variable stays in braces when its value is not known. */
  target: string;
  /** Whether every variable of the path has a value. */
  complete: boolean;
  /** The JSON body, for endpoints that read one. */
  body?: unknown;
  /** Asked fields that the path does not answer, as short as they can be said. */
  missing: string[];
  /** Given arguments that the path does not take. */
  refused: string[];
}

/** A root field of the query with its ways, none for a field that only GraphQL has. */
export interface Root {
  field: string;
  ways: Way[];
}

/**
 * waysOf finds the ways of every root field; those that lack least come first. The schema, when
 * there is one already, tells the values of arguments that the query leaves out.
 */
export function waysOf(document: DocumentNode, operationName: string | null, variables: Record<string, unknown>, endpoints: Endpoint[], schema?: GraphQLSchema | null): Root[] {
  const operation = operationOf(document, operationName);
  if (!operation || operation.operation !== "query") return [];
  const given = { ...defaults(operation), ...variables };
  return rootFieldsOf(document, operation).map((root) => ({
    field: root.name.value,
    ways: endpoints
      .map((endpoint) => way(document, root, given, endpoint, schema?.getQueryType()?.getFields()[root.name.value]?.args ?? []))
      .filter((w) => w !== null)
      // Fixed paths go first: a guild called seasons is not reached by its name.
      .filter((w) => !endpoints.some((e) => e !== w.endpoint && e.path === w.target.split("?")[0]))
      .sort((a, b) => a.missing.length + a.refused.length - b.missing.length - b.refused.length),
  }));
}

function defaults(operation: OperationDefinitionNode): Record<string, unknown> {
  return Object.fromEntries(operation.variableDefinitions?.flatMap((v) => (v.defaultValue ? [[v.variable.name.value, valueFromASTUntyped(v.defaultValue)]] : [])) ?? []);
}

const parsed = new Map<string, DocumentNode>();

function way(document: DocumentNode, asked: FieldNode, variables: Record<string, unknown>, endpoint: Endpoint, known: readonly GraphQLArgument[]): Way | null {
  const fixed = parsed.get(endpoint.document) ?? parse(endpoint.document);
  parsed.set(endpoint.document, fixed);
  const operation = operationOf(fixed);
  const root = operation && rootFieldsOf(fixed, operation).find((f) => f.name.value === asked.name.value);
  if (!operation || !root) return null;

  const want = argumentsOf(asked, variables);
  const settings = new Map<string, unknown>(); // by variable of the endpoint's operation
  for (const a of root.arguments ?? []) {
    const value = want.get(a.name.value) ?? known.find((k) => k.name === a.name.value)?.defaultValue;
    want.delete(a.name.value);
    if (a.value.kind === Kind.VARIABLE) value !== undefined && settings.set(a.value.name.value, value);
    else if (value !== undefined && JSON.stringify(value) !== JSON.stringify(valueFromASTUntyped(a.value))) return null;
  }
  const missing = lacking(fieldsOf(document, asked), fieldsOf(fixed, root), settings);
  const { target, complete, body } = address(endpoint, operation, settings);
  return { endpoint, target, complete, ...(body === undefined ? {} : { body }), missing, refused: [...want.keys()] };
}

function argumentsOf(field: FieldNode, variables: Record<string, unknown>): Map<string, unknown> {
  const out = new Map<string, unknown>();
  for (const a of field.arguments ?? []) {
    const value: unknown = valueFromASTUntyped(a.value, variables);
    if (value !== undefined && value !== null) out.set(a.name.value, value);
  }
  return out;
}

// What the endpoint's operation does not ask. A field it asks only under a condition sets the
// variable of the condition, unless another field needs it otherwise.
function lacking(asked: Fields, answered: Fields, settings: Map<string, unknown>): string[] {
  const missing: string[] = [];
  for (const path of asked.keys()) {
    if (missing.some((m) => path.startsWith(m + "."))) continue;
    const conditions = answered.get(path);
    if (!conditions || conditions.some((c) => settings.has(c.variable) && settings.get(c.variable) !== c.when)) {
      missing.push(path);
      continue;
    }
    for (const c of conditions) settings.set(c.variable, c.when);
  }
  return missing;
}

// Variables go where the REST door looks for them: into the path by name, an object into the
// body, a true flag into the query without a value, anything else into the query.
function address(endpoint: Endpoint, operation: OperationDefinitionNode, settings: Map<string, unknown>) {
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
  return { target: path + (query.length > 0 ? "?" + query.join("&") : ""), complete, body };
}

const isDefault = (node: Parameters<typeof valueFromASTUntyped>[0] | undefined, value: unknown) =>
  node !== undefined && String(valueFromASTUntyped(node)) === String(value);

const named = (type: TypeNode): string => (type.kind === Kind.NAMED_TYPE ? type.name.value : named(type.type));
const scalars = ["String", "Int", "Float", "Boolean", "ID", "Int64", "UUID", "DateTime"];

// Enum values are written in lower case in paths and queries (WIRE §1.3).
const text = (value: unknown, type: TypeNode) => (scalars.includes(named(type)) ? String(value) : String(value).toLowerCase());
