// Captures while the map is open: they change the territories and the table below the map.
import { holder, words } from "./panel";
import type { Holder, Territory } from "./queries";

// listen changes the territories that are captured, calls captured with each, and writes the state of the connection.
export function listen(territories: Map<string, Territory>, status: HTMLElement, captured: (t: Territory) => void) {
  const events = new EventSource("/events?types=territoryCaptured"); // it reconnects by itself, with the last id
  events.addEventListener("open", () => (status.textContent = "Live"));
  events.addEventListener("error", () => (status.textContent = events.readyState === EventSource.CLOSED ? "Offline" : "Reconnecting…"));
  events.addEventListener("end", () => {
    events.close();
    status.textContent = "Offline";
  });
  events.addEventListener("territoryCaptured", (message) => {
    const { at, data } = JSON.parse((message as MessageEvent<string>).data) as { at: string; data: { territory: string; to: Holder | null } };
    const t = territories.get(data.territory);
    if (!t || (t.acquiredAt && at <= t.acquiredAt)) return;
    Object.assign(t, {
      guildUuid: data.to?.uuid ?? null, guildName: data.to?.name ?? null, guildPrefix: data.to?.prefix ?? null,
      acquiredAt: at, hq: false, treasury: "VERY_LOW", defences: "VERY_LOW",
    } satisfies Partial<Territory>);
    status.title = `${t.name}: ${t.guildName ?? "unclaimed"}`;
    captured(t);
  });
}

// tableUpdater returns the function that writes a capture into the table below the map.
export function tableUpdater(): (t: Territory) => void {
  const rows = new Map([...document.querySelectorAll<HTMLTableRowElement>("#territory-table tbody tr")]
    .map((row) => [row.querySelector("th a")?.textContent ?? "", row]));
  return (t) => {
    const row = rows.get(t.name);
    if (!row) return;
    row.querySelector("th .badge")?.remove();
    row.cells[1]?.replaceChildren(...holder(t, true).filter((c): c is globalThis.Node | string => Boolean(c)));
    row.cells[2]?.replaceChildren("just now");
    for (const i of [3, 4]) row.cells[i]?.replaceChildren(words("VERY_LOW"));
  };
}
