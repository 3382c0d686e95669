// What scripts add to the reference: suggestions while one types, Ctrl+K, and "Try it".
import { findPages, type Entry } from "../reference/search";
import { addTryIt } from "../reference/try-it";
import { addSuggestions } from "../site/search-field";

/** How many suggestions the search shows. */
const shown = 12;

const field = document.querySelector<HTMLInputElement>("#docs-find");
if (field) {
  let index: Promise<Entry[]> | undefined;
  const load = () => (index ??= fetch("/docs/search.json").then((response) => response.json() as Promise<Entry[]>));
  addSuggestions(field, async (query) => findPages(await load(), query, shown), 50);
  field.placeholder += " (Ctrl+K)";
  document.addEventListener("keydown", (event) => {
    if (event.key !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}

// Links of the reference before this one, such as /docs#/Player/Player.
const [, operation] = /^#\/[^/]+\/(\w+)$/.exec(location.hash) ?? [];
if (location.pathname === "/docs" && operation) location.replace(`/docs/rest/${operation}`);

addTryIt();
