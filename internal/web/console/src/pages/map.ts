// The map of /map: replaces the drawing of the server by one that can be moved, with places, live captures and the past.
import * as L from "leaflet/dist/leaflet-src.esm.js";
import { readAddress, writeAddress } from "../map/address";
import { listen } from "../map/captures";
import { layerChooser } from "../map/chooser";
import { boxOf, contains, middle, nearest, point, readRegions, roads } from "../map/geometry";
import { drawAreas, drawLabels, drawNodes, drawPath, MapCanvas, theme, type Look } from "../map/layers";
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
  const begun = state.time;
  const served = document.querySelector<HTMLElement>("#map-served"); // says which time the page was made for
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const present = new Map(territories.map((t) => [t.name, t]));
  let shown = present; // the territories at the chosen time
  let colours = theme();
  let places: Places | null = null;
  let highlighted: string | null = null; // a guild: others are in the background
  const loadPlaces = async () => (places ??= await readPlaces());

  // The map and what is always on it.
  const canvas = element("div", { className: "map-canvas" });
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-label", "Map of the territories. Arrow keys move it, plus and minus zoom.");
  const land = drawing.querySelector<SVGPathElement>(".land")!;
  const { x, y, width, height } = land.getBBox();
  const regions = readRegions(drawing);
  canvas.style.visibility = "hidden"; // until the map is drawn
  drawing.after(canvas);
  const ways = roads([...present.values()]).map((ends) => ends.map((name) => middle(boxOf(present.get(name)!))).map(({ x, z }) => `${x} ${z}`));
  const drawn = new MapCanvas([
    drawPath(new Path2D(land.getAttribute("d")!), () => ({ fill: colours.land, edge: colours.shore, width: 2 })),
    drawAreas(() => shown.values(), look),
    drawPath(new Path2D(ways.map((way) => `M${way.join("L")}`).join("")),
      () => ({ edge: colours.road, width: 1, opacity: state.layers.includes("roads") ? 0.5 : 0 })),
  ], [
    drawNodes(() => chooser.nodes()),
    drawLabels(() => [...shown.values()].filter((t) => !highlighted || t.guildName === highlighted),
      () => (state.layers.includes("regions") ? regions : []), () => colours),
  ]);
  const map = L.map(canvas, {
    crs: L.CRS.Simple, renderer: drawn, minZoom: -5, maxZoom: 2, zoomSnap: 0.1, zoomDelta: 0.5,
    wheelPxPerZoomLevel: 150, attributionControl: false, zoomControl: false, zoomAnimation: !calm, fadeAnimation: !calm, inertia: !calm,
    markerZoomAnimation: !calm,
  });
  L.control.zoom({ position: "bottomright" }).addTo(map);
  const everything = L.latLngBounds(point({ x, z: y }), point({ x: x + width, z: y + height }));
  map.setMaxBounds(everything.pad(0.5));
  const wide = matchMedia("(min-width: 60rem)").matches;
  const sideWidth = wide ? 264 : 8;
  let moved = state.view !== null;
  if (state.view) map.setView([-state.view.z, state.view.x], state.view.zoom, { animate: false });
  else map.fitBounds(everything, { paddingTopLeft: [8, 8], paddingBottomRight: [sideWidth, 72], animate: false });

  const flashing = new Set<string>(); // territories captured a moment ago
  function look(t: Territory): Look {
    const marked = t.name === state.territory || flashing.has(t.name);
    const dim = highlighted !== null && t.guildName !== highlighted;
    return {
      fill: t.colour ?? colours.wild, opacity: dim ? 0.12 : t.colour ? 0.72 : 0.25, edge: marked ? colours.ink : t.colour ?? colours.road,
      edgeOpacity: dim ? 0.3 : t.colour || marked ? 1 : 0.5, width: marked ? 3 : 1.2, dashed: !t.colour && !marked,
    };
  }
  const repaint = () => {
    drawn.redraw();
    guilds.show(shown.values());
  };

  // The card of the territory under the pointer is above it, or below where there is no space, and does not cover it.
  const corner = ({ lat, lng }: L.LatLng) => ({ x: lng, z: -lat });
  const territoryAt = (at: L.LatLng) => [...shown.values()].find((t) => contains(boxOf(t), corner(at)));
  const tooltip = L.tooltip({ className: "map-card", opacity: 1 });
  let over: Territory | undefined;
  const hover = (t?: Territory) => {
    if (t === over) return;
    over = t;
    canvas.classList.toggle("over", t !== undefined);
    tooltip.remove();
    if (!t) return;
    const { west, east, north, south } = boxOf(t);
    const above = map.latLngToContainerPoint([-north, west]).y > 100;
    tooltip.options.direction = above ? "top" : "bottom";
    tooltip.setLatLng([above ? -north : -south, (west + east) / 2]).setContent(card(t)).addTo(map);
  };
  map.on("mousemove", ({ latlng }) => hover(drawn.overShape() ? undefined : territoryAt(latlng)));
  canvas.addEventListener("mouseleave", () => hover());

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
    state.territory = name;
    drawn.redraw();
    const t = name ? shown.get(name) : undefined;
    if (name && t) {
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
    if (served) served.hidden = wanted !== begun;
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
  const chooser = layerChooser({ map, state, places: loadPlaces, showPanel, changed: layersChanged, failed: fail });
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
  map.on("click", ({ latlng }) => {
    const reach = 9 / map.getZoomScale(map.getZoom(), 0);
    const node = nearest(chooser.nodes(), corner(latlng), Math.min(reach, 12));
    if (node) showPanel(...nodePanel(node, node.profession));
    else select(territoryAt(latlng)?.name ?? null);
  });

  chooser.box.open = guilds.box.open = wide;
  const side = element("div", { className: "map-side" }, chooser.box, guilds.box);
  view.append(search, side, panel, time.box);
  for (const box of [search, side, panel, time.box]) L.DomEvent.disableScrollPropagation(box);
  guilds.show(shown.values());
  await new Promise((resolve) => setTimeout(resolve)); // a phone stays responsive
  drawn.addTo(map);
  drawing.remove();
  canvas.style.visibility = "";
  const recolour = () => {
    colours = theme();
    repaint();
  };
  document.addEventListener("themechange", recolour);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  if (state.time) await showTime();
  view.dataset.shown = state.time ?? "now";
  if (state.territory && shown.has(state.territory)) select(state.territory, !state.view);

  listen(present, time.live, (t) => {
    if (shown !== present) return;
    if (!calm) {
      flashing.add(t.name);
      setTimeout(() => {
        flashing.delete(t.name);
        drawn.redraw();
      }, 1500);
    }
    repaint();
    if (t.name === state.territory) select(t.name);
  });
}
