// The guilds on the map, with the number of their territories.
import { named } from "../site/named";
import { dot, element } from "./panel";
import type { Territory } from "./queries";

export interface Legend {
  box: HTMLDetailsElement;
  show: (territories: Iterable<Territory>) => void;
}

// legend returns the list of guilds: highlight is called with the one under the pointer or focus, or null, and open with
// the one that is clicked.
export function legend(highlight: (guild: string | null) => void, open: (guild: string) => void): Legend {
  const list = element("ul", { className: "map-guilds" });
  const count = element("small", {});
  const box = element("details", { className: "map-legend map-box" }, element("summary", {}, "Guilds", count), list);
  const guildAt = (target: EventTarget | null) =>
    target instanceof Element ? target.closest<HTMLElement>("[data-guild]")?.dataset.guild ?? null : null;
  for (const type of ["pointerover", "focusin"]) list.addEventListener(type, (event) => highlight(guildAt(event.target)));
  for (const type of ["pointerleave", "focusout"]) list.addEventListener(type, () => highlight(null));
  list.addEventListener("click", (event) => {
    const guild = guildAt(event.target);
    if (guild) open(guild);
  });
  const show = (territories: Iterable<Territory>) => {
    const guilds = new Map<string, { held: number; t: Territory }>();
    for (const t of territories) {
      if (!t.guildUuid || !t.guildName) continue;
      guilds.set(t.guildName, { held: (guilds.get(t.guildName)?.held ?? 0) + 1, t });
    }
    count.textContent = ` ${guilds.size}`;
    const focused = guildAt(document.activeElement);
    list.replaceChildren(...[...guilds].sort(([a, x], [b, y]) => y.held - x.held || a.localeCompare(b)).map(([name, { held, t }]) => {
      const button = element("button", { type: "button", title: name }, dot(t.colour!), element("span", {}, named(name)), element("small", {}, String(held)));
      button.dataset.guild = name;
      return element("li", {}, button);
    }));
    if (focused) list.querySelector<HTMLElement>(`[data-guild="${CSS.escape(focused)}"]`)?.focus();
  };
  return { box, show };
}
