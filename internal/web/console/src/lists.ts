// The lists of a response, at any depth.
import { Int64 } from "./json";

/** A list by its path: `items[].sets` is the sets of all items, concatenated. */
export interface List {
  path: string;
  rows: unknown[];
  /** For each row the indices of its parent entries: one for each `[]` of the path. */
  parents: number[][];
  /** For each row those parent entries. */
  owners: unknown[][];
}

export type Json = Record<string, unknown>;

export const isObject = (v: unknown): v is Json => typeof v === "object" && v !== null && !Array.isArray(v) && !(v instanceof Int64);

/** listsIn returns every list below data, outer ones first, including empty ones. */
export function listsIn(data: unknown): List[] {
  const found = new Map<string, List>();
  const walk = (value: unknown, path: string, parents: number[], owners: unknown[]) => {
    if (Array.isArray(value)) {
      const list = found.get(path) ?? { path, rows: [], parents: [], owners: [] };
      found.set(path, list);
      value.forEach((row, index) => {
        list.rows.push(row);
        list.parents.push(parents);
        list.owners.push(owners);
        walk(row, path + "[]", [...parents, index], [...owners, row]);
      });
    } else if (isObject(value)) {
      for (const [key, v] of Object.entries(value)) walk(v, path === "" ? key : `${path}.${key}`, parents, owners);
    }
  };
  walk(data, "", [], []);
  return [...found.values()].sort((a, b) => depth(a.path) - depth(b.path));
}

const depth = (path: string) => path.split("[]").length;

/** defaultList returns the list that a table shows first: the longest of the outermost lists of objects. */
export function defaultList(lists: List[]): List | undefined {
  const ofObjects = lists.filter((l) => l.rows.some(isObject));
  const candidates = ofObjects.length > 0 ? ofObjects : lists;
  const outer = candidates.filter((l) => depth(l.path) === depth(candidates[0]?.path ?? ""));
  return outer.reduce<List | undefined>((best, l) => (best && best.rows.length >= l.rows.length ? best : l), undefined);
}
