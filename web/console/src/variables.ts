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
