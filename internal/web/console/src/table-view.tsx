// One list of the response as a table.
import { useMemo, useState } from "react";
import { csv, ndjson } from "./csv";
import { Int64, jsonText } from "./json";
import { defaultList, isObject, listsIn } from "./lists";
import { tableOf, type Cell } from "./table";

// More rows are slow to lay out; the files have all of them.
const maxRows = 500;

export function TableView({ response, name }: { response: unknown; name: string }) {
  const data = isObject(response) ? response.data : undefined;
  const lists = useMemo(() => listsIn(data), [data]);
  const [selected, setSelected] = useState("");
  const list = lists.find((l) => l.path === selected) ?? defaultList(lists);
  const table = useMemo(() => list && tableOf(list), [list]);
  if (!list || !table) {
    return <p className="hint">{data === undefined ? "Run a query first: its lists appear here as tables." : "This response has no lists."}</p>;
  }
  const file = `${name}-${list.path.replace(/\W+/g, "-").replace(/-$/, "")}`;
  return (
    <>
      <p className="choices">
        <label>
          List{" "}
          <select value={list.path} onChange={(e) => setSelected(e.target.value)}>
            {lists.map((l) => <option key={l.path} value={l.path}>{l.path} ({l.rows.length})</option>)}
          </select>
        </label>
        <button type="button" value="CSV" onClick={() => save(`${file}.csv`, "text/csv;charset=utf-8", csv(table))}>CSV</button>
        <button type="button" value="NDJSON" onClick={() => save(`${file}.ndjson`, "application/x-ndjson", ndjson(list.rows))}>NDJSON</button>
      </p>
      <div className="scroll" tabIndex={0} role="region" aria-label={`Table of ${list.path}`}>
        <table>
          <thead><tr>{table.columns.map((c) => <th key={c} scope="col">{c}</th>)}</tr></thead>
          <tbody>
            {table.rows.slice(0, maxRows).map((row, i) => (
              <tr key={i}>{row.map((cell, n) => <CellView key={n} cell={cell} />)}</tr>
            ))}
          </tbody>
        </table>
      </div>
      {table.rows.length > maxRows && <p className="hint">The first {maxRows} of {table.rows.length} rows. Downloads have all.</p>}
    </>
  );
}

function CellView({ cell }: { cell: Cell }) {
  if (cell === undefined) return <td />;
  if (cell === null) return <td className="null">null</td>;
  if (typeof cell === "number" || cell instanceof Int64) return <td className="number">{String(cell)}</td>;
  if (Array.isArray(cell) && cell.every((v) => typeof v === "string" || typeof v === "number")) return <td>{cell.join(", ")}</td>;
  if (typeof cell === "object") {
    const whole = jsonText(cell);
    return <td title={whole.slice(0, 2000)}>{whole.length > 80 ? whole.slice(0, 80) + "…" : whole}</td>;
  }
  return <td>{String(cell)}</td>;
}

function save(name: string, type: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
