// The gallery of examples.
import { useState } from "react";
import { examples, groups, type Group } from "./examples";
import { isSafe } from "./start";
import { useOpen } from "./open";

export function ExamplesPanel() {
  const [filter, setFilter] = useState("");
  const open = useOpen();
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = examples.filter((e) => words.every((w) => `${groups[e.group]} ${e.title} ${e.explanation} ${e.query}`.toLowerCase().includes(w)));
  return (
    <div className="gallery">
      <h2>Examples</h2>
      <input type="search" aria-label="Search examples" placeholder="Search examples" value={filter} onChange={(e) => setFilter(e.target.value)} />
      {found.length === 0 && <p className="hint">No example has these words.</p>}
      {(Object.keys(groups) as Group[]).filter((g) => found.some((e) => e.group === g)).map((g) => (
        <section key={g} aria-label={`Examples: ${groups[g]}`}>
          <h3>{groups[g]}</h3>
          <ul>
            {found.filter((e) => e.group === g).map((e) => (
              <li key={e.title}>
                <button type="button" onClick={() => open({ query: e.query, variables: "" }, { run: isSafe(e.query), view: e.chart ? "Chart" : "JSON" })}>{e.title}</button>
                <p>{e.explanation}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
