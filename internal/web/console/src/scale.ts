// apart moves the ends of an axis so far apart that steps between them add up: uPlot adds a step that is smaller than the
// distance of neighbouring floats for ever.
export function apart(low: number, high: number): [number, number] {
  const least = 1e-12 * Math.max(Math.abs(low), Math.abs(high));
  return high - low >= least ? [low, high] : [low - least, high + least];
}
