// The names of lines beside their ends.
import type uPlot from "uplot";

export interface LineEnd { text: string; colour: string; value: number }

const gap = 14; // between two names, in CSS pixels
const dash = 8;

export const shorten = (text: string, most: number) => (text.length > most ? text.slice(0, most - 1) + "…" : text);

export function textWidth(text: string, font: string): number {
  const context = document.createElement("canvas").getContext("2d")!;
  context.font = font;
  return context.measureText(text).width;
}

// marginFor is what names need at the right of a plot.
export const marginFor = (names: string[], font: string) => 16 + dash + Math.max(...names.map((name) => textWidth(name, font)));

// spread moves positions, which ascend, apart and keeps them between two limits.
export function spread(positions: number[], least: number, low: number, high: number): number[] {
  const out = [...positions];
  out.forEach((y, i) => (out[i] = Math.max(y, i > 0 ? out[i - 1]! + least : low)));
  for (let i = out.length - 1; i >= 0; i--) out[i] = Math.min(out[i]!, i + 1 < out.length ? out[i + 1]! - least : high);
  return out;
}

// drawLineEnds writes the name of each line beside its last value, without overlaps, with a dash in the colour of the line.
export function drawLineEnds(u: uPlot, lines: LineEnd[], font: string, ink: string) {
  const ratio = devicePixelRatio;
  const { left, top, width, height } = u.bbox;
  const ends = lines.map((line) => ({ ...line, y: u.valToPos(line.value, "y", true) })).sort((a, b) => a.y - b.y);
  const at = spread(ends.map((end) => end.y), gap * ratio, top, top + height);
  u.ctx.save();
  u.ctx.font = font.replace("12", String(12 * ratio));
  u.ctx.textBaseline = "middle";
  u.ctx.textAlign = "left";
  ends.forEach(({ text, colour }, i) => {
    const x = left + width + 4 * ratio;
    u.ctx.fillStyle = colour;
    u.ctx.fillRect(x, at[i]! - ratio, dash * ratio, 2 * ratio);
    u.ctx.fillStyle = ink;
    u.ctx.fillText(text, x + (dash + 4) * ratio, at[i]!);
  });
  u.ctx.restore();
}
