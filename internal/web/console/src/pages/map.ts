// The map of /map: replaces the drawing of the server by one that can be moved, with places, live captures and the past.
import L from "leaflet";
import { layerNames, readAddress, writeAddress, type LayerName } from "../map/address";
import { find } from "../map/find";
import { boxOf, middle, nearest, point, readPath, roads } from "../map/geometry";
import { drawLabels, drawnLayer, drawNodes, drawRegions, professionColours, theme, type DrawnLayer } from "../map/layers";
import { card, element, eventPanel, guildPanel, holder, lootPanel, markerPanel, nodePanel, territoryPanel, words } from "../map/panel";
import {
  QueryError, readNodes, readPast, readPlaces, readProfessions, readTerritories,
  type Corner, type Holder, type Node, type Places, type Territory,
} from "../map/queries";
import { colour } from "../site/colour";
import "../map/map.css";

const layerTexts: Record<LayerName, string> = {
  roads: "Roads", regions: "Regions", markers: "Places", nodes: "Gathering nodes", events: "World events", camps: "Camps", raids: "Raids",
};
const placeColours = { markers: "#374151", events: "#7c3aed", camps: "#c2410c", raids: "#b91c1c" };
const regionIcon = "Place_Region.png";
const hour = 3_600_000;
const pastHours = 30 * 24;

const view = document.querySelector<HTMLElement>("#map-view");
const drawing = view?.querySelector<SVGElement>("svg.map");
if (view && drawing) void start(view, drawing);

const hiddenLabel = (field: string, text: string) => element("label", { className: "visually-hidden", htmlFor: field }, text);

async function start(view: HTMLElement, drawing: SVGElement) {
  let territories: Territory[];
  try {
    territories = await readTerritories();
  } catch {
    return; // the drawing of the server stays
  }
  const state = readAddress(location.search);
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const present = new Map(territories.map((t) => [t.name, t]));
  let shown = present; // those of the chosen time
  let colours = theme();
  let places: Places | null = null;
  let nodes: (Node & { colour: string; profession: string })[] | null = null;

  // The map and what is always on it.
  const canvas = element("div", { className: "map-canvas" });
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-label", "Map of the territories. Arrow keys move it, plus and minus zoom.");
  const land = readPath(drawing.querySelector(".land")?.getAttribute("d") ?? "");
  drawing.replaceWith(canvas);
  view.classList.add("interactive");
  const map = L.map(canvas, {
    crs: L.CRS.Simple, preferCanvas: true, renderer: L.canvas({ padding: 0.4 }), minZoom: -5, maxZoom: 2, zoomSnap: 0.25, zoomDelta: 0.5,
    wheelPxPerZoomLevel: 150, attributionControl: false, zoomControl: false, zoomAnimation: !calm, fadeAnimation: !calm, inertia: !calm,
    markerZoomAnimation: !calm,
  });
  L.control.zoom({ position: "bottomright" }).addTo(map);
  for (const [name, z] of [["nodes", 430], ["labels", 450]] as const) {
    const pane = map.createPane(name);
    pane.style.zIndex = String(z);
    pane.style.pointerEvents = "none";
  }
  const everything = L.latLngBounds([...present.values()].flatMap((t) => [point(t.location.start), point(t.location.end)]));
  map.setMaxBounds(everything.pad(0.5));
  const showEverything = () => map.fitBounds(everything, { paddingTopLeft: [8, 24], paddingBottomRight: [8, 56], animate: false });
  let moved = state.view !== null;
  if (state.view) map.setView([-state.view.z, state.view.x], state.view.zoom, { animate: false });
  else showEverything();

  const coast = L.polygon(land, { interactive: false, fillRule: "evenodd" }).addTo(map);
  const areas = new Map<string, L.Rectangle>();
  for (const t of present.values()) {
    const area = L.rectangle([point(t.location.start), point(t.location.end)], { className: "area" });
    area.bindTooltip(() => card(shown.get(t.name)!), { sticky: true, className: "map-card", opacity: 1 });
    area.on("click", (event) => {
      L.DomEvent.stop(event);
      const reach = 9 / map.getZoomScale(map.getZoom(), 0);
      const node = layers.nodes && map.hasLayer(layers.nodes) &&
        nearest(visibleNodes(), { x: event.latlng.lng, z: -event.latlng.lat }, Math.min(reach, 12));
      if (node) showPanel(...nodePanel(node, node.profession));
      else select(t.name);
    });
    areas.set(t.name, area.addTo(map));
  }
  const paint = (name: string) => {
    const t = shown.get(name);
    const own = t?.guildUuid ? colour(t.guildUuid) : null;
    const chosen = name === state.territory;
    areas.get(name)?.setStyle({
      fillColor: own ?? colours.wild, fillOpacity: own ? 0.72 : 0.25, color: chosen ? colours.ink : own ?? colours.road,
      weight: chosen ? 3 : 1.2, opacity: own || chosen ? 1 : 0.5, dashArray: own || chosen ? undefined : "3 3",
    });
    if (chosen) areas.get(name)?.bringToFront();
  };
  const labels = drawnLayer(drawLabels(() => shown.values()), "labels").addTo(map);
  const repaint = () => {
    coast.setStyle({ fillColor: colours.land, fillOpacity: 1, color: colours.shore, weight: 2 });
    for (const name of areas.keys()) paint(name);
    joined.setStyle({ color: colours.road, weight: 1, opacity: 0.5 });
    labels.redraw();
  };

  // Layers that can be chosen.
  const joined = L.polyline(roads([...present.values()]).map(([a, b]) =>
    [a, b].map((name) => point(middle(boxOf(present.get(name)!))))), { interactive: false });
  const visibleNodes = () => nodes?.filter((n) => (!state.profession || n.profession === state.profession) &&
    (!state.material || n.resource === state.material)) ?? [];
  let drawnNodes: (Node & { colour: string; profession: string })[] = [];
  const spot = (at: Corner, name: string, kind: keyof typeof placeColours, panel: () => HTMLElement[]) =>
    L.circleMarker(point(at), { radius: 6, color: "#fff", weight: 1.5, fillColor: placeColours[kind], fillOpacity: 1 })
      .bindTooltip(element("span", {}, name), { className: "map-card", opacity: 1 })
      .on("click", (event) => {
        L.DomEvent.stop(event);
        showPanel(...panel());
      });
  const layers: Partial<Record<LayerName, L.Layer>> = { roads: joined };
  const load: Partial<Record<LayerName, () => Promise<L.Layer>>> = {};
  const withPlaces = (name: LayerName, make: (places: Places) => L.Layer) => {
    load[name] = async () => make(places ??= await readPlaces());
  };
  withPlaces("regions", ({ markers }) => drawnLayer(
    drawRegions(() => markers.filter(({ icon }) => icon === regionIcon), () => colours), "labels"));
  withPlaces("markers", ({ markers }) => L.layerGroup(markers.filter(({ icon }) => icon !== regionIcon)
    .map((m) => spot(m.position, m.name, "markers", () => markerPanel(m)))));
  withPlaces("events", ({ events }) => L.layerGroup(events.flatMap((e) => e.places.flatMap((p) => {
    const at = p.event ?? p.spawn ?? p.reward;
    return at ? [spot(at, e.name, "events", () => eventPanel(e))] : [];
  }))));
  for (const [name, type] of [["camps", "CAMP"], ["raids", "RAID"]] as const) {
    withPlaces(name, ({ loot }) => L.layerGroup(loot.flatMap((l) =>
      l.type === type && l.location ? [spot(l.location, l.name, name, () => lootPanel(l))] : [])));
  }
  load.nodes = async () => {
    const [all, professions] = await Promise.all([readNodes(), readProfessions()]);
    nodes = all.map((n) => {
      const profession = professions.get(n.resource) ?? "";
      return { ...n, profession, colour: professionColours[profession] ?? professionColours[""]! };
    });
    drawnNodes = visibleNodes();
    fillNodeFilters();
    return drawnLayer(drawNodes(() => drawnNodes), "nodes");
  };
  const toggle = async (name: LayerName, on: boolean) => {
    state.layers = layerNames.filter((other) => (other === name ? on : state.layers.includes(other)));
    remember();
    nodeFilters.hidden = !state.layers.includes("nodes");
    try {
      if (on) layers[name] ??= await load[name]!();
      const layer = layers[name];
      if (!layer) return;
      if (state.layers.includes(name)) layer.addTo(map);
      else layer.remove();
      if (name === "roads" && on) repaint();
    } catch (error) {
      say(error);
    }
  };

  // The list of layers, with the filters of gathering nodes.
  const professionField = element("select", { ariaLabel: "Profession" });
  const materialField = element("select", { ariaLabel: "Material" });
  const nodeFilters = element("div", { className: "map-filters", hidden: true }, professionField, materialField);
  const option = (value: string, text: string, selected: boolean) => element("option", { value, selected }, text);
  function fillNodeFilters() {
    const all = nodes ?? [];
    professionField.replaceChildren(option("", "All professions", !state.profession), ...[...new Set(all.map((n) => n.profession))].sort()
      .filter(Boolean).map((p) => option(p, words(p), p === state.profession)));
    const levels = new Map(all.filter((n) => !state.profession || n.profession === state.profession).map((n) => [n.resource, n.level]));
    materialField.replaceChildren(option("", "All materials", !state.material), ...[...levels].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1))
      .map(([resource, level]) => option(resource, `${words(resource)} (${level})`, resource === state.material)));
  }
  const filterNodes = () => {
    if (professionField.value !== state.profession) materialField.value = "";
    state.profession = professionField.value;
    state.material = materialField.value;
    drawnNodes = visibleNodes();
    fillNodeFilters();
    (layers.nodes as DrawnLayer | undefined)?.redraw();
    remember();
  };
  professionField.addEventListener("change", filterNodes);
  materialField.addEventListener("change", filterNodes);
  const chooser = element("details", { className: "map-layers map-box" }, element("summary", {}, "Layers"),
    ...layerNames.map((name) => {
      const box = element("input", { type: "checkbox", name, checked: state.layers.includes(name) });
      box.addEventListener("change", () => void toggle(name, box.checked));
      const key = name in placeColours ? placeColours[name as keyof typeof placeColours] : null;
      const label = element("label", { className: "check" }, box, layerTexts[name]);
      if (key) {
        const mark = element("i", { className: "map-key" });
        mark.style.background = key;
        label.append(mark);
      }
      return label;
    }), nodeFilters);

  // The search.
  const field = element("input", { id: "map-find", type: "search", placeholder: "Find a territory, guild or place", autocomplete: "off" });
  const results = element("ul", { className: "map-results", hidden: true });
  const search = element("form", { className: "map-search map-box" }, hiddenLabel("map-find", "Find on the map"), field, results);
  const showResults = async () => {
    if (field.value.trim() && !places) places = await readPlaces().catch(() => null);
    const found = find(field.value, [...shown.values()], places);
    results.hidden = found.length === 0;
    results.replaceChildren(...found.map((f) => element("li", {}, element("button", {
      type: "button", onclick: () => {
        results.hidden = true;
        if (f.kind === "territory") select(f.name, true);
        else if (f.kind === "guild") showPanel(...guildPanel(f.name, [...shown.values()].filter((t) => t.guildName === f.name), (n) => select(n, true)));
        if (f.kind !== "territory") map.fitBounds(L.latLngBounds(f.places.map(point)).pad(0.2), { maxZoom: -0.5, animate: !calm });
      },
    }, element("span", {}, f.name), element("small", {}, f.note)))));
  };
  field.addEventListener("input", () => void showResults());
  search.addEventListener("submit", (event) => {
    event.preventDefault();
    void showResults().then(() => results.querySelector("button")?.click());
  });
  search.addEventListener("keydown", (event) => {
    const buttons = [...results.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (event.key === "Escape") results.hidden = true;
    else if (event.key === "ArrowDown") buttons[Math.min(at + 1, buttons.length - 1)]?.focus();
    else if (event.key === "ArrowUp") (buttons[at - 1] ?? field).focus();
    else return;
    event.preventDefault();
  });

  // The panel about one thing.
  const panelBody = element("div", {});
  const panel = element("section", { className: "map-panel map-box", hidden: true }, element("button", {
    type: "button", className: "map-close", ariaLabel: "Close", onclick: () => select(null),
  }, "×"), panelBody);
  panel.setAttribute("aria-live", "polite");
  panel.setAttribute("aria-label", "Details");
  function showPanel(...content: HTMLElement[]) {
    panelBody.replaceChildren(...content);
    panel.hidden = content.length === 0;
  }
  function select(name: string | null, move = false) {
    const before = state.territory;
    state.territory = name;
    if (before) paint(before);
    const t = name ? shown.get(name) : undefined;
    if (name && t) {
      paint(name);
      showPanel(...territoryPanel(t, (other) => select(other, true)));
      if (move) map.setView(point(middle(boxOf(t))), Math.max(map.getZoom(), -1), { animate: !calm });
    } else showPanel();
    remember();
  }

  // Time: live captures, or a moment of the past.
  const status = element("span", { className: "map-live" }, "Connecting…");
  const slider = element("input", { type: "range", min: String(-pastHours), max: "0", step: "1", value: "0", id: "map-hours" });
  const when = element("output", {}, "Now");
  const now = element("button", { type: "button", className: "plain small", hidden: true }, "Now");
  const time = element("div", { className: "map-time map-box" }, hiddenLabel("map-hours", "Time, in hours from now"), status, slider, when, now);
  const format = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
  let timer = 0;
  let pending: AbortController | undefined;
  const past = new Map<string, Promise<Map<string, { since: string | null; holder: Holder | null }>>>();
  const say = (error: unknown) => {
    if (error instanceof DOMException && error.name === "AbortError") return;
    when.textContent = error instanceof QueryError ? error.message : "The service cannot be reached.";
  };
  async function showTime() {
    pending?.abort();
    now.hidden = !state.time;
    view.classList.toggle("past", state.time !== null);
    if (!state.time) {
      when.textContent = "Now";
      shown = present;
    } else {
      when.textContent = format.format(new Date(state.time));
      const key = state.time;
      const request = (pending = new AbortController());
      const loading = past.get(key) ?? readPast(key, request.signal).then((list) => new Map(list.map((p) => [p.territoryName, p])));
      past.set(key, loading);
      try {
        const then = await loading;
        if (state.time !== key) return;
        shown = new Map([...present].map(([name, t]) => {
          const p = then.get(name);
          return [name, {
            ...t, guildUuid: p?.holder?.uuid ?? null, guildName: p?.holder?.name ?? null, guildPrefix: p?.holder?.prefix ?? null,
            acquired: p?.since ?? null, hq: false, treasury: "", defences: "", resources: [],
          }];
        }));
      } catch (error) {
        past.delete(key);
        if (state.time === key) say(error);
        return;
      }
    }
    repaint();
    view.dataset.shown = state.time ?? "now";
    if (state.territory) select(state.territory);
    remember();
  }
  slider.addEventListener("input", () => {
    const ago = Number(slider.value);
    state.time = ago === 0 ? null : new Date(Math.floor(Date.now() / hour) * hour + ago * hour).toISOString();
    when.textContent = state.time ? format.format(new Date(state.time)) : "Now";
    clearTimeout(timer);
    timer = window.setTimeout(() => void showTime(), 150);
  });
  now.addEventListener("click", () => {
    slider.value = "0";
    state.time = null;
    void showTime();
  });

  function listen() {
    const events = new EventSource("/events?types=territoryCaptured"); // it reconnects by itself, with the last id
    events.addEventListener("open", () => (status.textContent = "Live"));
    events.addEventListener("error", () => (status.textContent = events.readyState === EventSource.CLOSED ? "Offline" : "Reconnecting…"));
    events.addEventListener("end", () => {
      events.close();
      status.textContent = "Offline";
    });
    events.addEventListener("territoryCaptured", (message) => {
      const { at, data } = JSON.parse((message as MessageEvent<string>).data) as { at: string; data: { territory: string; to: Holder | null } };
      const t = present.get(data.territory);
      if (!t || (t.acquired && at <= t.acquired)) return;
      Object.assign(t, {
        guildUuid: data.to?.uuid ?? null, guildName: data.to?.name ?? null, guildPrefix: data.to?.prefix ?? null,
        acquired: at, hq: false, treasury: "VERY_LOW", defences: "VERY_LOW",
      } satisfies Partial<Territory>);
      status.title = `${t.name}: ${t.guildName ?? "unclaimed"}`;
      updateRow(t);
      if (shown !== present) return;
      paint(t.name);
      labels.redraw();
      if (t.name === state.territory) select(t.name);
      if (!calm) {
        areas.get(t.name)?.setStyle({ weight: 4, color: colours.ink, opacity: 1 });
        setTimeout(() => paint(t.name), 1500);
      }
    });
  }

  // The table below the map has what happened meanwhile, too.
  const rows = new Map([...document.querySelectorAll<HTMLTableRowElement>("#territory-table tbody tr")]
    .map((row) => [row.querySelector("th a")?.textContent ?? "", row]));
  function updateRow(t: Territory) {
    const row = rows.get(t.name);
    if (!row || view.dataset.time) return;
    row.querySelector("th .badge")?.remove();
    row.cells[1]?.replaceChildren(...holder(t, true).filter((c): c is globalThis.Node | string => Boolean(c)));
    row.cells[2]?.replaceChildren("just now");
    for (const i of [3, 4]) row.cells[i]?.replaceChildren(words("VERY_LOW"));
  }

  function remember() {
    const { lat, lng } = map.getCenter();
    state.view = moved ? { x: lng, z: -lat, zoom: map.getZoom() } : null;
    history.replaceState(null, "", location.pathname + writeAddress(location.search, state) + location.hash);
  }
  map.on("moveend", () => {
    moved = true;
    remember();
  });
  map.on("click", () => select(null));

  view.append(search, chooser, panel, time);
  for (const box of [search, chooser, panel, time]) L.DomEvent.disableScrollPropagation(box);
  nodeFilters.hidden = !state.layers.includes("nodes");
  repaint();
  for (const name of state.layers) void toggle(name, true);
  const recolour = () => {
    colours = theme();
    repaint();
    (layers.regions as DrawnLayer | undefined)?.redraw();
  };
  document.addEventListener("themechange", recolour);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  if (state.time) {
    const ago = Math.round((new Date(state.time).getTime() - Date.now()) / hour);
    slider.min = String(Math.min(-pastHours, ago));
    slider.value = String(ago);
    await showTime();
  }
  view.dataset.shown = state.time ?? "now";
  if (state.territory && shown.has(state.territory)) select(state.territory, !state.view);
  listen();
}
