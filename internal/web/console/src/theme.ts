// The site's light and dark theme: its colours in the editors and in charts.
import { useMonaco, useGraphiQLActions } from "@graphiql/react";
import { useEffect, useSyncExternalStore } from "react";

export type Theme = "light" | "dark";

const dark = matchMedia("(prefers-color-scheme: dark)");

/** currentTheme returns the theme that the user chose, else the system's. */
export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "light" || chosen === "dark" ? chosen : dark.matches ? "dark" : "light";
}

function subscribe(listener: () => void) {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  dark.addEventListener("change", listener);
  return () => {
    observer.disconnect();
    dark.removeEventListener("change", listener);
  };
}

/** useTheme returns the theme and follows its switch. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, currentTheme);

/** colour returns a colour of the style sheet, such as `--accent`, as #rrggbb. */
export function colour(name: string): string {
  const probe = document.body.appendChild(document.createElement("span"));
  probe.style.color = `var(${name})`;
  const parts = getComputedStyle(probe).color.match(/[\d.]+/g) ?? [];
  probe.remove();
  return "#" + parts.slice(0, 3).map((p) => Number(p).toString(16).padStart(2, "0")).join("");
}

/** useEditorTheme gives the editors the colours of the site. */
export function useEditorTheme() {
  const theme = useTheme();
  const monaco = useMonaco((state) => state.monaco);
  const { setTheme } = useGraphiQLActions();
  useEffect(() => {
    if (!monaco) return;
    const [paper, ink, soft, accent, info, line, raised, sunken] = ["--paper", "--ink", "--soft", "--accent", "--info", "--line", "--raised", "--sunken"].map(colour) as [string, string, string, string, string, string, string, string];
    const text = colour("--console-text");
    const value = colour("--console-value");
    const rule = (token: string, foreground: string) => ({ token, foreground: foreground.slice(1) });
    monaco.editor.defineTheme(theme === "dark" ? "graphiql-DARK" : "graphiql-LIGHT", {
      base: theme === "dark" ? "vs-dark" : "vs",
      inherit: true,
      colors: {
        "editor.background": paper, "editor.foreground": ink, "editorLineNumber.foreground": soft, "editorLineNumber.activeForeground": ink, "editorLineNumber.dimmedForeground": soft,
        "editorWidget.background": raised, "editorSuggestWidget.background": raised, "editorHoverWidget.background": raised, "menu.background": raised, "quickInput.background": raised,
        "editorSuggestWidget.selectedBackground": sunken, "editorSuggestWidget.selectedForeground": ink, "editorSuggestWidget.highlightForeground": accent, "editorSuggestWidget.focusHighlightForeground": accent,
        "list.hoverBackground": sunken, "list.highlightForeground": accent, "list.focusHighlightForeground": accent, "editorWidget.border": line,
        focusBorder: accent, "textLink.foreground": accent, "textLink.activeForeground": accent, "scrollbar.shadow": "#00000000",
      },
      rules: [
        rule("", ink), rule("comment", soft), rule("keyword", accent), rule("string", text), rule("string.value.json", text), rule("string.key.json", info), rule("number", value), rule("keyword.json", accent),
        rule("argument.identifier", info), rule("type.identifier", value), rule("annotation", value), rule("constant", value), rule("key.identifier", ink), rule("variable", value),
      ],
    });
    setTheme(theme);
  }, [theme, monaco, setTheme]);
}
