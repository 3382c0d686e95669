// Saved queries: of a signed-in user in the account, of a guest in this browser.
import { post } from "./client";
import type { Query } from "./link";
import { saveSetting, setting } from "./settings";

/** A saved query; its name is unique. */
export interface SavedQuery extends Query {
  name: string;
  /** Its id in the account; none in this browser. */
  id?: string;
}

/** Where queries are saved. Every call returns the list after it, by name; it fails with a text for the user. */
export interface Shelf {
  list(): Promise<SavedQuery[]>;
  /** Replaces a query of the same name. */
  save(q: SavedQuery): Promise<SavedQuery[]>;
  rename(q: SavedQuery, name: string): Promise<SavedQuery[]>;
  remove(q: SavedQuery): Promise<SavedQuery[]>;
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
  rename: async (renamed, name) => {
    if (renamed.name !== name && read().some((q) => q.name === name)) throw new Error("Another query is saved under that name.");
    return write(read().map((q) => (q.name === renamed.name ? { ...q, name } : q)));
  },
  remove: async (removed) => write(read().filter((q) => q.name !== removed.name)),
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

const stored = async () => (await send("{ viewer { savedQueries { id name query variables } } }")).viewer?.savedQueries ?? null;

async function change(mutation: string, input: object): Promise<SavedQuery[]> {
  const type = mutation[0]?.toUpperCase() + mutation.slice(1) + "Input";
  await send(`mutation($input: ${type}!) { ${mutation}(input: $input) { userErrors { message } } }`, input);
  return (await stored()) ?? [];
}

/** The queries that are saved in the account. */
export const accountShelf: Shelf = {
  list: async () => (await stored()) ?? [],
  save: async ({ name, query, variables }) => {
    const old = (await stored())?.find((q) => q.name === name);
    return old ? change("updateSavedQuery", { id: old.id, query, variables }) : change("createSavedQuery", { name, query, variables });
  },
  rename: ({ id }, name) => change("updateSavedQuery", { id, name }),
  remove: ({ id }) => change("deleteSavedQuery", { id }),
};

/** shelfOfUser returns the shelf of the account, for a guest that of the browser. */
export const shelfOfUser = async (): Promise<Shelf> => ((await stored()) === null ? browserShelf : accountShelf);
