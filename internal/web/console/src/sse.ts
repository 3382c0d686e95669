// Server-sent events of a subscription, as the protocol "GraphQL over SSE" in its distinct connections mode has them:
// events `next` with a result each, then `complete`.

export interface ServerEvent {
  /** The name; "message" when the server gives none. */
  event: string;
  data: string;
}

/** A parser of a stream of events, which arrives in pieces. */
export class EventParser {
  private rest = "";
  private event = "";
  private data: string[] = [];

  /** push takes the next piece and returns the events that end in it. */
  push(piece: string): ServerEvent[] {
    const lines = (this.rest + piece).split("\n");
    this.rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.line(line.replace(/\r$/, "")));
  }

  private line(line: string): ServerEvent[] {
    if (line === "") {
      const done = { event: this.event || "message", data: this.data.join("\n") };
      const empty = this.event === "" && this.data.length === 0;
      this.event = "";
      this.data = [];
      return empty ? [] : [done];
    }
    const [, field, value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === "event") this.event = value;
    if (field === "data") this.data.push(value);
    return []; // comments keep the connection open; ids and retry times are for EventSource
  }
}

/** The events that the console shows: the latest ones, newest first. */
export interface Shown {
  events: Record<string, unknown>[];
}

const shownEvents = 200;

/** withEvent returns what is shown after another result. */
export function withEvent(shown: Shown, result: object, at: Date): Shown {
  return { events: [{ receivedAt: at.toISOString(), ...result }, ...shown.events].slice(0, shownEvents) };
}
