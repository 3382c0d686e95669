// Taking a table away. CSV follows RFC 4180: lines end in CR LF, a field with a comma, a quote
// or a line break stands in quotes. Null and absent are empty fields, an empty text is "".
//
// The file begins with the UTF-8 byte order mark: without it Excel reads names outside ASCII
// in the local code page, and other readers skip it. A text that a spreadsheet would run as a
// formula gets an apostrophe before it; numbers stay as they are, negative ones too.
import { Int64, jsonText } from "./exact";
import type { Cell, Table } from "./table";

export const byteOrderMark = "\uFEFF";

const formula = /^[=+\-@\t\r]/;

/** field is one CSV field. */
export function field(cell: Cell): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "number" || typeof cell === "boolean" || cell instanceof Int64) return String(cell);
  const text = typeof cell === "string" ? cell : jsonText(cell);
  const safe = formula.test(text) ? "'" + text : text;
  return safe === "" || /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** csv is the whole file, header line first. */
export function csv(table: Table): string {
  const lines = [table.columns, ...table.rows].map((cells) => cells.map(field).join(",") + "\r\n");
  return byteOrderMark + lines.join("");
}

/** ndjson is one JSON text a line, the rows as the answer holds them. */
export function ndjson(rows: unknown[]): string {
  return rows.map((row) => jsonText(row) + "\n").join("");
}
