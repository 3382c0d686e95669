// The search field of the map, with its results.
import { onKey } from "../keys";
import { named } from "../site/named";
import { find, type Found } from "./find";
import { element, hiddenLabel } from "./panel";
import type { Places, Territory } from "./queries";

export interface SearchOptions {
  territories: () => Territory[];
  places: () => Promise<Places | null>;
  open: (found: Found) => void;
}

export function searchForm({ territories, places, open }: SearchOptions): HTMLFormElement {
  const field = element("input", { id: "map-find", type: "search", placeholder: "Territory, guild or place", autocomplete: "off" });
  const results = element("ul", { className: "map-results", hidden: true });
  const form = element("form", { className: "map-search map-box" }, hiddenLabel("map-find", "Find on the map"), field, results);
  const show = async () => {
    const known = field.value.trim() ? await places() : null;
    const found = find(field.value, territories(), known);
    results.hidden = found.length === 0;
    results.replaceChildren(...found.map((f) => element("li", {}, element("button", {
      type: "button", onclick: () => {
        results.hidden = true;
        open(f);
      },
    }, element("span", {}, named(f.name)), element("small", {}, f.note)))));
  };
  field.addEventListener("input", () => void show());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void show().then(() => results.querySelector("button")?.click());
  });
  onKey(form, (event) => {
    const buttons = [...results.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (event.key === "Escape") results.hidden = true;
    else if (event.key === "ArrowDown") buttons[Math.min(at + 1, buttons.length - 1)]?.focus();
    else if (event.key === "ArrowUp") (buttons[at - 1] ?? field).focus();
    else return;
    event.preventDefault();
  });
  return form;
}
