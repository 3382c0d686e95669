// One list of the response as a table: sorted by a click on a column, filtered, with the columns that the user wants.
import { useMemo, useState } from "react";
import { defaultChoice } from "./chart";
import { csv, ndjson } from "./csv";
import { Int64 } from "./json";
import { csvFile, fileName, ListChoice } from "./list-choice";
import { save } from "./save";
import { defaultList, type List } from "./lists";
import { part, rowsOf, textOf, type Order } from "./rows";
import { tableOf, wideForm, type Cell, type Table } from "./table";

// More rows are slow to lay out; the files have all of them.
const maxRows = 500;

export interface ListProps {
  lists: List[];
  /** The list that the user chose; empty if none. */
  path: string;
  onPath: (path: string) => void;
  /** What is shown without a list. */
  nothing: string;
  /** Of downloads. */
  name: string;
}

export function TableView({ lists, path, onPath, nothing, name }: ListProps) {
  const list = lists.find((l) => l.path === path) ?? defaultList(lists);
  const [wide, setWide] = useState(false);
  const long = useMemo(() => list && tableOf(list), [list]);
  const form = useMemo(() => long && timeSeries(long), [long]);
  const table = useMemo(() => (long && form && wide ? wideForm(long, form) : long), [long, form, wide]);
  const [filter, setFilter] = useState("");
  const [order, setOrder] = useState<Order | null>(null);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => (table ? rowsOf(table, filter, order) : []), [table, filter, order]);
  if (!list || !table) return <p className="hint">{nothing}</p>;
  const shown = part(table, rows, hidden);
  const sort = (column: string) => setOrder(order?.column !== column ? { column, descending: false } : order.descending ? null : { column, descending: true });
  const toggle = (column: string) => {
    const next = new Set(hidden);
    if (!next.delete(column)) next.add(column);
    setHidden(next);
  };
  const file = fileName(name, list);
  // Rows of an inner list say little without what they belong to.
  const lines = () => (list.path.includes("[]") ? shown.rows.map((row) => Object.fromEntries(shown.columns.map((c, i) => [c, row[i]]))) : rows.map((r) => list.rows[r]));
  return (
    <>
      <div className="choices">
        <ListChoice lists={lists} list={list} onPath={onPath} />
        {form && <button type="button" value="wide" aria-pressed={wide} title={`A column for each ${form.series}`} onClick={() => setWide(!wide)}>Wide</button>}
        <input type="search" aria-label="Filter rows" placeholder="Filter rows" value={filter} onChange={(e) => setFilter(e.target.value)} />
        <details className="columns">
          <summary>Columns {shown.columns.length} of {table.columns.length}</summary>
          <ul>{table.columns.map((c) => <li key={c}><label><input type="checkbox" checked={!hidden.has(c)} onChange={() => toggle(c)} /> {c}</label></li>)}</ul>
        </details>
        <button type="button" value="CSV" onClick={() => save(`${file}.csv`, csvFile(csv(shown)))}>CSV</button>
        <button type="button" value="NDJSON" onClick={() => save(`${file}.ndjson`, new Blob([ndjson(lines())], { type: "application/x-ndjson" }))}>NDJSON</button>
        <span className="count" role="status">{rows.length === table.rows.length ? `${rows.length} rows` : `${rows.length} of ${table.rows.length} rows`}</span>
      </div>
      <div className="scroll" tabIndex={0} role="region" aria-label={`Table of ${list.path}`}>
        <table>
          <thead>
            <tr>
              {shown.columns.map((c) => (
                <th key={c} scope="col" aria-sort={order?.column !== c ? undefined : order.descending ? "descending" : "ascending"}>
                  <button type="button" onClick={() => sort(c)}>{c}</button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.rows.slice(0, maxRows).map((row, i) => (
              <tr key={rows[i]}>{row.map((cell, n) => <CellView key={n} cell={cell} />)}</tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > maxRows && <p className="hint">The first {maxRows} of {rows.length} rows. Downloads have all.</p>}
    </>
  );
}

// timeSeries returns the columns of a table of several time series; null if it is none.
function timeSeries(table: Table) {
  const choice = defaultChoice(table);
  return choice?.kind === "line" && choice.series !== "" ? choice : null;
}

function CellView({ cell }: { cell: Cell }) {
  if (cell === undefined) return <td />;
  if (cell === null) return <td className="null">null</td>;
  if (typeof cell === "number" || cell instanceof Int64) return <td className="number">{String(cell)}</td>;
  const text = textOf(cell);
  return <td title={text.length > 40 ? text.slice(0, 2000) : undefined}>{text.length > 80 ? text.slice(0, 80) + "…" : text}</td>;
}
