// The errors of a response, each with its place in the query.
import { useGraphiQL } from "@graphiql/react";
import { isObject } from "./lists";

export interface ResponseError {
  message: string;
  /** The first place in the query; null if the error has none. */
  place: { line: number; column: number } | null;
  /** Where in the data, such as `player.guild`; empty if the error has no path. */
  path: string;
}

/** errorsOf reads the errors of a response; of a stream, the errors of the last event. */
export function errorsOf(body: unknown): ResponseError[] {
  const result = isObject(body) && Array.isArray(body.events) ? body.events[0] : body;
  const errors = isObject(result) && Array.isArray(result.errors) ? result.errors.filter(isObject) : [];
  return errors.map((e) => {
    const place = Array.isArray(e.locations) ? e.locations[0] : undefined;
    return {
      message: typeof e.message === "string" ? e.message : "An error without a message.",
      place: isObject(place) && typeof place.line === "number" && typeof place.column === "number" ? { line: place.line, column: place.column } : null,
      path: Array.isArray(e.path) ? e.path.join(".") : "",
    };
  });
}

const shown = 3;

export function ErrorBanner({ body }: { body: unknown }) {
  const editor = useGraphiQL((state) => state.queryEditor);
  const errors = errorsOf(body);
  if (errors.length === 0) return null;
  const go = ({ line, column }: { line: number; column: number }) => {
    editor?.setPosition({ lineNumber: line, column });
    editor?.revealLineInCenter(line);
    editor?.focus();
  };
  return (
    <div className="errors" role="alert">
      {errors.slice(0, shown).map((e, i) => (
        <p key={i}>
          {e.message} {e.place && <button type="button" onClick={() => go(e.place!)}>Line {e.place.line}</button>}
          {e.path !== "" && <> <code>{e.path}</code></>}
        </p>
      ))}
      {errors.length > shown && <p>{errors.length - shown} more: see JSON.</p>}
    </div>
  );
}
