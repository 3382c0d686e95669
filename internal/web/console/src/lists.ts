// The lists of a response, at any depth.
import { Int64 } from "./json";

/** A list by its path: `items[].sets` is the sets of all items, concatenated. */
export interface List {
  path: string;
  /** The entries; undefined for an entry of an outer list that has none here. */
  rows: unknown[];
  /** For each row the indices of its parent entries, the outermost first. */
  parents: number[][];
  /** For each row those parent entries. */
  owners: unknown[][];
}

export type Json = Record<string, unknown>;

export const isObject = (v: unknown): v is Json => typeof v === "object" && v !== null && !Array.isArray(v) && !(v instanceof Int64);

/** listsIn returns every list below data, outer ones first, including empty ones. */
export function listsIn(data: unknown): List[] {
  const paths = new Set<string>();
  const find = (value: unknown, path: string) => {
    if (Array.isArray(value)) {
      paths.add(path);
      for (const row of value) find(row, path + "[]");
    } else if (isObject(value)) {
      for (const [key, v] of Object.entries(value)) find(v, path === "" ? key : `${path}.${key}`);
    }
  };
  find(data, "");
  return [...paths].sort((a, b) => depth(a) - depth(b)).map((path) => listAt(data, path));
}

function listAt(data: unknown, path: string): List {
  const list: List = { path, rows: [], parents: [], owners: [] };
  const add = (row: unknown, parents: number[], owners: unknown[]) => {
    list.rows.push(row);
    list.parents.push(parents);
    list.owners.push(owners);
  };
  const walk = (value: unknown, [keys = [], ...inner]: string[][], parents: number[], owners: unknown[]) => {
    const entries = keys.reduce<unknown>((v, key) => (isObject(v) ? v[key] : undefined), value);
    if (!Array.isArray(entries)) return;
    entries.forEach((entry, index) => {
      if (inner.length === 0) return add(entry, parents, owners);
      const before = list.rows.length;
      const place: [number[], unknown[]] = [[...parents, index], [...owners, entry]];
      walk(entry, inner, ...place);
      if (list.rows.length === before) add(undefined, ...place);
    });
  };
  walk(data, path.split("[]").map((part) => part.split(".").filter(Boolean)), [], []);
  return list;
}

const depth = (path: string) => path.split("[]").length;

/**
 * defaultList returns the list that a table shows first: the longest of the outermost lists of objects or, if its entries
 * have one list of objects, that one, and so on: the points of time series.
 */
export function defaultList(lists: List[]): List | undefined {
  const ofObjects = lists.filter((l) => l.rows.some(isObject));
  const candidates = ofObjects.length > 0 ? ofObjects : lists;
  const outer = candidates.filter((l) => depth(l.path) === depth(candidates[0]?.path ?? ""));
  let best = outer.reduce<List | undefined>((best, l) => (best && best.rows.length >= l.rows.length ? best : l), undefined);
  for (let inner = best && [best]; inner?.length === 1; inner = ofObjects.filter((l) => isListOf(best!.path, l.path))) best = inner[0];
  return best;
}

// isListOf reports whether a list is a field of the entries of another one, or the nodes of a connection there.
function isListOf(outer: string, path: string): boolean {
  const field = path.startsWith(outer + "[].") ? path.slice(outer.length + "[].".length) : "";
  return /^\w+(\.nodes)?$/.test(field);
}
