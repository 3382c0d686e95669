// Saved queries: of guests in this browser.
import type { Query } from "./link";
import { saveSetting, setting } from "./settings";

export interface SavedQuery extends Query {
  id: string;
  name: string;
}

/** Where queries are saved. Changes return the new list, by name. */
export interface Shelf {
  list(): Promise<SavedQuery[]>;
  save(name: string, q: Query): Promise<SavedQuery[]>;
  rename(id: string, name: string): Promise<SavedQuery[]>;
  remove(id: string): Promise<SavedQuery[]>;
}

/** The most queries of a browser. */
export const maxSaved = 100;

const key = "console:saved";

function read(): SavedQuery[] {
  try {
    const all = JSON.parse(setting(key) ?? "[]") as SavedQuery[];
    return Array.isArray(all) ? all : [];
  } catch {
    return [];
  }
}

function write(all: SavedQuery[]): Promise<SavedQuery[]> {
  if (all.length > maxSaved) return Promise.reject(new Error(`At most ${maxSaved} queries can be saved. Delete one first.`));
  const sorted = all.sort((a, b) => a.name.localeCompare(b.name, "en"));
  saveSetting(key, JSON.stringify(sorted));
  return Promise.resolve(sorted);
}

/** The queries that are saved in this browser. */
export const browserShelf: Shelf = {
  list: () => Promise.resolve(read()),
  save: (name, { query, variables }) => write([...read().filter((s) => s.name !== name), { id: String(Date.now()), name, query, variables }]),
  rename: (id, name) => write(read().filter((s) => s.name !== name || s.id === id).map((s) => (s.id === id ? { ...s, name } : s))),
  remove: (id) => write(read().filter((s) => s.id !== id)),
};
