// The stream of events of the game, which all pages of a browser share: whoever reads it passes the events on.
export interface GameEvent { id: string; type: string; at: string; data: Record<string, unknown> }

const types = ["territoryCaptured", "playerCameOnline", "playerWentOffline", "playerChangedWorld", "leaderboardsRefreshed"];
const retry = 30_000;

/** stream returns functions that open and close the stream. Its events and its state go to the channel "events". */
export function stream() {
  const channel = new BroadcastChannel("events");
  let last = ""; // id
  let state = "";
  let events: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = (text: string) => channel.postMessage((state = text));
  channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (data === "?" && state) say(state);
  });
  const close = () => {
    clearTimeout(timer);
    events?.close();
  };
  const end = () => {
    close();
    say("Offline");
    timer = setTimeout(open, retry);
  };
  const open = () => {
    close();
    const opened = events = new EventSource(`/events?types=${types}${last && `&after=${last}`}`); // it reconnects by itself
    opened.addEventListener("open", () => say("Live"));
    opened.addEventListener("error", () => (opened.readyState === EventSource.CLOSED ? end() : say("Reconnecting…")));
    opened.addEventListener("end", (event) => {
      last = (event as MessageEvent).lastEventId || last; // of the start, if there was no event
      end();
    });
    for (const type of types) {
      opened.addEventListener(type, (message) => {
        const event = JSON.parse((message as MessageEvent<string>).data) as GameEvent;
        last = event.id;
        channel.postMessage(event);
      });
    }
  };
  return { open, close };
}
