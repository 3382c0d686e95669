import { parseAsTyped } from "./json";
import { isObject, type Json } from "./lists";

/** variablesOf parses the variables editor; anything but an object is none. */
export function variablesOf(text: string): Json {
  try {
    const value: unknown = parseAsTyped(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** headersOf parses the headers editor; only strings can be sent. */
export function headersOf(text: string): Record<string, string> {
  return Object.fromEntries(Object.entries(variablesOf(text)).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
