// Two columns of a list as a chart.
import { useEffect, useMemo, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { columnsFor, columnsOf, defaultChoice, kinds, maxNames, maxSeries, pointsOf, type Choice, type Kind, type Points } from "./chart";
import { csv } from "./csv";
import { csvFile, fileName, ListChoice, save } from "./list-choice";
import type { List } from "./lists";
import type { ListProps } from "./table-view";
import { tableOf, withParents, type Table } from "./table";
import { colour, useTheme } from "./theme";

export function ChartView({ lists, path, onPath, nothing, name }: ListProps) {
  const charts = useMemo(() => lists.map((list) => ({ list, table: withParents(tableOf(list), list) })).filter(({ table }) => defaultChoice(table)), [lists]);
  const longest = charts.reduce<(typeof charts)[number] | undefined>((best, c) => (best && best.list.rows.length >= c.list.rows.length ? best : c), undefined);
  const shown = charts.find((c) => c.list.path === path) ?? longest;
  if (!shown) return <p className="hint">{lists.length === 0 ? nothing : "Nothing to chart yet: no numeric column."}</p>;
  return <ListChart key={`${shown.list.path} ${shown.table.columns.join()}`} {...shown} lists={charts.map((c) => c.list)} onPath={onPath} name={name} />;
}

function ListChart({ lists, list, table, onPath, name }: { lists: List[]; list: List; table: Table; onPath: ListProps["onPath"]; name: string }) {
  const [choice, setChoice] = useState(() => defaultChoice(table)!);
  const columns = useMemo(() => columnsFor(table), [table]);
  const points = useMemo(() => pointsOf(table, choice), [table, choice]);
  const canvas = useRef<() => HTMLCanvasElement | null>(() => null);
  const file = fileName(name, list);
  const select = (label: string, key: keyof Choice, options: [string, string][]) => (
    <label>{label} <select name={key} value={choice[key]} onChange={(e) => setChoice({ ...choice, [key]: e.target.value })}>{options.map(([value, text]) => <option key={value} value={value}>{text}</option>)}</select></label>
  );
  const named = (all: string[]) => all.map((c): [string, string] => [c, c]);
  const title = `${choice.y} by ${choice.x}${choice.series ? `, one ${kinds[choice.kind].toLowerCase()} for each ${choice.series}` : ""}`;
  return (
    <>
      <div className="choices">
        <ListChoice lists={lists} list={list} onPath={onPath} />
        {select("Type", "kind", Object.entries(kinds))}
        {select("X", "x", named(columns.x))}
        {select("Y", "y", named(columns.y))}
        {select("Series", "series", [["", "one"], ...named(columns.series)])}
        <button type="button" value="PNG" onClick={() => canvas.current()?.toBlob((png) => png && save(`${file}.png`, png))}>PNG</button>
        <button type="button" value="CSV" onClick={() => save(`${file}.csv`, csvFile(csv(columnsOf(table, choice))))}>CSV</button>
      </div>
      <div className="chart" role="img" aria-label={`${title}. The table has the values.`}><Plot points={points} kind={choice.kind} y={choice.y} canvas={canvas} /></div>
      {points.omitted > 0 && <p className="hint">{points.omitted} of {table.rows.length} rows are not drawn: they have no value, or the chart has its {maxSeries} series and {maxNames} names.</p>}
    </>
  );
}

// Colours of series, in console.css.
const palette = Array.from({ length: maxSeries }, (_, i) => `--series-${i + 1}`);

// Ticks of a time axis: for the least distance of two the text, then what is added when the year, month or day changes.
const times: uPlot.Axis.Values = [
  [3600 * 24 * 365, "{YYYY}", null, null, null, null, null, null, 1],
  [3600 * 24 * 28, "{MMM}", "\n{YYYY}", null, null, null, null, null, 1],
  [3600 * 24, "{D} {MMM}", "\n{YYYY}", null, null, null, null, null, 1],
  [60, "{HH}:{mm}", "\n{D} {MMM} {YYYY}", null, "\n{D} {MMM}", null, null, null, 1],
  [1, "{HH}:{mm}:{ss}", "\n{D} {MMM} {YYYY}", null, "\n{D} {MMM}", null, null, null, 1],
];

function Plot({ points, kind, y, canvas }: { points: Points; kind: Kind; y: string; canvas: { current: () => HTMLCanvasElement | null } }) {
  const box = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const plot = new uPlot({ ...options(points, kind, y, element.clientWidth), width: 400, height: 300 }, [points.xs, ...points.series.map((s) => s.values)], element);
    canvas.current = () => withBackground(plot.ctx.canvas);
    const fit = () => {
      const legend = element.querySelector<HTMLElement>(".u-legend")?.offsetHeight ?? 0;
      plot.setSize({ width: Math.max(element.clientWidth, 200), height: Math.max(element.clientHeight - legend - 8, 200) });
    };
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [points, kind, y, theme, canvas]);
  return <div ref={box} className="plot" />;
}

function options(points: Points, kind: Kind, y: string, width: number): Omit<uPlot.Options, "width" | "height"> {
  const [ink, line] = [colour("--soft"), colour("--line")];
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 }, font: "12px system-ui, sans-serif" };
  const isText = points.xScale === "text";
  const nameAt = (i: number) => points.names[i] ?? "";
  const short = (text: string) => (text.length > 14 ? text.slice(0, 13) + "…" : text);
  const many = points.names.length * 90 > width;
  return {
    scales: { x: { time: points.xScale === "time", ...(isText ? { range: () => [-0.6, points.names.length - 0.4] as [number, number] } : {}) }, ...(kind === "bar" ? { y: { range: (_, low, high) => fromZero(low, high) } } : {}) },
    axes: [
      { ...axis, ...(isText ? { splits: () => points.names.map((_, i) => i), values: (_, at) => at.map((i) => short(nameAt(i))), grid: { show: false }, ...(many ? { rotate: -60, size: 96 } : {}) } : points.xScale === "time" ? { values: times } : {}) },
      { ...axis, size: 64, values: (_, at) => at.map(compact) },
    ],
    series: [
      isText ? { label: "x", value: (_, i) => (i === null ? "–" : nameAt(i)) } : points.xScale === "time" ? { label: "time", value: "{YYYY}-{MM}-{DD} {HH}:{mm}" } : { label: "x" },
      ...points.series.map(({ name }, i): uPlot.Series => {
        const stroke = colour(palette[i % palette.length]!);
        return {
          label: name || y, stroke, width: 2, spanGaps: true, value: (_, v) => (v === null ? "–" : v.toLocaleString("en")),
          ...(kind === "bar" ? { fill: stroke + "cc", paths: uPlot.paths.bars!({ size: [0.7, 60] }), points: { show: false } } : {}),
          ...(kind === "points" ? { paths: () => null, points: { show: true, size: 7, fill: stroke } } : {}),
        };
      }),
    ],
    legend: { live: true },
    cursor: { drag: { x: !isText, y: false } },
  };
}

const fromZero = (low: number, high: number): [number, number] => [Math.min(0, low * 1.05), Math.max(0, high * 1.05) || 1];

const compact = (n: number) => (Math.abs(n) >= 10_000 ? new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(n) : String(n));

// withBackground returns a picture that can be read on any ground.
function withBackground(chart: HTMLCanvasElement): HTMLCanvasElement {
  const copy = document.createElement("canvas");
  copy.width = chart.width;
  copy.height = chart.height;
  const context = copy.getContext("2d");
  if (context) {
    context.fillStyle = colour("--paper");
    context.fillRect(0, 0, copy.width, copy.height);
    context.drawImage(chart, 0, 0);
  }
  return copy;
}
