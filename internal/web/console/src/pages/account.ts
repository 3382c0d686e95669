// The preview of privacy settings follows the form. Without this script a button refreshes it. Lists of names are chosen.
import { chooseNames } from "../site/choose-names";

chooseNames();

const form = document.querySelector<HTMLFormElement>("form#rules");
let latest = 0;

async function refresh(form: HTMLFormElement) {
  const turn = ++latest;
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.set(name, value);
  body.set("do", "preview");
  const response = await fetch(form.action, { method: "POST", body });
  if (!response.ok || turn !== latest) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.getElementById("preview");
  const shown = document.getElementById("preview");
  if (fresh && shown) shown.replaceChildren(...fresh.childNodes);
}

document.addEventListener("change", ({ target }) => {
  if (!form || (target as HTMLSelectElement).form !== form) return; // one of its fields is outside the form
  refresh(form).catch(() => undefined); // the button still works
});
