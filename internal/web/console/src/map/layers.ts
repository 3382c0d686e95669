// The canvas of the map: its shapes, what is too much for shapes, and texts that depend on the zoom.
import * as L from "leaflet/dist/leaflet-src.esm.js";
import { boxOf, contains, star, type Box, type Region } from "./geometry";
import type { Node, Territory } from "./queries";

export interface Theme { land: string; shore: string; road: string; wild: string; ink: string }

// theme reads the colours of the style sheet.
export function theme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const probe = document.createElement("span");
  document.body.append(probe);
  // A custom property with light-dark() has to be used to be resolved.
  const read = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color || style.color;
  };
  const colours = { land: read("--land"), shore: read("--shore"), road: read("--road"), wild: read("--wild"), ink: read("--ink") };
  probe.remove();
  return colours;
}

// Drawing draws a part of the map: box is the part in blocks, scale the pixels per block, and at(x, z) the pixel of a
// place.
type Drawing = (ctx: CanvasRenderingContext2D, box: Box, scale: number, at: (x: number, z: number) => [number, number]) => void;

// What Leaflet has no types for.
interface CanvasParts {
  _map?: L.Map;
  _ctx: CanvasRenderingContext2D;
  _bounds: L.Bounds;
  _redrawBounds: L.Bounds | null;
  _redrawRequest: number | null;
  _hoveredLayer?: L.Layer | null;
  _redraw(): void;
  below: Drawing[];
  above: Drawing[];
  draw(drawings: Drawing[]): void;
}

// MapCanvas is Leaflet's canvas with drawings below and above its shapes.
export const MapCanvas = L.Canvas.extend({
  initialize(this: L.Canvas & CanvasParts, below: Drawing[], above: Drawing[]) {
    (L.Canvas.prototype as unknown as { initialize(): void }).initialize.call(this);
    Object.assign(this, { below, above });
  },
  _draw(this: CanvasParts) {
    if (!this._map) return;
    this.draw(this.below);
    (L.Canvas.prototype as unknown as { _draw(): void })._draw.call(this);
    this.draw(this.above);
  },
  draw(this: CanvasParts, drawings: Drawing[]) {
    const map = this._map!;
    const scale = map.getZoomScale(map.getZoom(), 0);
    const origin = map.getPixelOrigin();
    const { min, max } = this._bounds as { min: L.Point; max: L.Point };
    const box = {
      west: (min.x + origin.x) / scale, east: (max.x + origin.x) / scale, north: (min.y + origin.y) / scale, south: (max.y + origin.y) / scale,
    };
    const part = this._redrawBounds ?? this._bounds; // Leaflet has cleared it
    const { x, y } = part.getSize();
    for (const drawing of drawings) {
      this._ctx.save();
      this._ctx.beginPath();
      this._ctx.rect(part.min!.x, part.min!.y, x, y);
      this._ctx.clip();
      drawing(this._ctx, box, scale, (x, z) => [x * scale - origin.x, z * scale - origin.y]);
      this._ctx.restore();
    }
  },
  redraw(this: CanvasParts) {
    if (!this._map) return;
    this._redrawBounds = L.bounds(this._bounds.min!, this._bounds.max!);
    this._redrawRequest ??= L.Util.requestAnimFrame(this._redraw, this);
  },
  // overShape reports whether the pointer is over one of Leaflet's shapes.
  overShape(this: CanvasParts) {
    return Boolean(this._hoveredLayer);
  },
}) as unknown as new (below: Drawing[], above: Drawing[]) => L.Canvas & { redraw(): void; overShape(): boolean };

// drawPath draws a path whose coordinates are blocks.
export function drawPath(path: Path2D, look: () => { fill?: string; edge: string; width: number; opacity?: number }): Drawing {
  return (ctx, _, scale, at) => {
    const { fill, edge, width, opacity } = look();
    ctx.translate(...at(0, 0));
    ctx.scale(scale, scale);
    ctx.globalAlpha = opacity ?? 1;
    ctx.strokeStyle = edge;
    ctx.lineWidth = width / scale;
    if (fill) {
      ctx.fillStyle = fill;
      ctx.fill(path, "evenodd");
    }
    ctx.stroke(path);
  };
}

export interface Look { fill: string; opacity: number; edge: string; edgeOpacity: number; width: number; dashed: boolean }

// drawAreas draws the areas of territories: all that look alike at once, those with the widest edges above the others.
export function drawAreas(territories: () => Iterable<Territory>, look: (t: Territory) => Look): Drawing {
  return (ctx, _, __, at) => {
    const kinds = new Map<string, { look: Look; path: Path2D }>();
    for (const t of territories()) {
      const own = look(t);
      const key = Object.values(own).join();
      const kind = kinds.get(key) ?? { look: own, path: new Path2D() };
      kinds.set(key, kind);
      const { west, east, north, south } = boxOf(t);
      const [left, top] = at(west, north);
      const [right, bottom] = at(east, south);
      kind.path.rect(left, top, right - left, bottom - top);
    }
    for (const { look, path } of [...kinds.values()].sort((a, b) => a.look.width - b.look.width)) {
      ctx.globalAlpha = look.opacity;
      ctx.fillStyle = look.fill;
      ctx.fill(path);
      ctx.globalAlpha = look.edgeOpacity;
      ctx.strokeStyle = look.edge;
      ctx.lineWidth = look.width;
      ctx.setLineDash(look.dashed ? [3, 3] : []);
      ctx.stroke(path);
    }
  };
}

const spacing = "2px"; // between the letters of the names of regions
const fontOf = (size: number, weight: number) => `${weight} ${Math.round(size)}px system-ui, sans-serif`;

// write writes a text with an edge. Sizes are whole pixels: a browser keeps the fonts of few sizes.
function write(ctx: CanvasRenderingContext2D, text: string, x: number, y: number, size: number, fill: string, edge: string, weight = 650) {
  ctx.font = fontOf(size, weight);
  ctx.lineWidth = size / 5;
  ctx.strokeStyle = edge;
  ctx.fillStyle = fill;
  ctx.strokeText(text, x, y);
  ctx.fillText(text, x, y);
}

// drawLabels draws the tags and stars of guilds, from some zoom on the names of territories, and the names of regions,
// which have nothing under them.
export function drawLabels(territories: () => Iterable<Territory>, regions: () => Region[], colours: () => Theme): Drawing {
  return (ctx, box, scale, at) => {
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.lineJoin = "round";
    const names = placeRegions(ctx, regions(), scale, at);
    const free = (x: number, y: number, halfWidth: number, halfHeight: number) =>
      !names.some((n) => Math.abs(n.x - x) < n.halfWidth + halfWidth && Math.abs(n.y - y) < n.halfHeight + halfHeight);
    for (const t of territories()) {
      const own = boxOf(t);
      if (own.east < box.west || own.west > box.east || own.south < box.north || own.north > box.south) continue;
      const [left, top] = at(own.west, own.north);
      const [right, bottom] = at(own.east, own.south);
      const [width, height] = [right - left, bottom - top];
      const named = width > 90 && height > 44;
      const size = Math.min(width / 3.6, height / 2, named ? 20 : 15);
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const tagY = y - (named ? size * 0.5 : 0);
      if (t.guildPrefix && size >= 6 && free(x, tagY, size * 1.4, size * 0.6)) write(ctx, t.guildPrefix, x, tagY, size, "#fff", "#0009");
      const nameSize = Math.min(12, (width / t.name.length) * 1.6);
      if (named && free(x, y + size * 0.6, t.name.length * nameSize * 0.3, nameSize * 0.6)) {
        write(ctx, t.name, x, y + size * 0.6, nameSize, "#fff", "#000a", 500);
      }
      if (t.hq && scale > 0.05) {
        const r = Math.max(5, Math.min(width, height) / 7);
        ctx.beginPath();
        for (const [x, y] of star(left + 1.3 * r, top + 1.3 * r, r)) ctx.lineTo(x, y);
        ctx.closePath();
        ctx.lineWidth = 1.5;
        ctx.strokeStyle = "#000a";
        ctx.fillStyle = "#ffe9a8";
        ctx.stroke();
        ctx.fill();
      }
    }
    ctx.letterSpacing = spacing;
    ctx.globalAlpha = 0.85;
    for (const { name, size, x, y } of names) write(ctx, name, x, y, size, colours().ink, colours().land, 700);
  };
}

// placeRegions returns where the names of regions are in pixels, while the map is far away. A name that would be over
// another one is left out.
function placeRegions(ctx: CanvasRenderingContext2D, regions: Region[], scale: number, at: (x: number, z: number) => [number, number]) {
  const size = Math.max(10, Math.min(22, 110 * scale));
  ctx.letterSpacing = spacing;
  ctx.font = fontOf(size, 700);
  const placed: { name: string; size: number; x: number; y: number; halfWidth: number; halfHeight: number }[] = [];
  for (const { name, position } of scale > 0.5 ? [] : regions) {
    const [x, y] = at(position.x, position.z);
    const halfWidth = ctx.measureText(name).width / 2 + 2;
    const halfHeight = size * 0.6;
    if (placed.some((p) => Math.abs(p.x - x) < p.halfWidth + halfWidth && Math.abs(p.y - y) < 2 * halfHeight)) continue;
    placed.push({ name, size, x, y, halfWidth, halfHeight });
  }
  ctx.letterSpacing = "0px";
  return placed;
}

// The colours of gathering professions.
export const professionColours: Record<string, string> = {
  MINING: "#a9552c", WOODCUTTING: "#2f7d32", FARMING: "#c99700", FISHING: "#1668b8", "": "#6b5b95",
};

// drawNodes draws gathering nodes as dots.
export function drawNodes(nodes: () => (Node & { colour: string })[]): Drawing {
  return (ctx, box, scale, at) => {
    const r = Math.max(1.3, Math.min(5, scale * 7));
    let colour = "";
    ctx.lineWidth = 1;
    ctx.strokeStyle = "#fffb";
    for (const node of nodes()) {
      if (!contains(box, node.position)) continue;
      if (colour !== node.colour) ctx.fillStyle = colour = node.colour;
      const [px, py] = at(node.position.x, node.position.z);
      if (r < 2.5) {
        ctx.fillRect(px - r, py - r, 2 * r, 2 * r);
        continue;
      }
      ctx.beginPath();
      ctx.arc(px, py, r, 0, 7);
      ctx.fill();
      ctx.stroke();
    }
  };
}
