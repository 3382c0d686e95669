// A list as a table: objects inside a row become columns with dotted names.
import { isObject, type List } from "./lists";

/** The value of a cell: undefined if the row lacks the key, null if the response has null. */
export type Cell = unknown;

export interface Table {
  columns: string[];
  rows: Cell[][];
}

/** The column of a row that is not an object. */
export const valueColumn = "value";

interface Column {
  leaf: boolean;
  inner: Map<string, Column>;
}

/**
 * tableOf lays out a list. Columns are in the order of their first appearance, those of one object
 * side by side. If an object is null in one row and not in another, all its columns are null in the
 * first. Lists in a row stay one cell. Rows of a list inside a list begin with the indices of their
 * parent entries, named after their paths.
 */
export function tableOf(list: List): Table {
  const root: Column = { leaf: false, inner: new Map() };
  for (const row of list.rows) isObject(row) ? addColumns(root, row) : row !== null && columnOf(root, valueColumn, true);
  if (root.inner.size === 0 && list.rows.length > 0) columnOf(root, valueColumn, true);
  const paths = leafPaths(root, []);
  const parents = list.path.split("[]").slice(0, -1).map((_, i, parts) => parts.slice(0, i + 1).join("[]") + "[]");
  return {
    columns: [...parents, ...paths.map((p) => p.join("."))],
    rows: list.rows.map((row, i) => [...(list.parents[i] ?? []), ...paths.map((p) => cell(row, p))]),
  };
}

/**
 * withParents returns the table with the values of the entries that hold each row's list, such as the metric of a series
 * of points, in columns that begin with the name of their list: series of a chart need names, not positions.
 */
export function withParents(table: Table, list: List): Table {
  const lists = list.path.split("[]").slice(0, -1).map((path) => path.split(".").at(-1) ?? path);
  const names: string[] = [];
  const rows = list.owners.map((owners) => {
    const cells: Cell[] = [];
    const add = (name: string, value: unknown) => {
      if (isObject(value)) for (const [key, v] of Object.entries(value)) add(`${name}.${key}`, v);
      else if (!Array.isArray(value)) cells[names.includes(name) ? names.indexOf(name) : names.push(name) - 1] = value;
    };
    owners.forEach((owner, depth) => add(lists[depth] ?? "", owner));
    return cells;
  });
  return { columns: [...table.columns, ...names], rows: table.rows.map((row, i) => [...row, ...names.map((_, n) => rows[i]?.[n])]) };
}

function columnOf(parent: Column, name: string, leaf: boolean): Column {
  const column = parent.inner.get(name) ?? { leaf: false, inner: new Map() };
  column.leaf ||= leaf;
  parent.inner.set(name, column);
  return column;
}

function addColumns(column: Column, row: object) {
  for (const [key, value] of Object.entries(row)) {
    if (isObject(value)) addColumns(columnOf(column, key, false), value);
    else columnOf(column, key, value !== null);
  }
}

// A column that is null or an object everywhere has no cells, unless it is never an object: then it
// is a leaf that is null everywhere.
function leafPaths(column: Column, path: string[]): string[][] {
  return [...column.inner].flatMap(([name, inner]) => {
    const here = [...path, name];
    return [...(inner.leaf || inner.inner.size === 0 ? [here] : []), ...leafPaths(inner, here)];
  });
}

function cell(row: unknown, path: string[]): Cell {
  if (!isObject(row)) return row === null ? null : path.length === 1 && path[0] === valueColumn ? row : undefined;
  let at: unknown = row;
  for (const key of path) {
    if (at === null) return null;
    if (!isObject(at)) return undefined;
    at = at[key];
  }
  return isObject(at) ? undefined : at;
}
