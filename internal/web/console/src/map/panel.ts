// What the map says about a thing, as elements.
import { now } from "../site/clock";
import { named } from "../site/named";
import { relativeTime } from "../site/times";
import { iconText } from "./find";
import type { LootPool, Marker, Node, Territory, WorldEvent } from "./queries";

type Child = globalThis.Node | string | null | undefined | false;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K, properties: Partial<HTMLElementTagNameMap[K]> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const e = Object.assign(document.createElement(tag), properties);
  e.append(...children.filter((c): c is globalThis.Node | string => Boolean(c)));
  return e;
}

// hiddenLabel names a field for screen readers alone.
export const hiddenLabel = (field: string, text: string) => element("label", { className: "visually-hidden", htmlFor: field }, text);

export const words = (value: string) => {
  const text = value.replaceAll("_", " ").toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
};

const digits = new Intl.NumberFormat("en");
const path = (section: string, name: string) => `/${section}/${encodeURIComponent(name)}`;

export function dot(colour: string): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "dot");
  svg.setAttribute("viewBox", "0 0 1 1");
  svg.setAttribute("aria-hidden", "true");
  const rect = document.createElementNS(svg.namespaceURI, "rect");
  for (const [name, value] of [["width", "1"], ["height", "1"], ["fill", colour]] as const) rect.setAttribute(name, value);
  svg.append(rect);
  return svg as SVGElement;
}

// holder is the guild of a territory: a link, or text in cards.
export function holder(t: Territory, link: boolean): Child[] {
  if (!t.guildUuid || !t.guildName) return [t.unknown ? "unknown" : "unclaimed"];
  const name = link ? element("a", { href: path("guilds", t.guildName) }, named(t.guildName)) : named(t.guildName);
  return [dot(t.colour!), " ", name, " [", named(t.guildPrefix ?? ""), "]"];
}

function facts(...entries: [string, ...Child[]][]): HTMLDListElement {
  return element("dl", { className: "map-facts" }, ...entries.filter(([, ...values]) => values.some(Boolean))
    .map(([name, ...values]) => element("div", {}, element("dt", {}, name), element("dd", {}, ...values))));
}

const since = (t: Territory) => t.acquiredAt && relativeTime(new Date(t.acquiredAt), now());

// card is what the pointer shows.
export function card(t: Territory): HTMLElement {
  return element("div", {}, element("strong", {}, t.name), t.hq && " ★", element("br"), ...holder(t, false),
    t.treasury && element("br"), t.treasury && `Treasury ${words(t.treasury).toLowerCase()}, defences ${words(t.defences).toLowerCase()}`);
}

export function territoryPanel(t: Territory, select: (name: string) => void): HTMLElement[] {
  const resources = t.resources.filter((r) => r.generation > 0 || r.stored > 0);
  return [
    element("h2", {}, t.name),
    element("p", {}, ...holder(t, true), t.hq && element("span", { className: "badge info" }, "headquarters")),
    facts([t.guildUuid ? "Captured" : "Fell free", since(t)], ["Treasury", words(t.treasury)], ["Defences", words(t.defences)],
      ...resources.map((r): [string, string] => [words(r.type), `${digits.format(r.generation)} per hour, ${digits.format(r.stored)} stored`])),
    element("p", {}, "Joined to ", ...t.linkNames.flatMap((name, i) => [i > 0 && ", ",
      element("button", { type: "button", className: "link", onclick: () => select(name) }, name)])),
    element("p", { className: "row" }, element("a", { className: "button small", href: path("territories", t.name) }, "Open the territory"),
      t.guildName && element("a", { className: "button plain small", href: path("guilds", t.guildName) }, "Open the guild")),
  ];
}

export function guildPanel(name: string, held: Territory[], select: (name: string) => void): HTMLElement[] {
  return [
    element("h2", {}, name),
    element("p", {}, `${held.length} ${held.length === 1 ? "territory" : "territories"}: `, ...held.flatMap((t, i) => [i > 0 && ", ",
      element("button", { type: "button", className: "link", onclick: () => select(t.name) }, t.name), t.hq && " ★"])),
    element("p", {}, element("a", { className: "button small", href: path("guilds", name) }, "Open the guild")),
  ];
}

const coordinates = (x: number, z: number) => `${Math.round(x)}, ${Math.round(z)}`;

export const markerPanel = (m: Marker) => [element("h2", {}, m.name),
  facts(["Place", iconText(m.icon)], ["Coordinates", coordinates(m.position.x, m.position.z)])];

export const nodePanel = (n: Node, profession: string) => [element("h2", {}, words(n.resource)),
  facts(["Gathering node", profession && words(profession)], ["Level", String(n.level)], ["Coordinates", coordinates(n.position.x, n.position.z)])];

export const eventPanel = (e: WorldEvent) => [element("h2", {}, e.name),
  facts(["World event", e.level !== null && `Level ${e.level}`], ["Difficulty", e.difficulty && words(e.difficulty)],
    ["Next start", e.startsAt ? relativeTime(new Date(e.startsAt), now()) : "not in the next 15 minutes"]),
  element("p", {}, element("a", { href: path("world-events", e.internalName) }, "Open the event"))];

export const lootPanel = (l: LootPool) => [element("h2", {}, l.name),
  facts([words(l.type), l.level !== null && `Level ${l.level}`], ["Difficulty", l.difficulty && words(l.difficulty)]),
  l.rewards.length > 0 ? element("h3", {}, "Loot") : element("p", {}, "Nothing is known about its loot."),
  element("ul", { className: "map-loot" }, ...l.rewards.map((r) => element("li", {}, `${r.amount > 1 ? `${r.amount} × ` : ""}`,
    r.item ? element("a", { href: path("items", r.item.internalName), className: r.tier ? `tier-${r.tier.toLowerCase()}` : "" }, r.name) : r.name,
    r.always && element("small", {}, " always"))))];
