// Pure functions about places. The map has x to the east and z to the south; Leaflet has latitude to the north, so a place
// is at latitude -z and longitude x.
import type { Corner, Territory } from "./queries";

export type Point = [latitude: number, longitude: number];
export interface Box { west: number; east: number; north: number; south: number }

export interface Region { name: string; position: Corner }

export const point = ({ x, z }: Corner): Point => [-z, x];

export function boxOf({ location: { start, end } }: Pick<Territory, "location">): Box {
  return {
    west: Math.min(start.x, end.x), east: Math.max(start.x, end.x), north: Math.min(start.z, end.z), south: Math.max(start.z, end.z),
  };
}

export const contains = ({ west, east, north, south }: Box, { x, z }: Corner) => x >= west && x <= east && z >= north && z <= south;

export const middle = ({ west, east, north, south }: Box): Corner => ({ x: (west + east) / 2, z: (north + south) / 2 });

// readRegions returns the names of regions that are written on a drawing.
export const readRegions = (drawing: Element): Region[] => [...drawing.querySelectorAll(".region")].map((text) => ({
  name: text.textContent ?? "", position: { x: Number(text.getAttribute("x")), z: Number(text.getAttribute("y")) },
}));

// roads returns the pairs of joined territories, each once.
export function roads(territories: Pick<Territory, "name" | "linkNames">[]): [string, string][] {
  const known = new Set(territories.map(({ name }) => name));
  return territories.flatMap(({ name, linkNames }) =>
    linkNames.filter((other) => name < other && known.has(other)).map((other): [string, string] => [name, other]));
}

// star returns the corners of a star around a point of a canvas.
export function star(x: number, y: number, size: number): [number, number][] {
  return Array.from({ length: 10 }, (_, i) => {
    const r = i % 2 ? size * 0.45 : size;
    const angle = (i * Math.PI) / 5 - Math.PI / 2;
    return [x + r * Math.cos(angle), y + r * Math.sin(angle)];
  });
}

// nearest returns the entry nearest to a place within a distance.
export function nearest<T extends { position: Corner }>(entries: T[], { x, z }: Corner, distance: number): T | undefined {
  let best: T | undefined;
  let least = distance * distance;
  for (const entry of entries) {
    const d = (entry.position.x - x) ** 2 + (entry.position.z - z) ** 2;
    if (d <= least) [best, least] = [entry, d];
  }
  return best;
}
