// The form of an endpoint's page that sends a request and shows the response.
import { jsonText, parseExact } from "../json";

export interface Parameter { name: string; in: string; value: string; checked: boolean }

/** targetOf is the address of a request: the path with its variables, and the parameters that have a value. */
export function targetOf(path: string, parameters: Parameter[]): string {
  const query: string[] = [];
  for (const { name, in: place, value, checked } of parameters) {
    if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (place === "flag" && checked) query.push(encodeURIComponent(name));
    else if (place === "query" && value !== "") query.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  }
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

/** pretty formats JSON without losing digits of large numbers; other texts stay. */
export function pretty(text: string): string {
  try {
    return jsonText(parseExact(text), 2);
  } catch {
    return text;
  }
}

/** Longer bodies are shown in part: a browser takes long to lay them out. */
const shownCharacters = 200_000;

export function addTryIt() {
  const form = document.querySelector<HTMLFormElement>("form[data-try]");
  const result = form?.querySelector<HTMLElement>(".try-result");
  if (!form || !result) return;
  document.querySelector("[data-without-scripts]")?.remove();
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const fields = [...form.querySelectorAll<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>("[data-in]")];
    const target = targetOf(form.dataset.try ?? "", fields.map((field) => ({
      name: field.name, in: field.dataset.in ?? "", value: field.value, checked: field instanceof HTMLInputElement && field.checked,
    })));
    const body = fields.find((field) => field.dataset.in === "body")?.value;
    const button = form.querySelector("button");
    if (button) button.disabled = true;
    const started = performance.now();
    try {
      const response = await fetch(target, {
        method: form.dataset.method ?? "GET",
        headers: { Accept: "application/json", ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
        ...(body === undefined ? {} : { body }),
      });
      const text = await response.text();
      const size = new Blob([text]).size;
      show(result, target, response, text, `${Math.round(performance.now() - started)} ms, ${size.toLocaleString("en")} bytes`);
    } catch (failure) {
      result.replaceChildren(element("p", `No response: ${String(failure)}`, "wrong"));
    } finally {
      if (button) button.disabled = false;
    }
  });
}

function show(result: HTMLElement, target: string, response: Response, text: string, facts: string) {
  const line = element("p", "");
  line.append(element("strong", `${response.status} ${response.statusText}`.trim(), response.ok ? "up" : "down"), ` in ${facts}: `,
    element("code", target));
  const headers = element("details", "");
  const names = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  headers.append(element("summary", "Headers"), code(names));
  const shown = pretty(text);
  result.replaceChildren(line, headers, code(shown.slice(0, shownCharacters)));
  if (shown.length > shownCharacters) {
    const more = element("a", "Open the whole response");
    more.setAttribute("href", target);
    result.append(more);
  }
}

function element(name: string, text: string, className = ""): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function code(text: string): HTMLElement {
  const pre = element("pre", "", "tall");
  pre.tabIndex = 0;
  pre.append(element("code", text));
  return pre;
}
