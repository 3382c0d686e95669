import { onKey } from "../keys";

// Closes open menus of the navigation when the user clicks elsewhere or presses Escape.
export function closeMenus() {
  const menus = document.querySelectorAll<HTMLDetailsElement>(".top details.more");
  document.addEventListener("click", (event) => {
    for (const menu of menus) if (!menu.contains(event.target as Node)) menu.open = false;
  });
  onKey(document, (event) => {
    if (event.key !== "Escape") return;
    for (const menu of menus) {
      if (menu.open && menu.contains(document.activeElement)) menu.querySelector("summary")?.focus();
      menu.open = false;
    }
  });
}
