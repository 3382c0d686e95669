import { isObject, type Json } from "./lists";

/** variablesOf reads the variables editor; what is not an object yet counts as none. */
export function variablesOf(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** headersOf reads the headers editor; only texts can be sent. */
export function headersOf(text: string): Record<string, string> {
  return Object.fromEntries(Object.entries(variablesOf(text)).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
