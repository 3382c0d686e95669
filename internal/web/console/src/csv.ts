// Downloads of a table. CSV follows RFC 4180: lines end in CR LF; a field with a comma, a quote or
// a line break is quoted. Null and absent values are empty fields, an empty string is "".
//
// The file begins with the UTF-8 byte order mark: without it Excel reads names outside ASCII
// in the local code page, and other readers skip it. A string that a spreadsheet would run as a
// formula gets an apostrophe in front; numbers are unchanged, negative ones too.
import { Int64, jsonText } from "./json";
import type { Cell, Table } from "./table";

export const byteOrderMark = "\uFEFF";

// A sign of formulas in any width, behind any characters that nobody sees.
const formula = /^([\t\r\n]|[\p{White_Space}\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫⁺⁻⁼₊₋₌−])/u;

/** field returns one CSV field. */
export function field(cell: Cell): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "number" || typeof cell === "boolean" || cell instanceof Int64) return String(cell);
  const text = typeof cell === "string" ? cell : jsonText(cell);
  const safe = formula.test(text) ? "'" + text : text;
  return safe === "" || /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** csv returns the whole file, header line first. */
export function csv(table: Table): string {
  const lines = [table.columns, ...table.rows].map((cells) => cells.map(field).join(",") + "\r\n");
  return byteOrderMark + lines.join("");
}

/** ndjson returns one JSON text per line, the rows of the response. */
export function ndjson(rows: unknown[]): string {
  return rows.map((row) => jsonText(row) + "\n").join("");
}
