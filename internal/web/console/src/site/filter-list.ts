/** filterLists hides entries of a list that lack a word of its filter field, while the user types. Parts that can be
 * folded open as long as there are words. */
export function filterLists() {
  for (const field of document.querySelectorAll<HTMLInputElement>("input[data-filter]")) {
    const list = document.getElementById(field.dataset.filter ?? "");
    if (!list) continue;
    const folded = [...list.querySelectorAll<HTMLDetailsElement>("details[data-filtered]:not([open])")];
    const filter = () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const entry of list.querySelectorAll<HTMLElement>("[data-text]")) {
        const text = (entry.dataset.text ?? "").toLowerCase();
        entry.hidden = !words.every((word) => text.includes(word));
      }
      for (const part of list.querySelectorAll<HTMLElement>("[data-filtered]")) {
        const entries = part.matches("h3") ? part.nextElementSibling : part;
        part.hidden = !entries?.querySelector("[data-text]:not([hidden])");
      }
      for (const part of folded) part.open = words.length > 0;
      const empty = list.querySelector<HTMLElement>(".empty");
      if (empty) empty.hidden = !!list.querySelector("[data-text]:not([hidden])");
    };
    // A page that the server has filtered has no other entries: its form sends the next words.
    if (new URLSearchParams(location.search).get(field.name)) continue;
    field.form?.querySelector("button")?.remove();
    field.addEventListener("input", filter);
    filter(); // a browser restores what was typed when the user comes back
  }
}
