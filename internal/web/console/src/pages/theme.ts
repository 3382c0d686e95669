// Sets the theme that the user chose before the page is drawn. It is the only script that the browser waits for.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  // The page of the console shows its first example until the editor is there, unless it will open something else.
  document.documentElement.toggleAttribute("data-first-visit", location.hash + location.search === "" && !localStorage.getItem("graphiql:tabState"));
} catch {
  // Storage is blocked: the theme of the system applies.
}
