// The state of the map in the address of the page, so that a link shows the same again.
export const layerNames = ["roads", "regions", "markers", "nodes", "events", "camps", "raids"] as const;
export type LayerName = (typeof layerNames)[number];

export interface MapState {
  view: { x: number; z: number; zoom: number } | null; // the middle in blocks; null shows everything
  layers: LayerName[];
  time: string | null; // of the past, null is now
  territory: string | null; // that is selected
  profession: string; // whose gathering nodes are shown, all if empty
  material: string; // upper case, all if empty
}

const defaults: LayerName[] = ["roads", "regions"];

export function readAddress(search: string): MapState {
  const query = new URLSearchParams(search);
  const [x, z, zoom] = ["x", "z", "zoom"].map((name) => (query.has(name) ? Number(query.get(name)) : NaN));
  const view = Number.isFinite(x) && Number.isFinite(z) && Number.isFinite(zoom) ? { x: x!, z: z!, zoom: zoom! } : null;
  const chosen = query.get("layers")?.split(",");
  const time = query.get("time");
  const at = time ? new Date(/[zZ]|[+-]\d\d:\d\d$/.test(time) || !time.includes("T") ? time : `${time}Z`) : null;
  return {
    view,
    layers: chosen ? layerNames.filter((name) => chosen.includes(name)) : defaults,
    time: at && !Number.isNaN(at.getTime()) ? at.toISOString() : null,
    territory: query.get("territory"),
    profession: query.get("profession") ?? "",
    material: query.get("material") ?? "",
  };
}

// writeAddress returns the query of the address with the state; other parameters stay.
export function writeAddress(search: string, state: MapState): string {
  const query = new URLSearchParams(search);
  const set = (name: string, value: string | null | undefined) => (value ? query.set(name, value) : query.delete(name));
  set("x", state.view && String(Math.round(state.view.x)));
  set("z", state.view && String(Math.round(state.view.z)));
  set("zoom", state.view && String(Math.round(state.view.zoom * 100) / 100));
  const isDefault = state.layers.length === defaults.length && state.layers.every((name) => defaults.includes(name));
  set("layers", isDefault ? null : state.layers.join(",") || "none");
  set("time", state.time?.replace(/\.\d+Z$/, "Z"));
  set("territory", state.territory);
  set("profession", state.profession);
  set("material", state.material);
  const text = query.toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
  return text && `?${text}`;
}
