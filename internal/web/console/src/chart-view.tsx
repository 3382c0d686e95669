// Columns of a list as a chart.
import { useEffect, useMemo, useRef } from "react";
import uPlot from "uplot";
import { coloursOf, columnsFor, columnsOf, defaultChoice, describe, fits, kinds, maxNames, maxSeries, pointsOf, type Chart, type Choice, type Kind, type Points } from "./chart";
import { csv } from "./csv";
import type { Example } from "./examples";
import { drawLineEnds, marginFor, shorten, textWidth } from "./line-ends";
import { csvFile, fileName, ListChoice } from "./list-choice";
import { save } from "./save";
import { defaultList, type List } from "./lists";
import { apart, moment, numberTicks, ticks, timeLabels, timeTicks } from "./scale";
import type { ListProps } from "./table-view";
import { tableOf, type Table } from "./table";
import { colour, useTheme } from "./theme";

interface ChartProps extends ListProps {
  /** The chart that the user chose. */
  chosen: Chart | null;
  /** The example of the query. */
  example: Example | undefined;
  onChart: (chart: Chart) => void;
}

export function ChartView({ lists, path, onPath, nothing, name, chosen, example, onChart }: ChartProps) {
  const charts = useMemo(() => lists.map((list) => ({ list, table: tableOf(list) })).filter(({ table }) => columnsFor(table).y.length > 0)
    .map((c) => ({ ...c, suggested: defaultChoice(c.table) })), [lists]);
  const of = (path: string | undefined) => charts.find((c) => c.list.path === path);
  const suggested = charts.filter((c) => c.suggested);
  const longest = suggested.reduce<(typeof charts)[number] | undefined>((best, c) => (best && best.list.rows.length >= c.list.rows.length ? best : c), undefined);
  const first = of(defaultList(lists)?.path);
  const shown = of(path) ?? of(example?.chart?.list) ?? (first?.suggested ? first : longest ?? first ?? charts[0]);
  if (!shown) return <p className="hint">{lists.length === 0 ? nothing : "No chart suggested: no list of this response has numbers or times."}</p>;
  const { list, table } = shown;
  const known = [chosen, example?.chart].find((c) => c && c.list === list.path && fits(table, c));
  const choice = known ?? { list: list.path, ...(shown.suggested ?? { kind: "bar", x: "", y: "", series: "" }) };
  return <ListChart lists={charts.map((c) => c.list)} list={list} table={table} choice={choice} title={choice === example?.chart ? example.title : titleOf(choice)} name={name} onPath={onPath} onChoice={onChart} />;
}

const titleOf = ({ x, y, series, kind }: Choice) => `${y} by ${x}${series ? `, one ${kinds[kind].toLowerCase()} for each ${series}` : ""}`;

interface ListChartProps extends Pick<ListProps, "lists" | "onPath" | "name"> {
  list: List;
  table: Table;
  choice: Chart;
  title: string;
  onChoice: (choice: Chart) => void;
}

function ListChart({ lists, list, table, choice, title, name, onPath, onChoice }: ListChartProps) {
  const { kind, x, y, series } = choice;
  const columns = useMemo(() => columnsFor(table), [table]);
  const chosen = x !== "" && y !== "";
  const points = useMemo(() => (chosen ? pointsOf(table, { kind, x, y, series }) : null), [table, chosen, kind, x, y, series]);
  const own = useMemo(() => coloursOf(table, { kind, x, y, series }), [table, kind, x, y, series]);
  const canvas = useRef<() => HTMLCanvasElement | null>(() => null);
  const file = fileName(name, list);
  const select = (label: string, key: keyof Choice, options: [string, string][]) => (
    <label>{label} <select name={key} value={choice[key]} onChange={(e) => onChoice({ ...choice, [key]: e.target.value })}>{options.map(([value, text]) => <option key={value} value={value}>{text}</option>)}</select></label>
  );
  const named = (all: string[]) => all.map((c): [string, string] => [c, c]);
  const withNone = (value: string, all: string[]): [string, string][] => (value === "" ? [["", "choose"], ...named(all)] : named(all));
  return (
    <>
      <div className="choices">
        <ListChoice lists={lists} list={list} onPath={onPath} />
        {select("Type", "kind", Object.entries(kinds))}
        {select("X", "x", withNone(x, columns.x))}
        {select("Y", "y", withNone(y, columns.y))}
        {select("Series", "series", [["", "one"], ...named(columns.series)])}
        {points && <button type="button" value="PNG" onClick={() => canvas.current()?.toBlob((png) => png && save(`${file}.png`, png))}>PNG</button>}
        {points && <button type="button" value="CSV" onClick={() => save(`${file}.csv`, csvFile(csv(columnsOf(table, choice))))}>CSV</button>}
      </div>
      {!points && <p className="hint" role="status">No chart suggested. Choose columns for X and Y.</p>}
      {points && <h2 className="chart-title">{title}</h2>}
      {points && <div className="chart"><Plot points={points} kind={kind} x={x} title={title} own={own} canvas={canvas} /></div>}
      {Object.entries(points?.empty ?? {}).map(([column, rows]) => <p key={column} className="hint">{rows} of {table.rows.length} rows have no value of {column} and are not drawn.</p>)}
      {points && points.beyond > 0 && <p className="hint">The first {maxNames} values of {x} are drawn, {points.beyond} rows of others are not.</p>}
    </>
  );
}

// Colours of series, in console.css.
const palette = Array.from({ length: maxSeries }, (_, i) => `--series-${i + 1}`);

interface PlotProps {
  points: Points;
  kind: Kind;
  /** The name of the x axis. */
  x: string;
  title: string;
  /** Colours of series that have one. */
  own: Map<string, string>;
  canvas: { current: () => HTMLCanvasElement | null };
}

const font = "12px system-ui, sans-serif";
const rowHeight = 22;

function Plot({ points, kind, x, title, own, canvas }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    // Many names are read from top to bottom: the chart lies on its side.
    const lying = points.xScale === "text" && kind !== "histogram" && points.names.length * 90 > element.clientWidth;
    const height = lying ? points.names.length * Math.max(rowHeight, 6 * points.series.length) + 80 : 200;
    const describes = ({ scales }: uPlot) => element.setAttribute("aria-label", `${title}. ${describe(points, kind, [scales.y!.min ?? 0, scales.y!.max ?? 0])} The table has the values.`);
    const series = points.series.map(({ name }, i) => ({ name, colour: own.get(name) ?? colour(palette[i]!) }));
    // The names of lines are beside their ends: a legend is necessary for values only.
    const labelled = kind === "line" && series.length > 1 && element.clientWidth >= 480;
    element.classList.toggle("labelled", labelled);
    const { hooks, ...drawn } = options(points, kind, x, lying, labelled, element.clientWidth, series.map((s) => s.colour));
    const plot = new uPlot({ ...drawn, hooks: { ...hooks, drawClear: [describes] }, width: 400, height: 300 }, [points.xs, ...points.series.map((s) => s.values)], element);
    canvas.current = () => withTitle(plot.ctx.canvas, title, series.length > 1 ? series : []);
    const fit = () => {
      const beside = !labelled && series.length > 1 && element.clientWidth >= 440;
      element.classList.toggle("beside", beside);
      const legend = element.querySelector<HTMLElement>(".u-legend")!;
      const [right, below] = beside ? [legend.offsetWidth, 0] : [0, labelled ? 0 : legend.offsetHeight];
      plot.setSize({ width: Math.max(element.clientWidth - right, 200), height: Math.max(element.clientHeight - below - 8, height) });
    };
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [points, kind, x, title, own, theme, canvas]);
  return <div ref={box} className="plot" role="img" />;
}

function options(points: Points, kind: Kind, x: string, lying: boolean, labelled: boolean, width: number, colours: string[]): Omit<uPlot.Options, "width" | "height"> {
  const [ink, line] = [colour("--soft"), colour("--line")];
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 }, font, labelFont: font, labelSize: 20 };
  const isText = points.xScale === "text";
  const isTime = points.xScale === "time";
  const label = isTime ? `${x} (UTC)` : x;
  const isBar = kind === "bar" || kind === "histogram";
  // Of points with the last x uPlot fits only the first one into the y axis, unless the x axis goes on.
  const beside = kind === "points" ? 0.02 * (points.xs.at(-1)! - points.xs[0]!) : 0;
  const margin = isBar ? 0.6 * stepOf(points.xs) : isTime ? 30 : beside;
  const nameAt = (i: number) => points.names[i] ?? "";
  const labels = labelled ? points.series.map((s) => shorten(s.name, 20)) : [];
  const every = Math.ceil((points.names.length * 50) / width); // of a histogram
  const names: uPlot.Axis = {
    splits: () => points.names.map((_, i) => i).filter((i) => kind !== "histogram" || i % every === 0), grid: { show: false },
    values: (_, at) => at.map((i) => shorten(nameAt(i), lying ? 28 : 14)),
    ...(lying ? { side: 3, size: 20 + Math.max(...points.names.map((n) => textWidth(shorten(n, 28), font))) } : {}),
  };
  return {
    padding: [null, labels.length > 0 ? marginFor(labels, font) : null, null, null],
    scales: {
      x: { time: isTime, range: (_, low, high) => (isText ? [-0.6, points.names.length - 0.4] : apart(low - margin, high + margin)), ...(lying ? { ori: 1, dir: -1 } : {}) },
      y: { ...(lying ? { ori: 0 } : {}), ...(isBar ? { range: (_, low, high) => fromZero(low, high) } : {}) },
    },
    axes: [
      { ...axis, label, ...(isText ? names : isTime ? { ...ticks(70, timeTicks), values: (_, at) => timeLabels(at) } : { ...ticks(50, numberTicks), values: (_, at) => at.map(compact) }) },
      { ...axis, label: points.yName, ...ticks(lying ? 50 : 30, numberTicks), ...(lying ? { side: 0 } : { size: 64 }), values: (_, at) => at.map(compact) },
    ],
    series: [
      { label, value: (_, v) => (v === null ? "" : isTime ? moment(v) : isText ? nameAt(v) : String(v)) },
      ...points.series.map(({ name }, i): uPlot.Series => {
        const stroke = colours[i]!;
        return {
          label: name, stroke, width: 2, spanGaps: true, value: (_, v) => (v === null ? "" : v.toLocaleString("en", { maximumFractionDigits: 2 })),
          ...(isBar ? { fill: stroke + "cc", paths: bars(i, points, kind), points: { show: false } } : {}),
          ...(kind === "points" ? { paths: () => null, points: { show: true, size: 7, fill: stroke } } : {}),
        };
      }),
    ],
    legend: { live: true },
    cursor: { drag: { x: !isText, y: false } },
    hooks: {
      setLegend: [(u) => u.root.classList.toggle("idle", u.cursor.idx == null)],
      ready: [(u) => u.root.classList.add("idle")],
      draw: labels.length > 0 ? [(u) => drawLineEnds(u, labels.map((text, i) => ({ text, colour: colours[i]!, value: lastOf(points.series[i]!.values) })), font, ink)] : [],
    },
  };
}

// stepOf returns the least distance of two positions.
function stepOf(xs: number[]): number {
  const steps = xs.map((x, i) => (i > 0 ? x - xs[i - 1]! : 0)).filter((step) => step > 0);
  return steps.length > 0 ? steps.reduce((a, b) => Math.min(a, b)) : 1;
}

// bars returns the bars of a series: those of several series stand side by side.
function bars(series: number, { xs, series: all }: Points, kind: Kind): uPlot.Series.PathBuilder {
  const size = stepOf(xs) * (kind === "histogram" ? 0.96 : 0.8) / all.length;
  const left = xs.map((x) => x + size * (series - all.length / 2));
  return uPlot.paths.bars!({ disp: { x0: { unit: 1, values: () => left }, size: { unit: 1, values: () => [size] } } });
}

const lastOf = (values: (number | null)[]) => values.findLast((v) => v !== null)!; // a series has a point

const fromZero = (low: number, high: number): [number, number] => [Math.min(0, low * 1.05), Math.max(0, high * 1.05) || 1];

const compact = (n: number) => (Math.abs(n) >= 10_000 ? new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(n) : String(n));

// withTitle returns a picture that can be read on any ground and by itself: with its title and the names of its series.
function withTitle(chart: HTMLCanvasElement, title: string, series: { name: string; colour: string }[]): HTMLCanvasElement {
  const copy = document.createElement("canvas");
  const ratio = devicePixelRatio;
  const head = (series.length > 0 ? 52 : 32) * ratio;
  copy.width = chart.width;
  copy.height = chart.height + head;
  const context = copy.getContext("2d");
  if (!context) return copy;
  context.fillStyle = colour("--paper");
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(chart, 0, head);
  context.fillStyle = colour("--ink");
  context.font = `600 ${15 * ratio}px system-ui, sans-serif`;
  context.fillText(title, 12 * ratio, 22 * ratio);
  context.font = font.replace("12", String(12 * ratio));
  let left = 12 * ratio;
  for (const { name, colour } of series) {
    context.fillStyle = colour;
    context.fillText(name, left, 42 * ratio);
    left += context.measureText(name).width + 14 * ratio;
  }
  return copy;
}
