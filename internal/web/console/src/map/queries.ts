// What the map reads: GraphQL by GET, so that browser and proxies cache the responses.
import { colour } from "../site/colour";

export interface Corner { x: number; z: number }

export interface Territory {
  name: string;
  guildUuid: string | null;
  guildName: string | null;
  guildPrefix: string | null;
  colour: string | null; // of the guild
  unknown?: boolean; // who held it in the past is not known
  acquiredAt: string | null;
  hq: boolean;
  linkNames: string[];
  treasury: string;
  defences: string;
  resources: { type: string; generation: number; stored: number; limit: number }[];
  location: { start: Corner; end: Corner };
}

export interface Holder { uuid: string; name: string; prefix: string }
export interface PastTerritory { territoryName: string; known: boolean; acquiredAt: string | null; holder: (Holder & Coloured) | null }
interface Coloured { guild: { colour: string } | null }
export interface Node { resource: string; level: number; position: Corner }
export interface Marker { name: string; icon: string; position: Corner }
export interface WorldEvent {
  name: string;
  internalName: string;
  level: number | null;
  difficulty: string | null;
  startsAt: string | null;
  places: { event: Corner | null; spawn: Corner | null; reward: Corner | null }[];
}
export interface LootPool {
  name: string;
  type: "CAMP" | "RAID";
  level: number | null;
  difficulty: string | null;
  location: Corner | null;
  rewards: { name: string; amount: number; always: boolean; tier: string | null; item: { internalName: string } | null }[];
}

// A failed request, with the message for the reader.
export class QueryError extends Error {}

async function query<T>(document: string, variables: object = {}, signal?: AbortSignal): Promise<T> {
  const parameters = new URLSearchParams({ query: document.replace(/\s+/g, " ") });
  if (Object.keys(variables).length > 0) parameters.set("variables", JSON.stringify(variables));
  const response = await fetch(`/graphql?${parameters}`, { headers: { Accept: "application/json" }, signal });
  if (response.status === 429) {
    throw new QueryError(`Too many requests. Try again in ${response.headers.get("Retry-After") ?? "a few"} seconds.`);
  }
  const body = (await response.json()) as { data?: T; errors?: { message: string }[] };
  if (!body.data) throw new QueryError(body.errors?.[0]?.message ?? `The service answered with status ${response.status}.`);
  return body.data;
}

const corner = "{ x z }";

export const readTerritories = async (): Promise<Territory[]> =>
  (await query<{ territories: { nodes: (Territory & Coloured)[] } }>(`{ territories(first: 2000) { nodes {
    name guildUuid guildName guildPrefix guild { colour } acquiredAt hq linkNames treasury defences
    resources { type generation stored limit } location { start ${corner} end ${corner} } } } }`)).territories.nodes
    .map((t) => ({ ...t, colour: t.guildUuid && (t.guild?.colour ?? colour(t.guildUuid)) }));

export const readColour = async (uuid: string) =>
  (await query<{ guild: { colour: string } | null }>("query($uuid: UUID!) { guild(by: { uuid: $uuid }) { colour } }", { uuid })).guild?.colour;

export const readPast = async (time: string, signal: AbortSignal) =>
  (await query<{ territoriesAt: PastTerritory[] }>(
    "query($time: DateTime!) { territoriesAt(at: $time) { territoryName known acquiredAt holder { uuid name prefix guild { colour } } } }",
    { time }, signal)).territoriesAt;

export const readNodes = async () =>
  (await query<{ gatheringNodes: { nodes: Node[] } }>(
    `{ gatheringNodes(first: 20000) { nodes { resource level position ${corner} } } }`)).gatheringNodes.nodes;

// The professions of materials by the first word of the names of what is made of them, such as OAK.
export const readProfessions = async () => {
  const { items } = await query<{ items: { nodes: { displayName: string; subType: { key: string } | null }[] } }>(
    "{ items(filter: { types: [MATERIAL] }, first: 1000) { nodes { displayName subType { key } } } }");
  return new Map(items.nodes.map(({ displayName, subType }) =>
    [displayName.replace(/^Refined /, "").split(" ")[0]?.toUpperCase() ?? "", subType?.key ?? ""]));
};

export interface Places { markers: Marker[]; events: WorldEvent[]; loot: LootPool[] }

export const readPlaces = async (): Promise<Places> => {
  const data = await query<{ mapMarkers: { nodes: Marker[] }; worldEvents: { nodes: WorldEvent[] }; lootPools: { nodes: LootPool[] } }>(`{
    mapMarkers(first: 5000) { nodes { name icon position ${corner} } }
    worldEvents(first: 500) { nodes { name internalName level difficulty startsAt places { event ${corner} spawn ${corner} reward ${corner} } } }
    lootPools(first: 500) { nodes { name type level difficulty location ${corner}
      rewards { name amount always tier item { internalName } } } } }`);
  return { markers: data.mapMarkers.nodes, events: data.worldEvents.nodes, loot: data.lootPools.nodes };
};
