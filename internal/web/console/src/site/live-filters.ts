import { isolated } from "./named";

/** liveFilters loads the results of a form of filters when a field changes; data-live names the parts of the page. */
export function liveFilters() {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-live]")) addLiveFilters(form);
  document.addEventListener("change", nameChosen);
  nameChosen();
}

// nameChosen says beside the button which items of the table are chosen to be compared.
function nameChosen() {
  const chosen = document.querySelectorAll<HTMLInputElement>(".choose td input:checked");
  const names = [...chosen].map((box) => box.closest("tr")?.querySelector("a")?.textContent);
  const text = document.querySelector(".choose .tray small");
  if (text) text.textContent = names.length === 0 ? "up to four" : names.map((name) => isolated(name ?? "")).join(", ");
}

function addLiveFilters(form: HTMLFormElement) {
  const parts = (form.dataset.live ?? "").split(" ");
  const results = () => document.getElementById(parts[0] ?? "");
  let pending: AbortController | undefined;
  let timer = 0;
  const load = async () => {
    const given = [...new FormData(form)].filter(([, value]) => value !== "").map(([name, value]) => [name, String(value)]);
    const address = `${form.getAttribute("action")}?${new URLSearchParams(given)}`;
    pending?.abort();
    pending = new AbortController();
    results()?.classList.add("loading");
    try {
      const { signal } = pending;
      const response = await fetch(address, { signal, headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      if (signal.aborted) return;
      if (response.ok) replace(parts, page);
      else showProblem(results(), page);
      history.replaceState(null, "", address);
    } catch (problem) {
      if (!(problem instanceof DOMException && problem.name === "AbortError")) location.assign(address);
    }
  };
  form.addEventListener("change", load);
  form.addEventListener("input", (event) => {
    clearTimeout(timer);
    if ((event.target as HTMLElement).matches("input[type=search]")) timer = window.setTimeout(load, 300);
  });
}

/** replace shows parts of another page instead of those here. What was chosen to be compared stays chosen. */
function replace(parts: string[], page: Document) {
  const chosen = [...document.querySelectorAll<HTMLInputElement>(".choose input:checked")].map((box) => box.value);
  for (const id of parts) {
    const next = page.getElementById(id);
    if (next) document.getElementById(id)?.replaceWith(next);
  }
  const tray = document.querySelector(".choose .tray");
  for (const value of chosen) {
    const box = document.querySelector<HTMLInputElement>(`.choose input[value="${CSS.escape(value)}"]`);
    if (box) box.checked = true;
    else if (tray) {
      const label = document.createElement("label");
      label.className = "chip";
      const input = Object.assign(document.createElement("input"), { type: "checkbox", name: "items", value, checked: true });
      label.append(input, value);
      tray.prepend(label);
    }
  }
  nameChosen();
}

function showProblem(results: HTMLElement | null, page: Document) {
  const text = page.querySelector("main [role=alert]")?.textContent ?? "The list could not be loaded.";
  results?.classList.remove("loading");
  results?.replaceChildren(Object.assign(document.createElement("p"), { className: "wrong", role: "alert", textContent: text }));
}
