// The button that changes the theme: system, light, dark.
const themes = ["auto", "light", "dark"] as const;
type Theme = (typeof themes)[number];

const drawings: Record<Theme, string> = {
  auto: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
  light: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5",
  dark: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z",
};

export function addThemeSwitch() {
  const button = document.getElementById("theme");
  if (!button) return;
  const show = (theme: Theme) => {
    const name = theme === "auto" ? "as in the system" : theme;
    button.title = `Theme: ${name}`;
    button.setAttribute("aria-label", button.title);
    button.innerHTML = `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" aria-hidden="true"><path d="${drawings[theme]}"${theme === "auto" ? ' fill="currentColor" fill-opacity=".35"' : ""}/></svg>`;
  };
  const set = document.documentElement.dataset;
  const changed = () => document.dispatchEvent(new CustomEvent("themechange"));
  show((set.theme as Theme | undefined) ?? "auto");
  button.hidden = false;
  button.addEventListener("click", () => {
    const now = (set.theme as Theme | undefined) ?? "auto";
    const next = themes[(themes.indexOf(now) + 1) % themes.length] ?? "auto";
    if (next === "auto") delete set.theme;
    else set.theme = next;
    try {
      if (next === "auto") localStorage.removeItem("theme");
      else localStorage.setItem("theme", next);
    } catch {
      // Storage is blocked: the choice lasts until the next page.
    }
    show(next);
    changed();
  });
  // On paper the style sheet is light; drawings on canvases follow the theme alone.
  let before: string | undefined;
  addEventListener("beforeprint", () => {
    before = set.theme;
    set.theme = "light";
    changed();
  });
  addEventListener("afterprint", () => {
    if (before === undefined) delete set.theme;
    else set.theme = before;
    changed();
  });
}
