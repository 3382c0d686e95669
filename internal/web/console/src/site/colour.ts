// The colour of a guild or player, as graph/model/colour.go computes it.

// hash is FNV-1a of the hexadecimal digits of a uuid, with its bits spread.
export function hash(uuid: string): number {
  let h = 2166136261;
  for (const c of uuid.toLowerCase().replaceAll("-", "")) h = Math.imul(h ^ c.charCodeAt(0), 16777619);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

// colour returns #rrggbb.
export function colour(uuid: string): string {
  const h = hash(uuid);
  return hsl(h % 360, 0.48 + ((h >>> 9) % 24) / 100, 0.46 + ((h >>> 17) % 12) / 100);
}

function hsl(hue: number, saturation: number, lightness: number): string {
  const a = saturation * Math.min(lightness, 1 - lightness);
  const part = (n: number) => {
    const k = (n + hue / 30) % 12;
    return Math.floor(255 * (lightness - a * Math.max(-1, Math.min(k - 3, 9 - k, 1))) + 0.5).toString(16).padStart(2, "0");
  };
  return `#${part(0)}${part(8)}${part(4)}`;
}
