// A chart of columns of a table: what a column means, which columns to choose first, and the points.
import { Int64 } from "./json";
import { textOf } from "./rows";
import { now as gameNow } from "./site/clock";
import type { Cell, Form, Table } from "./table";

export type Kind = "line" | "bar" | "points" | "histogram";
export const kinds: Record<Kind, string> = { line: "Line", bar: "Bar", points: "Scatter", histogram: "Histogram" };

/** How the values of a column are placed on an axis. */
export type Scale = "time" | "number" | "text";

/** A chart of columns by name; no series means one. The x of a histogram is the lower bound of each range. */
export interface Choice extends Form {
  kind: Kind;
}

/** The chart of a list of the response. */
export interface Chart extends Choice {
  /** Its path. */
  list: string;
}

/** readChart reads a chart as examples and links have it, `line list=a.points x=at y=value series=metric`; null if it is none. */
export function readChart(text: string): Chart | null {
  const [kind = "", ...parts] = text.trim().split(/\s+/);
  const { list, x, y, series = "" } = Object.fromEntries(parts.map((part) => part.split("=", 2))) as Partial<Chart>;
  return Object.hasOwn(kinds, kind) && list && x && y ? { kind: kind as Kind, list, x, y, series } : null;
}

/** chartText returns what readChart reads. */
export const chartText = ({ kind, list, x, y, series }: Chart) => `${kind} list=${list} x=${x} y=${y}${series === "" ? "" : ` series=${series}`}`;

export interface Points {
  xScale: Scale;
  /** Positions on the x axis, ascending: seconds, numbers, or the index in names. */
  xs: number[];
  /** The values of a text axis. */
  names: string[];
  series: { name: string; values: (number | null)[] }[];
  /** What y is, with its unit. */
  yName: string;
  /** The rows that are left out, by the column without a value. */
  empty: Record<string, number>;
  /** Rows of names beyond the limit, which are left out. */
  beyond: number;
}

/** The series of one chart; more could not be distinguished. Beyond it the largest are drawn, and the others as one. */
export const maxSeries = 10;
/** The categories of a text axis; more cannot be read. */
export const maxNames = 60;

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** scaleOf returns how a column is placed on an axis; null for one without values or with lists. */
export function scaleOf(table: Table, column: string): Scale | null {
  const i = table.columns.indexOf(column);
  const cells = table.rows.map((row) => row[i]).filter((c) => !isEmpty(c));
  if (i < 0 || cells.length === 0 || cells.some((c) => typeof c === "object" && !(c instanceof Int64))) return null;
  if (cells.every((c) => typeof c === "number" || c instanceof Int64)) return "number";
  return cells.every((c) => typeof c === "string" && time.test(c)) ? "time" : "text";
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-/i;

// isId reports whether the values of a column name things for programs.
function isId(table: Table, column: string): boolean {
  const i = table.columns.indexOf(column);
  const values = table.rows.map((row) => row[i]).filter((v) => !isEmpty(v));
  return /(^|\.)(id|uuid|cursor)$|Id$|Uuid$/.test(column) || (values.length > 0 && values.every((v) => typeof v === "string" && uuid.test(v)));
}

/**
 * columnsFor returns the columns that each part of a chart can have. Ids say nothing to people, and a value of an entry
 * that contains the rows is the same for all of them.
 */
export function columnsFor(table: Table): { x: string[]; y: string[]; series: string[] } {
  const columns = table.columns.map((name, i) => ({ name, scale: scaleOf(table, name), own: i >= (table.outer ?? 0) }));
  const named = columns.filter(({ name, scale }) => scale && !isId(table, name));
  return {
    x: named.map(({ name }) => name),
    y: named.filter(({ own, scale }) => own && scale !== "text").map(({ name }) => name),
    series: named.filter(({ scale }) => scale !== "time").map(({ name }) => name),
  };
}

/** fits reports whether a table has the columns of a chart. A column that is empty was not chosen yet. */
export function fits(table: Table, { x, y, series }: Choice): boolean {
  const columns = columnsFor(table);
  if (x === "" || y === "") return (x === "" || columns.x.includes(x)) && (y === "" || columns.y.includes(y));
  return columns.x.includes(x) && columns.y.includes(y) && (series === "" || columns.series.includes(series));
}

/**
 * defaultChoice returns the chart that is shown first; null if none says something: fewer than two rows, no numbers, or
 * nothing to tell the rows apart. A time is the x of lines only if
 * rows are points of a series, not things with a date. Values of x that repeat need a series that distinguishes them.
 */
export function defaultChoice(table: Table): Choice | null {
  const { x, y, series } = columnsFor(table);
  const distinct = (...columns: string[]) => new Set(table.rows.map((row) => columns.map((c) => textOf(row[table.columns.indexOf(c)])).join("\n"))).size;
  const texts = x.filter((c) => scaleOf(table, c) === "text" && distinct(c) > 1).sort((a, b) => distinct(b) - distinct(a));
  const values = y.filter((c) => scaleOf(table, c) === "number" && !/(^|\.)(position|rank|previous)$|\[\]$/i.test(c));
  if (table.rows.length < 2) return null;

  const min = values.find((c) => upperBound(table, c) !== null);
  const count = values.find((c) => c !== min && (min === undefined || c !== upperBound(table, min)));
  if (min !== undefined && count !== undefined) return { x: min, y: count, series: "", kind: "histogram" };

  const groups = [...series.filter((c) => scaleOf(table, c) === "text"), ...series.filter((c) => c.endsWith("[]"))];
  const seriesFor = (c: string) => groups.find((g) => g !== c && distinct(g) > 1 && distinct(g) <= table.rows.length / 2 && distinct(c, g) === table.rows.length);
  const repeats = (c: string) => {
    const names = table.rows.map((row) => textOf(row[table.columns.indexOf(c)])).filter((name) => name !== ""); // a hidden one is no repetition
    return new Set(names).size < names.length;
  };
  const things = texts.some((c) => !repeats(c));
  const xColumn = (things ? undefined : x.find((c) => scaleOf(table, c) === "time")) ?? texts[0] ?? values[0];
  const yColumn = values.find((c) => c !== xColumn);
  if (xColumn === undefined || yColumn === undefined) return null;
  const scale = scaleOf(table, xColumn);
  const second = values.find((c) => c !== yColumn);
  if (scale === "text" && distinct(xColumn) > maxNames && second !== undefined) {
    return { x: yColumn, y: second, series: groups.find((g) => distinct(g) > 1 && distinct(g) <= maxSeries) ?? "", kind: "points" };
  }
  const group = repeats(xColumn) ? seriesFor(xColumn) : undefined;
  const drawn = scale === "time" ? "line" : scale === "text" ? "bar" : "points";
  return { x: xColumn, y: yColumn, series: group ?? "", kind: repeats(xColumn) && group === undefined ? "points" : drawn };
}

// upperBound returns the column of the upper bounds of ranges, null if a column has no lower bounds: `max` for `min`.
function upperBound(table: Table, column: string): string | null {
  const upper = column.replace(/\bmin$/, "max");
  return upper !== column && table.columns.includes(upper) ? upper : null;
}

const day = 86_400;
const units: [string, number][] = [["days", day], ["hours", 3600], ["minutes", 60]];

// measureOf returns what a column is as y, and the number of a cell: for times the days since then, for seconds the
// largest unit of which the longest has two.
function measureOf(table: Table, column: string, now: number): { name: string; of: (cell: Cell) => number } {
  const i = table.columns.indexOf(column);
  if (scaleOf(table, column) === "time") {
    return { name: `days since ${column}`, of: (cell) => Math.round((now - Date.parse(cell as string)) / (100 * day)) / 10 };
  }
  const longest = table.rows.reduce((most, row) => Math.max(most, Number(row[i] ?? 0)), 0);
  const [unit, size] = (column.endsWith("Seconds") && units.find(([, size]) => longest >= 2 * size)) || ["", 1];
  return unit === "" ? { name: column, of: Number } : { name: column.replace(/Seconds$/, ` (${unit})`), of: (cell) => Number(cell) / size };
}

interface Point {
  x: number | string;
  y: number;
  group: string;
}

/**
 * pointsOf returns the points of a chart. Rows with the same x share a position if they are of different series. On a text
 * axis each restricted row has a name of its own.
 */
export function pointsOf(table: Table, choice: Choice, now = gameNow().getTime()): Points {
  const measure = measureOf(table, choice.y, now);
  const cell = (row: Cell[], column: string | null) => (column === null ? null : row[table.columns.indexOf(column)]);
  const scale = scaleOf(table, choice.x) ?? "text";
  const upper = upperBound(table, choice.x);
  const restricted = table.columns.flatMap((c, i) => (/(^|\.)restricted$/.test(c) ? [i] : []));
  const nameless = (row: Cell[]) => (restricted.some((i) => row[i] === true) ? "hidden" : "none");
  let hidden = 0;
  const xOf = (row: Cell[]) => {
    const x = cell(row, choice.x);
    if (choice.kind === "histogram") return upper === null ? textOf(x) : `${textOf(x)}–${textOf(cell(row, upper))}`;
    if (scale !== "text") return scale === "time" ? Date.parse(x as string) / 1000 : Number(x);
    return textOf(x) || (nameless(row) === "hidden" ? `hidden ${++hidden}` : "none");
  };
  const empty: Record<string, number> = {};
  const found = table.rows.flatMap((row): Point[] => {
    const y = cell(row, choice.y);
    const lacking = scale !== "text" && isEmpty(cell(row, choice.x)) ? choice.x : isEmpty(y) || !Number.isFinite(measure.of(y)) ? choice.y : "";
    if (lacking !== "") {
      empty[lacking] = (empty[lacking] ?? 0) + 1;
      return [];
    }
    return [{ x: xOf(row), y: measure.of(y), group: choice.series === "" ? measure.name : textOf(cell(row, choice.series)) || nameless(row) }];
  });
  const xScale = choice.kind === "histogram" ? "text" : scale;
  const names = xScale === "text" ? [...new Set(found.map((p) => String(p.x)))].slice(0, maxNames) : [];
  const drawn = largest(found, choice.kind);
  const groups = [...new Set(drawn.map((p) => p.group))];
  const points = drawn
    .map((p) => ({ ...p, at: typeof p.x === "string" ? names.indexOf(p.x) : p.x }))
    .filter((p) => typeof p.x === "number" || p.at >= 0)
    .sort((a, b) => a.at - b.at);
  const xs: number[] = [];
  const values: (number | null)[][] = groups.map(() => []);
  let first = 0; // of the positions with the x of the last point
  for (const p of points) {
    if (xs.length === 0 || xs[xs.length - 1] !== p.at) first = xs.length;
    const own = values[groups.indexOf(p.group)]!;
    let at = first;
    while (at < xs.length && own[at] !== null) at++;
    if (at === xs.length) {
      xs.push(p.at);
      for (const v of values) v.push(null);
    }
    own[at] = p.y;
  }
  const beyond = xScale === "text" ? found.filter((p) => !names.includes(String(p.x))).length : 0;
  return { xScale, xs, names, yName: measure.name, series: groups.map((name, i) => ({ name, values: values[i]! })), empty, beyond };
}

// largest returns the points of the largest series, and the points of all others as one series: their sum at each x for bars, their
// mean for lines, each for itself in a scatter chart.
function largest(points: Point[], kind: Kind): Point[] {
  const totals = new Map<string, number>();
  for (const p of points) totals.set(p.group, (totals.get(p.group) ?? 0) + Math.abs(p.y));
  if (totals.size <= maxSeries) return points;
  const own = new Set([...totals].sort((a, b) => b[1] - a[1]).slice(0, maxSeries - 1).map(([name]) => name));
  const others = points.filter((p) => !own.has(p.group));
  const group = `${totals.size - own.size} others${kind === "points" ? "" : kind === "line" ? " (mean)" : " (sum)"}`;
  const at = new Map<number | string, number[]>();
  for (const p of others) at.set(p.x, [...(at.get(p.x) ?? []), p.y]);
  const merged = kind === "points" ? others.map((p) => ({ ...p, group })) : [...at].map(([x, ys]) => {
    const sum = ys.reduce((a, b) => a + b, 0);
    return { x, y: kind === "line" ? sum / ys.length : sum, group };
  });
  return [...points.filter((p) => own.has(p.group)), ...merged];
}

/** coloursOf returns the colours of series that have one: of guilds whose names are beside a column `colour`. */
export function coloursOf(table: Table, { series }: Choice): Map<string, string> {
  const [name, colour] = [series, series.replace(/[^.]*$/, "colour")].map((c) => table.columns.indexOf(c)) as [number, number];
  return new Map(table.rows.map((row) => [textOf(row[name]), textOf(row[colour])] as const).filter(([, c]) => /^#[0-9a-f]{6}$/i.test(c)));
}

/** describe says what a chart draws, for people who do not see it. Its y axis has two ends. */
export function describe({ xScale, xs, names, yName, series }: Points, kind: Kind, [low, high]: [number, number]): string {
  const count = series.reduce((sum, s) => sum + s.values.filter((v) => v !== null).length, 0);
  const ends = [xs[0], xs.at(-1)].map((x) => (x === undefined ? "" : xScale === "time" ? new Date(x * 1000).toISOString() : xScale === "text" ? names[x]! : String(x)));
  const rounded = (n: number) => Number(n.toPrecision(3));
  return `${kinds[kind]}: ${count} points, series ${series.map((s) => s.name).join(", ")}, from ${ends.join(" to ")}, ${yName} on an axis from ${rounded(low)} to ${rounded(high)}.`;
}

/** columnsOf returns the columns of a chart as a table. */
export function columnsOf(table: Table, { x, y, series }: Choice): Table {
  const columns = [...new Set([x, series, y])].filter((c) => table.columns.includes(c));
  return { columns, rows: table.rows.map((row) => columns.map((c) => row[table.columns.indexOf(c)])) };
}

const isEmpty = (cell: Cell) => cell === null || cell === undefined;
