// The ticks of axes. uPlot adds a step to the last tick until the end of the axis, which it never reaches if the step is
// smaller than the distance of neighbouring floats: here ticks are counted.
import type uPlot from "uplot";

/** An axis has no more ticks, however wide it is, and whatever its ends are. */
export const maxTicks = 20;

// apart moves the ends of an axis so far apart that steps between them add up.
export function apart(low: number, high: number, least = 0): [number, number] {
  const distance = Math.max(least, 1e-12 * Math.max(Math.abs(low), Math.abs(high)));
  return high - low >= distance ? [low, high] : [low - distance, high + distance];
}

/** numberTicks returns multiples of 1, 2 or 5 times a power of ten between two numbers, in at most `most` steps. */
export function numberTicks(low: number, high: number, most: number): number[] {
  const rough = high / most - low / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((n) => n * power >= rough) ?? 10);
  return ticksFrom(Math.ceil(low / step), (i) => Number((i * step).toPrecision(15)), low, high, most);
}

const [minute, hour, day] = [60, 3600, 86_400];
const seconds = [1, 5, 15, 30, ...[1, 5, 15, 30].map((n) => n * minute), ...[1, 2, 3, 6, 12].map((n) => n * hour), ...[1, 2, 7, 14].map((n) => n * day)];
const months = [1, 2, 3, 6, ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000].map((years) => 12 * years)];
const monthOf = (t: number) => new Date(t * 1000).getUTCFullYear() * 12 + new Date(t * 1000).getUTCMonth();
const timeOf = (month: number) => new Date(0).setUTCFullYear(Math.floor(month / 12), ((month % 12) + 12) % 12, 1) / 1000;

/** timeTicks returns whole minutes, hours, days, months or years in UTC between two times in seconds, in at most `most` steps. */
export function timeTicks(low: number, high: number, most: number): number[] {
  const rough = (high - low) / most;
  const step = seconds.find((s) => s >= rough);
  if (step) return ticksFrom(Math.ceil(low / step), (i) => i * step, low, high, most);
  const steps = months.find((m) => m * 28 * day >= rough) ?? months.at(-1)!;
  return ticksFrom(Math.ceil(monthOf(low) / steps), (i) => timeOf(i * steps), low, high, most);
}

function ticksFrom(first: number, at: (i: number) => number, low: number, high: number, most: number): number[] {
  const all = Array.from({ length: most + 1 }, (_, i) => at(first + i));
  return all.filter((t, i) => t >= low && t <= high && t !== all[i - 1]);
}

// Browsers take milliseconds to create a format: each is created when it is needed first.
const utc = (options: Intl.DateTimeFormatOptions) => {
  let format: Intl.DateTimeFormat | undefined;
  return (seconds: number) => (format ??= new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options })).format(seconds * 1000);
};
const clock = utc({ hour: "2-digit", minute: "2-digit" });
const exactClock = utc({ hour: "2-digit", minute: "2-digit", second: "2-digit" });
const date = utc({ day: "numeric", month: "short" });
const month = utc({ month: "short", year: "numeric" });
const year = utc({ year: "numeric" });
/** moment returns a time in UTC, to the minute. */
export const moment = utc({ day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" });

/** timeLabels returns the texts of ticks: hours within a day, days, months or years, by their distance. */
export function timeLabels(times: number[]): string[] {
  const step = times.length > 1 ? times[1]! - times[0]! : 0;
  return times.map((t) => {
    if (step >= 365 * day) return year(t);
    if (step >= 28 * day) return month(t);
    return t % day === 0 ? date(t) : step % minute === 0 ? clock(t) : exactClock(t);
  });
}

/** ticks makes an axis with ticks that are at least so many pixels apart. */
export function ticks(space: number, between: typeof numberTicks): uPlot.Axis {
  let most = 2;
  return {
    space(_, __, ___, ____, pixels) {
      most = Math.min(maxTicks - 1, Math.max(1, Math.floor(pixels / space)));
      return 1;
    },
    incrs: () => [Infinity], // uPlot asks for a step of its own, and draws no axis without one
    splits: (_, __, low, high) => between(low, high, most),
  };
}
