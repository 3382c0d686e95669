// The map of /map: replaces the drawing of the server by one that can be moved, with places, live captures and the past.
import L from "leaflet";
import { readAddress, writeAddress } from "../map/address";
import { listen } from "../map/captures";
import { layerChooser, type Chooser } from "../map/chooser";
import { boxOf, middle, nearest, point, readPath, readRegions, roads } from "../map/geometry";
import { drawLabels, drawNodes, MapCanvas, theme } from "../map/layers";
import { legend } from "../map/legend";
import { card, element, eventPanel, guildPanel, lootPanel, markerPanel, nodePanel, territoryPanel } from "../map/panel";
import { QueryError, readPlaces, readTerritories, type Places, type Territory } from "../map/queries";
import { searchForm } from "../map/search";
import { Past, timeControl } from "../map/time";
import "../map/map.css";

const view = document.querySelector<HTMLElement>("#map-view");
const drawing = view?.querySelector<SVGElement>("svg.map");
if (view && drawing) void start(view, drawing);

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
  let highlighted: string | null = null; // a guild: others are in the background
  const loadPlaces = async () => (places ??= await readPlaces());

  // The map and what is always on it.
  const canvas = element("div", { className: "map-canvas" });
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-label", "Map of the territories. Arrow keys move it, plus and minus zoom.");
  const land = readPath(drawing.querySelector(".land")?.getAttribute("d") ?? "");
  const regions = readRegions(drawing);
  drawing.replaceWith(canvas);
  let chooser: Chooser | undefined; // the map is drawn before it can be chosen what it shows
  const nodes = () => chooser?.nodes() ?? [];
  const drawn = new MapCanvas(drawNodes(nodes), drawLabels(
    () => [...shown.values()].filter((t) => !highlighted || t.guildName === highlighted),
    () => (state.layers.includes("regions") ? regions : []), () => colours));
  const map = L.map(canvas, {
    crs: L.CRS.Simple, renderer: drawn, minZoom: -5, maxZoom: 2, zoomSnap: 0.1, zoomDelta: 0.5,
    wheelPxPerZoomLevel: 150, attributionControl: false, zoomControl: false, zoomAnimation: !calm, fadeAnimation: !calm, inertia: !calm,
    markerZoomAnimation: !calm,
  });
  L.control.zoom({ position: "bottomright" }).addTo(map);
  const everything = L.latLngBounds([...present.values()].flatMap((t) => [point(t.location.start), point(t.location.end)]));
  map.setMaxBounds(everything.pad(0.5));
  const wide = matchMedia("(min-width: 60rem)").matches;
  const sideWidth = wide ? 264 : 8;
  const showEverything = () => map.fitBounds(land.length > 0 ? L.latLngBounds(land.flat()) : everything,
    { paddingTopLeft: [8, 8], paddingBottomRight: [sideWidth, 72], animate: false });
  let moved = state.view !== null;
  if (state.view) map.setView([-state.view.z, state.view.x], state.view.zoom, { animate: false });
  else showEverything();

  const coast = L.polygon(land, { interactive: false, fillRule: "evenodd" }).addTo(map);
  const areas = new Map<string, L.Rectangle>();
  for (const t of present.values()) {
    const area = L.rectangle([point(t.location.start), point(t.location.end)], { className: "area" });
    area.bindTooltip(() => card(shown.get(t.name)!), { className: "map-card", opacity: 1 });
    area.on("tooltipopen", ({ tooltip }: L.TooltipEvent) => besideArea(tooltip, area.getBounds()));
    area.on("click", (event) => {
      L.DomEvent.stop(event);
      const reach = 9 / map.getZoomScale(map.getZoom(), 0);
      const node = nearest(nodes(), { x: event.latlng.lng, z: -event.latlng.lat }, Math.min(reach, 12));
      if (node) showPanel(...nodePanel(node, node.profession));
      else select(t.name);
    });
    areas.set(t.name, area.addTo(map));
  }
  // The card of a territory is above it, or below where there is no space, and does not cover it.
  const besideArea = (tooltip: L.Tooltip, bounds: L.LatLngBounds) => {
    const above = map.latLngToContainerPoint(bounds.getNorthWest()).y > 100;
    tooltip.options.direction = above ? "top" : "bottom";
    tooltip.setLatLng([above ? bounds.getNorth() : bounds.getSouth(), bounds.getCenter().lng]);
  };
  const paint = (name: string) => {
    const t = shown.get(name);
    const own = t?.colour ?? null;
    const chosen = name === state.territory;
    const dim = highlighted !== null && t?.guildName !== highlighted;
    areas.get(name)?.setStyle({
      fillColor: own ?? colours.wild, fillOpacity: dim ? 0.12 : own ? 0.72 : 0.25, color: chosen ? colours.ink : own ?? colours.road,
      weight: chosen ? 3 : 1.2, opacity: dim ? 0.3 : own || chosen ? 1 : 0.5, dashArray: own || chosen ? undefined : "3 3",
    });
    if (chosen) areas.get(name)?.bringToFront();
  };
  const joined = L.polyline(roads([...present.values()]).map(([a, b]) =>
    [a, b].map((name) => point(middle(boxOf(present.get(name)!))))), { interactive: false });
  const repaint = () => {
    coast.setStyle({ fillColor: colours.land, fillOpacity: 1, color: colours.shore, weight: 2 });
    for (const name of areas.keys()) paint(name);
    joined.setStyle({ color: colours.road, weight: 1, opacity: 0.5 });
    drawn.redraw();
    guilds.show(shown.values());
  };
  joined.on("add", repaint); // the selected territory stays above the roads

  // The panel about one thing.
  const panelBody = element("div", {});
  const panel = element("section", { className: "map-panel map-box", hidden: true }, element("button", {
    type: "button", className: "map-close", ariaLabel: "Close", onclick: () => select(null),
  }, "×"), panelBody);
  panel.setAttribute("aria-live", "polite");
  panel.setAttribute("aria-label", "Details");
  const pins = L.layerGroup().addTo(map); // of the place that is found
  function showPanel(...content: HTMLElement[]) {
    pins.clearLayers();
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
      if (move) {
        map.once("moveend", () => keepInView(t));
        map.setView(point(middle(boxOf(t))), Math.max(map.getZoom(), -1), { animate: !calm });
      } else keepInView(t);
    } else showPanel();
    remember();
  }

  // The panel of a small screen covers the lower part of the map.
  function keepInView(t: Territory) {
    if (wide) return;
    const { y } = map.latLngToContainerPoint(point(middle(boxOf(t))));
    const lowest = panel.offsetTop - 24;
    if (!panel.hidden && y > lowest - 40) map.panBy([0, y - lowest / 2], { animate: !calm });
  }
  function openGuild(name: string) {
    showPanel(...guildPanel(name, [...shown.values()].filter((t) => t.guildName === name), (n) => select(n, true)));
  }
  const guilds = legend((name) => {
    if (name === highlighted) return;
    highlighted = name;
    for (const area of areas.keys()) paint(area);
    drawn.redraw();
  }, openGuild);

  // What the map shows: places, a search, the present or a time of the past.
  const fail = (error: unknown) => {
    if (error instanceof DOMException && error.name === "AbortError") return;
    time.say(error instanceof QueryError ? error.message : "The service cannot be reached.");
  };
  const past = new Past();
  const time = timeControl(state.time, (chosen) => {
    state.time = chosen;
    return showTime();
  });
  // showTime shows the time of the state, and reports whether it does.
  async function showTime(): Promise<boolean> {
    const wanted = state.time;
    time.show(wanted);
    view.classList.toggle("past", wanted !== null);
    if (!wanted) past.cancel();
    try {
      const then = wanted ? await past.at(wanted, present) : present;
      if (state.time !== wanted) return false;
      shown = then;
    } catch (error) {
      if (state.time === wanted) fail(error);
      return false;
    }
    repaint();
    view.dataset.shown = wanted ?? "now";
    if (state.territory) select(state.territory);
    remember();
    return true;
  }
  const search = searchForm({
    territories: () => [...shown.values()],
    places: () => loadPlaces().catch(() => null),
    open: (f) => {
      if (f.kind === "territory") {
        select(f.name, true);
        return;
      }
      if (f.kind === "guild") openGuild(f.name);
      else if (f.place) {
        select(null);
        showPanel(...("marker" in f.place ? markerPanel(f.place.marker) : "loot" in f.place ? lootPanel(f.place.loot) : eventPanel(f.place.event)));
        for (const at of f.places) {
          pins.addLayer(L.marker(point(at), { icon: L.divIcon({ className: "map-pin", iconSize: [24, 34], iconAnchor: [12, 34] }), title: f.name, keyboard: false }));
        }
      }
      map.fitBounds(L.latLngBounds(f.places.map(point)).pad(0.2), { maxZoom: -0.5, animate: !calm });
    },
  });
  chooser = layerChooser({ map, state, roads: joined, places: loadPlaces, showPanel, changed: layersChanged, failed: fail });
  function layersChanged() {
    drawn.redraw();
    remember();
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

  chooser.box.open = guilds.box.open = wide;
  const side = element("div", { className: "map-side" }, chooser.box, guilds.box);
  view.append(search, side, panel, time.box);
  for (const box of [search, side, panel, time.box]) L.DomEvent.disableScrollPropagation(box);
  repaint();
  const recolour = () => {
    colours = theme();
    repaint();
  };
  document.addEventListener("themechange", recolour);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  if (state.time) await showTime();
  view.dataset.shown = state.time ?? "now";
  if (state.territory && shown.has(state.territory)) select(state.territory, !state.view);

  listen(present, time.status, (t) => {
    if (shown !== present) return;
    paint(t.name);
    drawn.redraw();
    guilds.show(shown.values());
    if (t.name === state.territory) select(t.name);
    if (calm) return;
    areas.get(t.name)?.setStyle({ weight: 4, color: colours.ink, opacity: 1 });
    setTimeout(() => paint(t.name), 1500);
  });
}
