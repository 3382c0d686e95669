// A chart of two columns of a table: what a column means, which columns to choose first, and the points.
import { Int64 } from "./json";
import { textOf } from "./rows";
import type { Cell, Table } from "./table";

export type Kind = "line" | "bar" | "points";
export const kinds: Record<Kind, string> = { line: "Line", bar: "Bar", points: "Scatter" };

/** How the values of a column are placed on an axis. */
export type Scale = "time" | "number" | "text";

/** A chart of columns by name; no series means one. */
export interface Choice {
  x: string;
  y: string;
  series: string;
  kind: Kind;
}

export interface Points {
  xScale: Scale;
  /** Positions on the x axis, ascending: seconds, numbers, or the index in names. */
  xs: number[];
  /** The values of a text axis. */
  names: string[];
  series: { name: string; values: (number | null)[] }[];
  /** Rows that are left out: of further series, or with a missing value. */
  omitted: number;
}

/** The series of one chart; more could not be distinguished. */
export const maxSeries = 10;
/** The categories of a text axis; more cannot be read. */
export const maxNames = 60;

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** scaleOf returns how a column is placed on an axis; null for one without values or with lists. */
export function scaleOf(table: Table, column: string): Scale | null {
  const i = table.columns.indexOf(column);
  const cells = table.rows.map((row) => row[i]).filter((c) => c !== null && c !== undefined);
  if (i < 0 || cells.length === 0 || cells.some((c) => typeof c === "object" && !(c instanceof Int64))) return null;
  if (cells.every((c) => typeof c === "number" || c instanceof Int64)) return "number";
  return cells.every((c) => typeof c === "string" && time.test(c)) ? "time" : "text";
}

/** columnsFor returns the columns that each part of a chart can have. */
export function columnsFor(table: Table): { x: string[]; y: string[]; series: string[] } {
  const scales = new Map(table.columns.map((c) => [c, scaleOf(table, c)]));
  const having = (...wanted: (Scale | null)[]) => table.columns.filter((c) => wanted.includes(scales.get(c) ?? null));
  return { x: having("time", "number", "text"), y: having("number"), series: having("text", "number") };
}

/** defaultChoice returns the chart that is shown first; null if the table has no numbers. */
export function defaultChoice(table: Table): Choice | null {
  const { x, y, series } = columnsFor(table);
  const scale = (c: string) => scaleOf(table, c);
  const distinct = (c: string) => new Set(table.rows.map((row) => textOf(row[table.columns.indexOf(c)]))).size;
  const index = /\[\]$/; // the positions of parent entries
  const byTime = x.find((c) => scale(c) === "time");
  const byName = x.filter((c) => scale(c) === "text").sort((a, b) => distinct(b) - distinct(a))[0];
  const values = y.filter((c) => !index.test(c));
  const xColumn = byTime ?? byName ?? values[0];
  const yColumn = values.find((c) => c !== xColumn && !/(^|\.)(position|rank)$/i.test(c)) ?? values.find((c) => c !== xColumn) ?? values[0];
  if (xColumn === undefined || yColumn === undefined) return null;
  const repeats = byTime !== undefined && distinct(xColumn) < table.rows.length;
  const groups = series.filter((c) => c !== xColumn && c !== yColumn && distinct(c) > 1 && distinct(c) <= maxSeries);
  const group = repeats ? (groups.find((c) => scale(c) === "text") ?? groups[0]) : undefined;
  return { x: xColumn, y: yColumn, series: group ?? "", kind: byTime !== undefined ? "line" : scale(xColumn) === "text" ? "bar" : "points" };
}

/** pointsOf returns the points of a chart. Rows with the same x share a position if they are of different series. */
export function pointsOf(table: Table, choice: Choice): Points {
  const [x, y, s] = [choice.x, choice.y, choice.series].map((c) => table.columns.indexOf(c)) as [number, number, number];
  const xScale = scaleOf(table, choice.x) ?? "text";
  const names: string[] = [];
  const groups: string[] = [];
  const points: { x: number; y: number; group: number }[] = [];
  for (const row of table.rows) {
    const value = row[y];
    if (isEmpty(row[x]) || isEmpty(value)) continue;
    const group = indexIn(groups, s < 0 ? choice.y : textOf(row[s]) || "none", maxSeries);
    const at = xScale === "text" ? indexIn(names, textOf(row[x]), maxNames) : xScale === "time" ? Date.parse(row[x] as string) / 1000 : Number(row[x]);
    const number = Number(value);
    if (group >= 0 && Number.isFinite(number) && (xScale !== "text" || at >= 0) && Number.isFinite(at)) points.push({ x: at, y: number, group });
  }
  points.sort((a, b) => a.x - b.x);
  const xs: number[] = [];
  const values: (number | null)[][] = groups.map(() => []);
  let first = 0; // of the positions with the x of the last point
  for (const p of points) {
    if (xs.length === 0 || xs[xs.length - 1] !== p.x) first = xs.length;
    let at = first;
    while (at < xs.length && values[p.group]![at] !== null) at++;
    if (at === xs.length) {
      xs.push(p.x);
      for (const v of values) v.push(null);
    }
    values[p.group]![at] = p.y;
  }
  return { xScale, xs, names, series: groups.map((name, i) => ({ name, values: values[i]! })), omitted: table.rows.length - points.length };
}

/** columnsOf returns the columns of a chart as a table. */
export function columnsOf(table: Table, { x, y, series }: Choice): Table {
  const columns = [...new Set([x, series, y])].filter((c) => table.columns.includes(c));
  return { columns, rows: table.rows.map((row) => columns.map((c) => row[table.columns.indexOf(c)])) };
}

const isEmpty = (cell: Cell) => cell === null || cell === undefined;

// indexIn returns the index of a name and adds it below a limit, else -1.
function indexIn(names: string[], name: string, most: number): number {
  const known = names.indexOf(name);
  return known >= 0 || names.length >= most ? known : names.push(name) - 1;
}
