// The lists of an answer, wherever they stand in it.
import { Int64 } from "./exact";

/** A list by its path: `items[].sets` means the sets of every item, one after the other. */
export interface List {
  path: string;
  rows: unknown[];
  /** For each row the places, from 0, of the entries it stands under: one for each `[]` of the path. */
  under: number[][];
}

export type Json = Record<string, unknown>;

export const isObject = (v: unknown): v is Json => typeof v === "object" && v !== null && !Array.isArray(v) && !(v instanceof Int64);

/** listsIn finds every list below data, outer ones first; lists that are empty everywhere too. */
export function listsIn(data: unknown): List[] {
  const found = new Map<string, List>();
  const walk = (value: unknown, path: string, under: number[]) => {
    if (Array.isArray(value)) {
      const list = found.get(path) ?? { path, rows: [], under: [] };
      found.set(path, list);
      value.forEach((row, place) => {
        list.rows.push(row);
        list.under.push(under);
        walk(row, path + "[]", [...under, place]);
      });
    } else if (isObject(value)) {
      for (const [key, v] of Object.entries(value)) walk(v, path === "" ? key : `${path}.${key}`, under);
    }
  };
  walk(data, "", []);
  return [...found.values()].sort((a, b) => depth(a.path) - depth(b.path));
}

const depth = (path: string) => path.split("[]").length;

/** bestList is the list that a table shows unasked: the longest of the outermost lists of objects. */
export function bestList(lists: List[]): List | undefined {
  const ofObjects = lists.filter((l) => l.rows.some(isObject));
  const pool = ofObjects.length > 0 ? ofObjects : lists;
  const outer = pool.filter((l) => depth(l.path) === depth(pool[0]?.path ?? ""));
  return outer.reduce<List | undefined>((best, l) => (best && best.rows.length >= l.rows.length ? best : l), undefined);
}
