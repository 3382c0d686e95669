// JSON without loss of digits. Counters of the game (scalar Int64) exceed the safe integers of a
// double, and JSON.parse rounds silently; such numbers become Int64 here.

/** A number that a double would change, as it is written. */
export class Int64 {
  constructor(readonly digits: string) {}
  toString(): string { return this.digits; }
  /** All digits where the browser has JSON.rawJSON, else rounded. */
  toJSON(): unknown {
    const raw = (JSON as unknown as { rawJSON?: (text: string) => unknown }).rawJSON;
    return raw ? raw(this.digits) : Number(this.digits);
  }
}

const token = /"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const mark = "\u0000int64:";

/** parseExact is JSON.parse that loses no digit of whole numbers. It throws SyntaxError. */
export function parseExact(text: string): unknown {
  return /\d{16}/.test(text) ? parse(text, (t) => /^-?\d+$/.test(t) && !Number.isSafeInteger(Number(t))) : JSON.parse(text);
}

/** parseAsTyped parses JSON with comments and trailing commas. Every number remains as it is written. It throws SyntaxError. */
export function parseAsTyped(text: string): unknown {
  const plain = text.replace(/("(?:[^"\\]|\\.)*")|\/\/.*|\/\*[^]*?\*\//g, (_, text?: string) => text ?? " ")
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, text?: string) => text ?? "");
  return parse(plain, (t) => numberAsTyped(t) instanceof Int64);
}

/** numberAsTyped returns a number, with its digits where a double would be written differently. */
export const numberAsTyped = (t: string) => (String(Number(t)) === t ? Number(t) : new Int64(t));

function parse(text: string, isExact: (number: string) => boolean): unknown {
  const marked = text.replace(token, (t) => (!t.startsWith('"') && isExact(t) ? JSON.stringify(mark + t) : t));
  return JSON.parse(marked, (_, v: unknown) => (typeof v === "string" && v.startsWith(mark) ? new Int64(v.slice(mark.length)) : v));
}

/** jsonText is JSON.stringify with every digit of an Int64, in every browser. */
export function jsonText(value: unknown, indent?: number): string {
  const marked = JSON.stringify(value, function (this: Record<string, unknown>, key, v: unknown) {
    const original = this[key];
    return original instanceof Int64 ? mark + original.digits : v;
  }, indent);
  return marked.replace(/"\\u0000int64:([-+.\deE]+)"/g, "$1");
}
