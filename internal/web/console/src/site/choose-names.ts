// Text areas with a name in each line become chips with a search field. Without scripts the lines are typed.
import { onKey } from "../keys";
import { named } from "./named";
import { addSuggestions, findIn, type Suggestion } from "./search-field";

/** linesOf returns the different lines of a text, without empty ones. */
export const linesOf = (text: string) => [...new Set(text.split("\n").map((line) => line.trim()).filter(Boolean))];

/** chooseNames replaces the text areas of a page that have data-choose, a category of the search. */
export function chooseNames() {
  for (const area of document.querySelectorAll<HTMLTextAreaElement>("textarea[data-choose]")) replace(area);
}

function replace(area: HTMLTextAreaElement) {
  const chips = document.createElement("ul");
  chips.className = "chips";
  const box = document.createElement("div");
  box.className = "choose-names";
  const field = document.createElement("input");
  field.type = "text";
  field.id = `${area.id}-search`;
  field.maxLength = 100;
  field.autocomplete = "off";
  field.placeholder = "A name, then Enter";
  for (const name of ["aria-invalid", "aria-describedby"]) {
    const value = area.getAttribute(name);
    if (value) field.setAttribute(name, value);
  }
  const label = document.querySelector<HTMLLabelElement>(`label[for="${area.id}"]`);
  if (label) label.htmlFor = field.id;
  const lines = document.createElement("input"); // what the form sends
  lines.type = "hidden";
  lines.name = area.name;
  lines.value = area.value;
  box.append(field);
  area.replaceWith(chips, box, lines);

  const set = (names: string[]) => {
    lines.value = names.join("\n");
    chips.replaceChildren(...names.map((name) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "chip";
      button.append(named(name), " ×");
      button.setAttribute("aria-label", `Remove ${name}`);
      button.addEventListener("click", () => {
        set(linesOf(lines.value).filter((other) => other !== name));
        field.focus();
      });
      const item = document.createElement("li");
      item.append(button);
      return item;
    }));
  };
  const add = (text: string) => {
    set(linesOf(`${lines.value}\n${text}`));
    field.value = "";
    field.dispatchEvent(new Event("input")); // its suggestions close
  };
  set(linesOf(lines.value));
  addSuggestions(field, (query, signal) => findIn(area.dataset.choose ?? "", query, signal), (s: Suggestion) => add(nameOf(s)));
  onKey(field, (event) => {
    if (event.key !== "Enter" || event.defaultPrevented) return; // a suggestion was chosen
    event.preventDefault();
    add(field.value);
  });
  field.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text") ?? "";
    if (!text.includes("\n")) return;
    event.preventDefault();
    add(text);
  });
  field.form?.addEventListener("submit", () => add(field.value));
  if (area.autofocus) field.focus();
}

// nameOf is the name in a suggestion, whose text has the tag of a guild too. A player's is in the text alone.
const nameOf = (s: Suggestion) => s.kind === "Player" ? s.text : decodeURIComponent(s.path.split("/").pop() ?? s.text);
