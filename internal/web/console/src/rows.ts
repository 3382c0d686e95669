// Sorting, filtering and choosing columns of a table.
import { Int64, jsonText } from "./json";
import type { Cell, Table } from "./table";

export interface Order {
  column: string;
  descending: boolean;
}

/** textOf returns a cell as text, as the table shows it. */
export function textOf(cell: Cell): string {
  if (cell === null || cell === undefined) return "";
  if (Array.isArray(cell) && cell.every((v) => typeof v === "string" || typeof v === "number")) return cell.join(", ");
  return typeof cell === "object" && !(cell instanceof Int64) ? jsonText(cell) : String(cell);
}

/** rowsOf returns the indices of the rows that contain a text, in an order; empty cells come last. */
export function rowsOf(table: Table, filter: string, order: Order | null): number[] {
  const words = filter.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (row: Cell[]) => {
    const text = row.map(textOf).join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const rows = [...table.rows.keys()].filter((i) => words.length === 0 || matches(table.rows[i]!));
  const column = order ? table.columns.indexOf(order.column) : -1;
  if (column < 0) return rows;
  const sign = order!.descending ? -1 : 1;
  return rows.sort((a, b) => {
    const [x, y] = [table.rows[a]![column], table.rows[b]![column]];
    const empty = Number(isEmpty(x)) - Number(isEmpty(y));
    return empty || sign * compare(x, y) || a - b;
  });
}

/** part returns the table of some rows and columns. */
export function part(table: Table, rows: number[], hidden: ReadonlySet<string>): Table {
  const columns = table.columns.map((name, i) => ({ name, i })).filter((c) => !hidden.has(c.name));
  return { columns: columns.map((c) => c.name), rows: rows.map((r) => columns.map((c) => table.rows[r]![c.i])) };
}

const isEmpty = (cell: Cell) => cell === null || cell === undefined;
const isNumber = (cell: Cell): cell is number | Int64 => typeof cell === "number" || cell instanceof Int64;
const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function compare(a: Cell, b: Cell): number {
  if (a instanceof Int64 && b instanceof Int64) return Number(BigInt(a.digits) - BigInt(b.digits) > 0n) - Number(BigInt(a.digits) - BigInt(b.digits) < 0n);
  if (isNumber(a) && isNumber(b)) return Number(a) - Number(b);
  return collator.compare(textOf(a), textOf(b));
}
