// What scripts add to the reference: suggestions while one types, and "Try it".
import { addTryIt } from "../reference/try-it";
import { addSuggestions } from "../site/search-field";

/** How many suggestions the search shows. */
const shown = 12;

const field = document.querySelector<HTMLInputElement>("#docs-find");
if (field) {
  addSuggestions(field, async (query, signal) => {
    const response = await fetch(`/docs/search?q=${encodeURIComponent(query)}`, { signal });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    return [...page.querySelectorAll(".results li")].slice(0, shown).map((result) => ({
      path: result.querySelector("a")?.getAttribute("href") ?? "",
      text: result.querySelector("a")?.textContent ?? "",
      kind: result.querySelector(".badge")?.textContent ?? "",
    }));
  });
}

addTryIt();
