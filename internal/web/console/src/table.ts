// A list as a table: objects inside a row become columns with dotted names.
import { isObject, type List } from "./lists";

/** The value of a cell: undefined if the row lacks the key, null if the response has null. */
export type Cell = unknown;

export interface Table {
  columns: string[];
  rows: Cell[][];
  /** How many columns at the beginning belong to the entries that contain the rows; 0 if undefined. */
  outer?: number;
}

/** The column of a row that is not an object. */
export const valueColumn = "value";

interface Column {
  leaf: boolean;
  inner: Map<string, Column>;
}

/**
 * tableOf lays out a list. Columns are in the order of their first appearance, columns of one object
 * side by side. If an object is null in one row and not in another, all its columns are null in the
 * first. Lists in a row stay one cell. Rows of a list inside a list begin with the values of the
 * entries that contain them, lists excepted: `metric`, `at`, `value`. Where an inner column has the
 * name, it is `series[].metric`. An entry without values is represented by its index, named after its list.
 */
export function tableOf(list: List): Table {
  let table = layOut(list.rows);
  if (table.columns.length === 0 && list.rows.length > 0) table = { columns: [valueColumn], rows: list.rows.map((row) => [isObject(row) ? undefined : row]) };
  const outer = list.path.split("[]").slice(0, -1).map((_, i, parts) => parts.slice(0, i + 1).join("[]") + "[]");
  for (const [depth, path] of [...outer.entries()].reverse()) {
    const inner = table;
    const all = layOut(list.owners.map((owners) => owners[depth]));
    const plain = [...all.columns.keys()].filter((c) => !all.rows.some((row) => Array.isArray(row[c])));
    const names = plain.map((c) => all.columns[c]!).map((name) => (inner.columns.includes(name) ? `${path}.${name}` : name));
    table = plain.length > 0
      ? { columns: [...names, ...inner.columns], rows: inner.rows.map((row, i) => [...plain.map((c) => all.rows[i]![c]), ...row]) }
      : { columns: [path, ...inner.columns], rows: inner.rows.map((row, i) => [list.parents[i]![depth], ...row]) };
    table.outer = (inner.outer ?? 0) + (plain.length || 1);
  }
  return table;
}

function layOut(rows: unknown[]): Table {
  const root: Column = { leaf: false, inner: new Map() };
  for (const row of rows) isObject(row) ? addColumns(root, row) : row !== null && row !== undefined && columnOf(root, valueColumn, true);
  const paths = leafPaths(root, []);
  return { columns: paths.map((p) => p.join(".")), rows: rows.map((row) => paths.map((p) => cell(row, p))) };
}

/** Columns of a table that make a wide one: a row for each x, a column for each series with its y. */
export interface Form {
  x: string;
  y: string;
  series: string;
}

/** wideForm returns a table with a column for each series. The first value of a series at an x counts. */
export function wideForm(table: Table, { x, y, series }: Form): Table {
  const [xColumn, yColumn, sColumn] = [x, y, series].map((c) => table.columns.indexOf(c)) as [number, number, number];
  const names: string[] = [];
  const rows = new Map<string, Cell[]>();
  for (const row of table.rows) {
    if (row[xColumn] === undefined) continue; // a series without points
    const key = String(row[xColumn]);
    const cells = rows.get(key) ?? [row[xColumn]];
    rows.set(key, cells);
    const name = String(row[sColumn]);
    const at = 1 + (names.includes(name) ? names.indexOf(name) : names.push(name) - 1);
    cells[at] ??= row[yColumn];
  }
  return { columns: [x, ...names], rows: [...rows.values()].map((cells) => [cells[0], ...names.map((_, i) => cells[i + 1])]) };
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
