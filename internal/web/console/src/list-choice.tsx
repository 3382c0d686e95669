// The choice of a list of the response, and its downloads.
import type { List } from "./lists";

export function ListChoice({ lists, list, onPath }: { lists: List[]; list: List; onPath: (path: string) => void }) {
  return (
    <label>
      List{" "}
      <select name="list" value={list.path} onChange={(e) => onPath(e.target.value)}>
        {lists.map((l) => <option key={l.path} value={l.path}>{l.path} ({l.rows.length})</option>)}
      </select>
    </label>
  );
}

/** fileName returns the name of a download without extension. */
export const fileName = (name: string, list: List) => `${name}-${list.path.replace(/\W+/g, "-").replace(/-$/, "")}`;

/** csvFile returns a text as a file of CSV. */
export const csvFile = (text: string) => new Blob([text], { type: "text/csv;charset=utf-8" });
