// Captures while the map is open.
import { colour } from "../site/colour";
import { listen as listenToGame } from "../site/live";
import { readColour, type Holder, type Territory } from "./queries";

// listen changes the territories that are captured, calls captured with each, and status with the state of the connection.
export function listen(territories: Map<string, Territory>, status: (text: string) => void, captured: (t: Territory) => void) {
  const colours = new Map([...territories.values()].flatMap((t) => (t.guildUuid && t.colour ? [[t.guildUuid, t.colour]] : [])));
  listenToGame(async (event) => {
    if (event.type !== "territoryCaptured") return;
    const { territory, to } = event.data as { territory: string; to: Holder | null };
    const t = territories.get(territory);
    if (!t || (t.acquiredAt && event.at <= t.acquiredAt)) return;
    if (to && !colours.has(to.uuid)) colours.set(to.uuid, await readColour(to.uuid).catch(() => null) ?? colour(to.uuid));
    Object.assign(t, {
      guildUuid: to?.uuid ?? null, guildName: to?.name ?? null, guildPrefix: to?.prefix ?? null,
      colour: to ? colours.get(to.uuid)! : null, acquiredAt: event.at, hq: false, treasury: "VERY_LOW", defences: "VERY_LOW",
    } satisfies Partial<Territory>);
    captured(t);
  }, status);
}
