// Suggestions below the search fields: a combobox with a listbox, as the ARIA practices describe it.
import { onKey } from "../keys";
import { named } from "./named";

export interface Suggestion { path: string; text: string; kind: string; picture?: string }

type Find = (query: string, signal: AbortSignal) => Promise<Suggestion[]>;

/** suggest adds suggestions to the search of the site. */
export function suggest() {
  const fields = document.querySelectorAll<HTMLInputElement>('form[role=search][action="/search"] input[type=search]');
  for (const field of fields) addSuggestions(field, findOnServer);
}

/** focusByShortcut moves the focus to the search when the user presses Ctrl+K, or ⌘K on a Mac. */
export function focusByShortcut() {
  const field = document.querySelector<HTMLInputElement>("#docs-find") ?? document.querySelector<HTMLInputElement>("body:not(.app) #find"); // the console has an editor
  if (!field) return;
  const apple = /Mac|iPhone|iPad/.test(navigator.platform);
  field.placeholder += apple ? " (⌘K)" : " (Ctrl+K)";
  onKey(document, (event) => {
    if (event.key !== "k" || !(apple ? event.metaKey : event.ctrlKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}

// Players and guilds come first: of every other kind of thing there are two.
const findOnServer: Find = async (query, signal) => {
  const found = await findIn("", query, signal);
  const others = (s: Suggestion) => s.path.split("/")[1]!;
  return found.filter((s, i) => s.kind === "Player" || s.kind === "Guild"
    || found.slice(0, i).filter((before) => others(before) === others(s)).length < 2);
};

/** findIn returns suggestions of a category of the search, of all if it is empty. */
export async function findIn(category: string, query: string, signal: AbortSignal): Promise<Suggestion[]> {
  const response = await fetch(`/search/suggestions?query=${encodeURIComponent(query)}&categories=${category}`, { signal });
  return response.ok ? ((await response.json()) as Suggestion[]) : [];
}

/** addSuggestions shows what find returns below a field while the user types. What they choose is passed to choose, or opened. */
export function addSuggestions(field: HTMLInputElement, find: Find, choose?: (s: Suggestion) => void) {
  const list = document.createElement("ul");
  list.id = `${field.id}-suggestions`;
  list.className = "suggestions";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  field.after(list);
  field.setAttribute("role", "combobox");
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-controls", list.id);
  field.setAttribute("aria-expanded", "false");
  let shown: Suggestion[] = [];
  let active = -1;
  let timer = 0;
  let pending: AbortController | undefined;

  const close = () => {
    list.hidden = true;
    active = -1;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  };
  const select = (next: number) => {
    active = next;
    [...list.children].forEach((option, i) => option.setAttribute("aria-selected", String(i === active)));
    const option = list.children[active];
    if (option) {
      field.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else field.removeAttribute("aria-activedescendant");
  };
  const take = (chosen: Suggestion) => {
    close();
    if (choose) choose(chosen);
    else location.assign(chosen.path);
  };
  const show = (found: Suggestion[]) => {
    const selected = shown[active]?.path;
    shown = found;
    list.replaceChildren(...found.map((s, i) => {
      const option = document.createElement("li");
      option.id = `${list.id}-${i}`;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      const kind = document.createElement("small");
      kind.textContent = s.kind;
      const text = document.createElement("span");
      const [, name = s.text, tag = ""] = s.kind === "Guild" ? /^(.*)( \[.*\])$/.exec(s.text) ?? [] : [];
      text.append(named(name), tag);
      option.append(text, " ", kind); // a screen reader reads them as two words
      if (s.picture) {
        const picture = document.createElement("span");
        picture.className = "picture";
        picture.innerHTML = s.picture; // drawn by the service
        option.prepend(picture);
      }
      option.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
      option.addEventListener("click", () => take(s));
      return option;
    }));
    if (found.length === 0) return close();
    list.hidden = false;
    field.setAttribute("aria-expanded", "true");
    select(found.findIndex((s) => s.path === selected));
  };
  const load = async () => {
    pending = new AbortController();
    try {
      const { signal } = pending;
      const found = await find(field.value.trim(), signal);
      if (!signal.aborted) show(found);
    } catch {
      // A newer request replaced this one, or the service cannot be reached: Enter still searches.
    }
  };
  field.addEventListener("input", () => {
    clearTimeout(timer);
    pending?.abort();
    if (field.value.trim().length < 2) close();
    else timer = window.setTimeout(load, 200);
  });
  onKey(field, (event) => {
    const last = shown.length - 1;
    const chosen = shown[active];
    if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      close();
    } else if (!list.hidden && event.key === "ArrowDown") {
      event.preventDefault();
      select(active === last ? -1 : active + 1);
    } else if (!list.hidden && event.key === "ArrowUp") {
      event.preventDefault();
      select(active === -1 ? last : active - 1);
    } else if (choose && !list.hidden && event.key === "Enter" && chosen) { // the form stays
      event.preventDefault();
      take(chosen);
    }
  });
  field.form?.addEventListener("submit", (event) => {
    const chosen = list.hidden ? undefined : shown[active];
    if (!chosen) return;
    event.preventDefault();
    take(chosen);
  });
  field.addEventListener("blur", close);
}
