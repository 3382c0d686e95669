// Replaces the drawings of charts by ones that show values under the pointer and can be zoomed. The data come from the
// chart's table, the colours from its drawing.
import uPlot from "uplot";
import { drawLineEnds, marginFor, shorten } from "../line-ends";
import { isolated } from "./named";
import { apart, moment, numberTicks, ticks, timeLabels, timeTicks } from "../scale";

export interface ChartData {
  names: string[];
  // The times in seconds, then the values of each series; null where there is none.
  columns: [number[], ...(number | null)[][]];
}

type Row = [time: number, values: (number | null)[]];

// readTable reads a table whose rows have data-x and whose cells have data-y.
function readTable(table: HTMLTableElement, kind: DOMStringMap): ChartData {
  const names = [...table.querySelectorAll("thead th")].slice(1).map((th) => th.textContent?.trim() ?? "");
  const rows = lines([...table.querySelectorAll<HTMLTableRowElement>("tbody tr")].map((row) => [Number(row.dataset.x),
    [...row.querySelectorAll<HTMLElement>("td[data-y]")].map((td) => td.dataset.y ? Number(td.dataset.y) : null)]), kind);
  return { names, columns: [rows.map(([at]) => at), ...names.map((_, i) => rows.map(([, values]) => values[i]!))] };
}

// lines returns the ends of straight lines, or of steps, from end to end of a chart's time, for the kinds of lines in
// chart.go. There is a gap where a value is missing.
export function lines(rows: Row[], { line, interval, from, to }: DOMStringMap): Row[] {
  const [step, begin, end] = [Number(interval), Number(from), Number(to)];
  const none = rows[0]![1].map(() => null);
  const out: Row[] = [];
  let last: Row[1] = none;
  for (const [at, values] of rows) {
    const before = out.at(-1)?.[0] ?? Infinity;
    if (line === "grows" && at > before) out.push([at, last]);
    if (!line && step && at - before > 1.5 * step) out.push([before + step, none]);
    last = line ? values.map((value, i) => value ?? last[i]!) : values;
    out.push([line === "grows" ? Math.min(at + step, end) : at, last]);
  }
  if (begin < out[0]![0]) out.unshift([begin, none]);
  if (end > out.at(-1)![0]) out.push([end, line ? last : none]);
  return out;
}

// Browsers take milliseconds to create a format: each is created when it is needed first.
const once = <T>(create: () => T) => {
  let value: T | undefined;
  return () => (value ??= create());
};
const number = once(() => new Intl.NumberFormat("en-GB", { maximumFractionDigits: 2 }));
const short = once(() => new Intl.NumberFormat("en-GB", { notation: "compact", maximumFractionDigits: 2 }));

// valueLabels are whole numbers on the axis, others only where no two are whole. Large ones are shortened.
export function valueLabels(values: number[]): string[] {
  const whole = values.filter(Number.isInteger).length > 1;
  return values.map((v) => whole && !Number.isInteger(v) ? "" : Math.abs(v) >= 1e6 ? short().format(v) : number().format(v));
}

function options(figure: HTMLElement, data: ChartData, width: number): uPlot.Options {
  // Canvas needs colours as computed for elements: it knows neither custom properties nor light-dark().
  const grid = { stroke: getComputedStyle(figure.querySelector(".plot .grid") ?? figure).stroke, width: 1 };
  const text = getComputedStyle(figure.querySelector(".plot .y-axis") ?? figure);
  const font = `12px ${text.fontFamily}`;
  const axis: uPlot.Axis = { stroke: text.color, font, grid, ticks: { show: false } };
  const lines = [...figure.querySelectorAll<SVGPathElement>(".plot .lines path:not(.grid)")];
  const rank = "rank" in figure.dataset;
  const step = figure.dataset.line === "steps" && uPlot.paths.stepped ? uPlot.paths.stepped({ align: 1 }) : undefined;
  const colours = data.names.map((_, i) => getComputedStyle(lines[i] ?? figure).stroke);
  const [, ...columns] = data.columns;
  const labels = width >= 500 && columns.length > 1 ? data.names.map((name) => shorten(name, 20)) : [];
  const ends = labels.map((text, i) => ({ text, colour: colours[i]!, value: columns[i]!.findLast((v) => v !== null)! })); // a line has a point
  return {
    padding: [null, labels.length > 0 ? marginFor(labels, font) : null, null, null],
    width, height: width < 500 ? 240 : 320,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "UTC"),
    scales: { x: { range: (_, low, high) => apart(low, high, 3600) }, y: { dir: rank ? -1 : 1, range: (_, low, high) => padded(low, high, rank) } },
    axes: [
      { ...axis, ...ticks(80, timeTicks), values: (_, times) => timeLabels(times) },
      { ...axis, ...ticks(30, numberTicks), size: 72, values: (_, numbers) => valueLabels(numbers) },
    ],
    series: [{ label: "Time" }, ...data.names.map((label, i) => ({
      label, paths: step, width: 2, points: { show: true, filter: () => lone(columns[i]!) }, stroke: colours[i]!,
    }))],
    legend: { show: false },
    hooks: {
      draw: labels.length > 0 ? [(chart) => drawLineEnds(chart, ends, font, text.color)] : [],
      setCursor: [(chart) => showValues(figure, data, chart.cursor.idx ?? null)],
    },
  };
}

// lone returns where values are that no line reaches.
export const lone = (values: (number | null)[]) =>
  values.flatMap((v, i) => v !== null && (values[i - 1] ?? null) === null && (values[i + 1] ?? null) === null ? [i] : []);

const hint = globalThis.matchMedia?.("(pointer: coarse)").matches
  ? "Touch the chart for values. Times are in UTC."
  : "Move over the chart for values, drag to zoom in, double-click to see all of it. Times are in UTC.";

// showValues writes the values of a row into the legend and below the chart; without a row the latest ones.
function showValues(figure: HTMLElement, { names, columns: [times, ...values] }: ChartData, row: number | null) {
  const time = row === null ? undefined : times[row];
  const texts = values.map((column) => {
    const value = row === null ? column.findLast((v) => v !== null) : column[row];
    return typeof value === "number" ? number().format(value) : "–";
  });
  const legend = [...figure.querySelectorAll(".legend small")];
  legend.forEach((place, i) => { place.textContent = texts[i] ?? ""; });
  const line = figure.querySelector(".chart-hint");
  if (!line) return;
  const when = time === undefined ? "" : `${moment(time)} UTC`;
  line.textContent = when === "" ? hint : legend.length > 0 ? when : `${when}: ${texts[0]} ${isolated(names[0]?.toLowerCase() ?? "")}`;
}

// padded leaves space above and below the values; positions begin at 1.
export function padded(low: number, high: number, rank: boolean): [number, number] {
  if (rank) return [0.5, high + 0.5];
  const margin = Math.max((high - low) * 0.06, low === high ? 1 : 0.5); // between whole numbers
  return apart(low >= 0 ? Math.max(0, low - margin) : low - margin, high + margin);
}

// drawChart replaces the drawing of a chart.
export function drawChart(figure: HTMLElement) {
  const plot = figure.querySelector<HTMLElement>(".plot");
  const table = figure.querySelector("table");
  if (!plot || !table) return;
  const data = readTable(table, figure.dataset);
  const host = document.createElement("div");
  host.setAttribute("aria-hidden", "true"); // the table has the same values
  plot.after(host);
  const line = document.createElement("p");
  line.className = "chart-hint";
  line.textContent = hint;
  host.after(line);
  let chart: uPlot | undefined;
  const draw = () => {
    plot.hidden = false; // its colours are read
    const next = options(figure, data, host.clientWidth);
    chart?.destroy();
    chart = new uPlot(next, data.columns, host);
    plot.hidden = true;
  };
  draw();
  new ResizeObserver(() => { // what is beside the lines depends on the width; on paper there is none
    if (chart && host.clientWidth > 0 && Math.abs(chart.width - host.clientWidth) > 1) draw();
  }).observe(host);
  document.addEventListener("themechange", draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}
