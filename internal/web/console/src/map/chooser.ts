// The layers of the map that can be chosen, with the filters of gathering nodes.
import * as L from "leaflet/dist/leaflet-src.esm.js";
import { layerNames, type LayerName, type MapState } from "./address";
import { point } from "./geometry";
import { professionColours } from "./layers";
import { element, eventPanel, lootPanel, markerPanel, words } from "./panel";
import { readNodes, readProfessions, type Corner, type Node, type Places } from "./queries";

const layerTexts: Record<LayerName, string> = {
  roads: "Roads", regions: "Regions", markers: "Places", nodes: "Gathering nodes", events: "World events", camps: "Camps", raids: "Raids",
};
const placeColours = { markers: "#374151", events: "#7c3aed", camps: "#c2410c", raids: "#b91c1c" };
const regionIcon = "Place_Region.png";

export type ShownNode = Node & { colour: string; profession: string };

export interface ChooserOptions {
  map: L.Map;
  state: MapState; // of which the chooser changes layers, profession and material
  places: () => Promise<Places>;
  showPanel: (...content: HTMLElement[]) => void;
  changed: () => void; // the state
  failed: (error: unknown) => void;
}

export interface Chooser {
  box: HTMLDetailsElement;
  nodes: () => ShownNode[]; // that are shown
}

// layerChooser shows the layers of the state, and returns the box that changes them.
export function layerChooser({ map, state, places, showPanel, changed, failed }: ChooserOptions): Chooser {
  const layers: Partial<Record<LayerName, L.Layer>> = {};
  let nodes: ShownNode[] = [];
  let drawnNodes: ShownNode[] = [];
  const filterNodes = () => {
    drawnNodes = nodes.filter((n) => (!state.profession || n.profession === state.profession) &&
      (!state.material || n.resource === state.material));
  };

  const spot = (at: Corner, name: string, kind: keyof typeof placeColours, panel: () => HTMLElement[]) =>
    L.circleMarker(point(at), { radius: 6, color: "#fff", weight: 1.5, fillColor: placeColours[kind], fillOpacity: 1 })
      .bindTooltip(element("span", {}, name), { className: "map-card", opacity: 1 })
      .on("click", (event) => {
        L.DomEvent.stop(event);
        showPanel(...panel());
      });
  const loot = async (name: "camps" | "raids", type: "CAMP" | "RAID") => L.layerGroup((await places()).loot.flatMap((l) =>
    l.type === type && l.location ? [spot(l.location, l.name, name, () => lootPanel(l))] : []));
  const load: Partial<Record<LayerName, () => Promise<L.Layer>>> = { // the canvas draws roads and regions
    markers: async () => L.layerGroup((await places()).markers.filter(({ icon }) => icon !== regionIcon)
      .map((m) => spot(m.position, m.name, "markers", () => markerPanel(m)))),
    events: async () => L.layerGroup((await places()).events.flatMap((e) => e.places.flatMap((p) => {
      const at = p.event ?? p.spawn ?? p.reward;
      return at ? [spot(at, e.name, "events", () => eventPanel(e))] : [];
    }))),
    camps: () => loot("camps", "CAMP"),
    raids: () => loot("raids", "RAID"),
    nodes: async () => {
      const [all, professions] = await Promise.all([readNodes(), readProfessions()]);
      nodes = all.map((n) => {
        const profession = professions.get(n.resource) ?? "";
        return { ...n, profession, colour: professionColours[profession] ?? professionColours[""]! };
      });
      filterNodes();
      fillFilters();
      return L.layerGroup(); // the canvas draws them
    },
  };

  const professionField = element("select", { ariaLabel: "Profession" });
  const materialField = element("select", { ariaLabel: "Material" });
  const filters = element("div", { className: "map-filters" }, professionField, materialField);
  const option = (value: string, text: string, selected: boolean) => element("option", { value, selected }, text);
  function fillFilters() {
    professionField.replaceChildren(option("", "All professions", !state.profession), ...[...new Set(nodes.map((n) => n.profession))].sort()
      .filter(Boolean).map((p) => option(p, words(p), p === state.profession)));
    const levels = new Map(nodes.filter((n) => !state.profession || n.profession === state.profession).map((n) => [n.resource, n.level]));
    materialField.replaceChildren(option("", "All materials", !state.material), ...[...levels].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1))
      .map(([resource, level]) => option(resource, `${words(resource)} (${level})`, resource === state.material)));
  }
  const choose = () => {
    if (professionField.value !== state.profession) materialField.value = "";
    state.profession = professionField.value;
    state.material = materialField.value;
    filterNodes();
    fillFilters();
    changed();
  };
  professionField.addEventListener("change", choose);
  materialField.addEventListener("change", choose);

  // update shows or hides a layer as the state has it.
  const update = async (name: LayerName) => {
    filters.hidden = !state.layers.includes("nodes");
    try {
      if (!state.layers.includes(name)) {
        layers[name]?.remove();
        changed();
        return;
      }
      const loaded = layers[name] ?? await load[name]?.();
      if (!loaded || !state.layers.includes(name)) return;
      layers[name] ??= loaded; // another click may have loaded it first
      layers[name].addTo(map);
      changed();
    } catch (error) {
      failed(error);
    }
  };
  const box = element("details", { className: "map-layers map-box" }, element("summary", {}, "Layers"),
    ...layerNames.map((name) => {
      const field = element("input", { type: "checkbox", name, checked: state.layers.includes(name) });
      field.addEventListener("change", () => {
        state.layers = layerNames.filter((other) => (other === name ? field.checked : state.layers.includes(other)));
        changed();
        void update(name);
      });
      const label = element("label", { className: "check" }, field, layerTexts[name]);
      if (name in placeColours) {
        const mark = element("i", { className: "map-key" });
        mark.style.background = placeColours[name as keyof typeof placeColours];
        label.append(mark);
      }
      return label;
    }), filters);
  filters.hidden = true;
  for (const name of state.layers) void update(name);

  return {
    box,
    nodes: () => (state.layers.includes("nodes") ? drawnNodes : []),
  };
}
