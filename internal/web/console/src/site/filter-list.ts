/** filterLists hides entries of a list that lack a word of its filter field, while the user types. */
export function filterLists() {
  for (const field of document.querySelectorAll<HTMLInputElement>("input[data-filter]")) {
    const list = document.getElementById(field.dataset.filter ?? "");
    if (!list) continue;
    const filter = () => {
      const words = field.value.toLowerCase().split(/\s+/);
      for (const entry of list.querySelectorAll<HTMLElement>("[data-text]")) {
        const text = (entry.dataset.text ?? "").toLowerCase();
        entry.hidden = !words.every((word) => text.includes(word));
      }
      for (const part of list.querySelectorAll<HTMLElement>("[data-filtered]")) {
        part.hidden = !part.querySelector("[data-text]:not([hidden])");
      }
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
