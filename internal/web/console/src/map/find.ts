// The search of the map: territories, guilds and places by a part of their names.
import type { Corner, LootPool, Marker, Places, Territory, WorldEvent } from "./queries";

export type Place = { marker: Marker } | { loot: LootPool } | { event: WorldEvent };
export interface Found { kind: "territory" | "guild" | "place"; name: string; note: string; places: Corner[]; place?: Place }

// find returns the best matches: names that begin with the text first, then those with a word that does. Territories and
// guilds come before places that match a little better.
export function find(text: string, territories: Territory[], places: Places | null, limit = 8): Found[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const found: [number, Found][] = [];
  const add = (entry: Found, ...names: string[]) => {
    const ranks = names.map((name) => name.toLowerCase()).filter((name) => name.includes(wanted))
      .map((name) => (name === wanted ? 0 : name.startsWith(wanted) ? 1 : name.includes(` ${wanted}`) ? 2 : 3));
    if (ranks.length > 0) found.push([Math.min(...ranks) + (entry.kind === "place" ? 1.5 : 0), entry]);
  };
  const guilds = new Map<string, Found & { prefix: string }>();
  for (const t of territories) {
    const place = { x: (t.location.start.x + t.location.end.x) / 2, z: (t.location.start.z + t.location.end.z) / 2 };
    add({ kind: "territory", name: t.name, note: t.guildPrefix ? `[${t.guildPrefix}]` : t.unknown ? "unknown" : "unclaimed", places: [place] }, t.name);
    if (t.guildName && t.guildPrefix) {
      const guild = guilds.get(t.guildName) ?? { kind: "guild", name: t.guildName, note: "", prefix: t.guildPrefix, places: [] };
      guild.places.push(place);
      guilds.set(t.guildName, guild);
    }
  }
  for (const { prefix, ...guild } of guilds.values()) {
    add({ ...guild, note: `[${prefix}] ${guild.places.length} ${guild.places.length === 1 ? "territory" : "territories"}` }, guild.name, prefix);
  }
  for (const m of places?.markers ?? []) add({ kind: "place", name: m.name, note: iconText(m.icon), places: [m.position], place: { marker: m } }, m.name);
  for (const l of places?.loot ?? []) {
    if (l.location && l.type === "CAMP") add({ kind: "place", name: l.name, note: "Camp", places: [l.location], place: { loot: l } }, l.name);
  }
  for (const e of places?.events ?? []) {
    const at = e.places.flatMap((p) => p.event ?? p.spawn ?? p.reward ?? []);
    if (at.length > 0) add({ kind: "place", name: e.name, note: "World event", places: at, place: { event: e } }, e.name);
  }
  return found.sort(([a, x], [b, y]) => a - b || x.name.localeCompare(y.name)).slice(0, limit).map(([, entry]) => entry);
}

// iconText returns what an icon means: "Content_BossAltar.png" is "Boss altar".
export function iconText(icon: string): string {
  const words = icon.replace(/\.\w+$/, "").replace(/^.*_/, "").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
