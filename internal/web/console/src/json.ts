// JSON without loss of digits. Counters of the game (scalar Int64) exceed the safe integers of a
// double, and JSON.parse rounds silently; such numbers become Int64 here.

/** A whole number beyond the safe integers, with all its digits. */
export class Int64 {
  constructor(readonly digits: string) {}
  toString(): string { return this.digits; }
  /** All digits where the browser has JSON.rawJSON, else rounded. */
  toJSON(): unknown {
    const raw = (JSON as unknown as { rawJSON?: (text: string) => unknown }).rawJSON;
    return raw ? raw(this.digits) : Number(this.digits);
  }
}

const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const mark = "\u0000int64:";

/** parseExact is JSON.parse that loses no digit. It throws SyntaxError. */
export function parseExact(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const marked = text.replace(token, (t) => (/^-?\d+$/.test(t) && !Number.isSafeInteger(Number(t)) ? JSON.stringify(mark + t) : t));
  return JSON.parse(marked, (_, v: unknown) => (typeof v === "string" && v.startsWith(mark) ? new Int64(v.slice(mark.length)) : v));
}

/** jsonText is JSON.stringify with every digit of an Int64, in every browser. */
export function jsonText(value: unknown, indent?: number): string {
  const marked = JSON.stringify(value, function (this: Record<string, unknown>, key, v: unknown) {
    const original = this[key];
    return original instanceof Int64 ? mark + original.digits : v;
  }, indent);
  return marked.replace(/"\\u0000int64:(-?\d+)"/g, "$1");
}
