// Saved queries: of a signed-in user in the account, of a guest in this browser.
import { post } from "./client";
import type { Query } from "./link";
import { saveSetting, setting } from "./settings";

/** A saved query; its name is unique. */
export interface SavedQuery extends Query {
  name: string;
}

/** Where queries are saved. Every call returns the list after it, by name; it fails with a text for the user. */
export interface Shelf {
  list(): Promise<SavedQuery[]>;
  save(q: SavedQuery): Promise<SavedQuery[]>;
  rename(savedAs: string, name: string): Promise<SavedQuery[]>;
  remove(savedAs: string): Promise<SavedQuery[]>;
}

/** The most queries of a browser, as of an account. */
export const maxSaved = 50;

const key = "console:saved";

function read(): SavedQuery[] {
  try {
    const all = JSON.parse(setting(key) ?? "[]") as SavedQuery[];
    return Array.isArray(all) ? all : [];
  } catch {
    return [];
  }
}

function write(all: SavedQuery[]): SavedQuery[] {
  if (all.length > maxSaved) throw new Error(`At most ${maxSaved} queries can be saved. Delete one first.`);
  const sorted = all.sort((a, b) => a.name.localeCompare(b.name, "en"));
  saveSetting(key, JSON.stringify(sorted));
  return sorted;
}

/** The queries that are saved in this browser. */
export const browserShelf: Shelf = {
  list: async () => read(),
  save: async ({ name, query, variables }) => write([...read().filter((q) => q.name !== name), { name, query, variables }]),
  rename: async (savedAs, name) => {
    if (savedAs !== name && read().some((q) => q.name === name)) throw new Error("Another query is saved under that name.");
    return write(read().map((q) => (q.name === savedAs ? { ...q, name } : q)));
  },
  remove: async (savedAs) => write(read().filter((q) => q.name !== savedAs)),
};

interface Payload {
  /** Of a mutation. */
  userErrors?: { message: string }[];
  /** Of the viewer; null for a guest. */
  savedQueries?: SavedQuery[] | null;
}

async function send(query: string, input?: object): Promise<Record<string, Payload>> {
  const { data, errors } = (await (await post({ query, variables: { input } })).json()) as { data?: Record<string, Payload>; errors?: { message: string }[] };
  const error = errors?.[0] ?? Object.values(data ?? {}).flatMap((payload) => payload?.userErrors ?? [])[0];
  if (error || !data) throw new Error(error?.message ?? "The service did not respond as expected.");
  return data;
}

const stored = async () => (await send("{ viewer { savedQueries { name query variables } } }")).viewer?.savedQueries ?? null;

async function change(mutation: string, type: string, input: object): Promise<SavedQuery[]> {
  await send(`mutation($input: ${type}!) { ${mutation}(input: $input) { userErrors { message } } }`, input);
  return (await stored()) ?? [];
}

/** The queries that are saved in the account. */
export const accountShelf: Shelf = {
  list: async () => (await stored()) ?? [],
  save: ({ name, query, variables }) => change("saveQuery", "SaveQueryInput", { name, query, variables }),
  rename: (savedAs, name) => change("renameSavedQuery", "RenameSavedQueryInput", { savedAs, name }),
  remove: (savedAs) => change("deleteSavedQuery", "DeleteSavedQueryInput", { savedAs }),
};

/** shelfOfUser returns the shelf of the account, for a guest that of the browser. */
export const shelfOfUser = async (): Promise<Shelf> => ((await stored()) === null ? browserShelf : accountShelf);
