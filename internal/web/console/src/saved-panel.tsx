// The saved queries.
import { useGraphiQL } from "@graphiql/react";
import { useEffect, useState, type FormEvent } from "react";
import { useOpen } from "./open";
import { browserShelf, shelfOfUser, type SavedQuery, type Shelf } from "./saved";

export function SavedPanel() {
  const [shelf, setShelf] = useState<Shelf>();
  useEffect(() => void shelfOfUser().then(setShelf, () => setShelf(browserShelf)), []);
  return shelf ? <Saved shelf={shelf} /> : <p className="hint" role="status">Loading…</p>;
}

function Saved({ shelf }: { shelf: Shelf }) {
  const active = useGraphiQL((state) => state.tabs[state.activeTabIndex]);
  const open = useOpen();
  const [saved, setSaved] = useState<SavedQuery[]>();
  const [error, setError] = useState("");
  const [renamed, setRenamed] = useState("");
  const apply = (change: Promise<SavedQuery[]>) => {
    setError("");
    change.then(setSaved, (e: Error) => setError(e.message));
  };
  useEffect(() => apply(shelf.list()), [shelf]);
  const nameIn = (e: FormEvent<HTMLFormElement>) => {
    e.preventDefault();
    return String(new FormData(e.currentTarget).get("name")).trim();
  };
  const save = (e: FormEvent<HTMLFormElement>) => {
    const name = nameIn(e);
    if (name !== "") apply(shelf.save({ name, query: active?.query ?? "", variables: active?.variables ?? "" }));
  };
  const rename = (e: FormEvent<HTMLFormElement>, q: SavedQuery) => {
    const name = nameIn(e);
    if (name !== "") apply(shelf.rename(q, name));
    setRenamed("");
  };
  return (
    <div className="saved">
      <h2>Saved queries</h2>
      <p className="hint">{shelf === browserShelf ? <>They are saved in this browser. <a href="/account">Sign in</a> to have them everywhere.</> : "They are saved in your account."}</p>
      <form onSubmit={save} key={active?.operationName ?? ""}>
        <input name="name" aria-label="Name of the query" defaultValue={active?.operationName ?? ""} placeholder="Name" maxLength={40} required />
        <button type="submit" disabled={(active?.query ?? "").trim() === ""}>Save</button>
      </form>
      {error !== "" && <p className="errors" role="alert">{error}</p>}
      {saved?.length === 0 && <p className="hint">Nothing is saved yet. Save the query of the open tab under a name.</p>}
      <ul>
        {saved?.map((s) => (
          <li key={s.name}>
            {renamed === s.name ? (
              <form onSubmit={(e) => rename(e, s)}>
                <input name="name" aria-label={`New name of ${s.name}`} defaultValue={s.name} maxLength={40} required autoFocus />
                <button type="submit">Rename</button>
              </form>
            ) : (
              <>
                <button type="button" className="name" onClick={() => open(s)}>{s.name}</button>
                <button type="button" aria-label={`Rename ${s.name}`} onClick={() => setRenamed(s.name)}>Rename</button>
                <button type="button" aria-label={`Delete ${s.name}`} onClick={() => confirm(`Delete “${s.name}”?`) && apply(shelf.remove(s))}>Delete</button>
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
