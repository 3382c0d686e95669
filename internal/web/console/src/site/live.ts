// What happens in the game while pages are open. All pages of a browser share one stream of events: one of them reads it
// and passes the events on.
export interface GameEvent { id: string; type: string; at: string; data: Record<string, unknown> }

const types = ["territoryCaptured", "playerCameOnline", "playerWentOffline", "playerChangedWorld", "leaderboardsRefreshed"];
const retry = 30_000;

// listen calls on with each event, and says with state whether the stream is open.
export function listen(on: (event: GameEvent) => void, state: (text: string) => void = () => {}) {
  const channel = new BroadcastChannel("events");
  let last = ""; // id
  let now = ""; // the state, in the page that reads the stream
  const received = (event: GameEvent) => {
    last = event.id;
    on(event);
  };
  channel.addEventListener("message", ({ data }: MessageEvent<GameEvent | string>) => {
    if (data === "?") now && channel.postMessage(now);
    else if (typeof data === "string") state(data);
    else received(data);
  });
  channel.postMessage("?"); // the state of the stream that another page reads
  const say = (text: string) => {
    now = text;
    state(text);
    channel.postMessage(text);
  };
  const read = () => new Promise<void>((ended) => {
    const events = new EventSource(`/events?types=${types}${last && `&after=${last}`}`); // it reconnects by itself
    events.addEventListener("open", () => say("Live"));
    events.addEventListener("error", () => {
      say(events.readyState === EventSource.CLOSED ? "Offline" : "Reconnecting…");
      if (events.readyState === EventSource.CLOSED) setTimeout(ended, retry);
    });
    events.addEventListener("end", (event) => {
      last = (event as MessageEvent).lastEventId || last; // of the start, if there was no event
      events.close();
      say("Offline");
      setTimeout(ended, retry);
    });
    for (const type of types) {
      events.addEventListener(type, (message) => {
        const event = JSON.parse((message as MessageEvent<string>).data) as GameEvent;
        channel.postMessage(event);
        received(event);
      });
    }
  });
  // Without a secure connection there are no locks, and each page reads for itself.
  const readAlone = async (): Promise<void> => {
    await (navigator.locks ? navigator.locks.request("events", read) : read());
    return readAlone();
  };
  void readAlone();
}

// What an element may wait for: data-live="presence" is read again after players come, go or change the world.
const kinds: Record<string, string[]> = {
  captures: ["territoryCaptured"],
  presence: ["playerCameOnline", "playerWentOffline", "playerChangedWorld"],
  leaderboards: ["leaderboardsRefreshed"],
  minute: [],
};

// concerns reports whether an element is read again after an event: data-live names kinds of events, data-live-of uuids or
// names of which the event must have one.
export function concerns(element: { live?: string; liveOf?: string }, { type, data }: Pick<GameEvent, "type" | "data">): boolean {
  const of = element.liveOf?.split(" ").filter(Boolean) ?? [];
  const values = Object.values(data).flatMap((v) => (v && typeof v === "object" ? Object.values(v) : [v]));
  return (element.live ?? "").split(" ").some((kind) => kinds[kind]?.includes(type)) && (of.length === 0 || of.some((o) => values.includes(o)));
}

// A page is read after an event, and again while the service may have older responses in its caches.
const reads = 3;
const longestPause = 15; // seconds between two reads

// pauseAfter is how long to wait after a response, in milliseconds: an older copy in the cache has expired by then.
export function pauseAfter(headers: Headers): number {
  const maxAge = /max-age=(\d+)/.exec(headers.get("Cache-Control") ?? "")?.[1] ?? longestPause;
  return 1000 * Math.min(longestPause, Math.max(1, Number(maxAge) - Number(headers.get("Age") ?? 0)));
}

// keepLive reads the page again after events that concern elements with data-live, and replaces what has changed in them.
// Each has an id. changed is called with elements that have changed. The attribute data-stream of the body says whether the
// stream is open: what happens between the making of the page and that moment is shown after the next event.
export function keepLive(changed: (element: HTMLElement) => void) {
  const marked = [...document.querySelectorAll<HTMLElement>("[data-live][id]")];
  if (marked.length === 0) return;
  const known = new Map(marked.map((element) => [element.id, element.innerHTML]));
  let wanted = 0; // reads
  let waiting = false;
  const update = async () => {
    if (waiting || document.hidden || wanted === 0) return;
    waiting = true;
    wanted--;
    let pause = 1000 * longestPause;
    try {
      const response = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-cache" });
      pause = pauseAfter(response.headers);
      if (response.ok) replace(new DOMParser().parseFromString(await response.text(), "text/html"));
    } catch {
      // The next read tries again.
    }
    setTimeout(() => {
      waiting = false;
      void update();
    }, pause);
  };
  const replace = (page: Document) => {
    for (const element of marked) {
      const html = page.getElementById(element.id)?.innerHTML;
      if (html === undefined || html === known.get(element.id)) continue;
      known.set(element.id, html);
      element.replaceChildren(...page.getElementById(element.id)!.childNodes);
      changed(element);
    }
  };
  const want = (n: number) => {
    wanted = Math.max(wanted, n);
    void update();
  };
  listen((event) => {
    if (marked.some((element) => concerns(element.dataset, event))) want(reads);
  }, (state) => (document.body.dataset.stream = state));
  document.addEventListener("visibilitychange", () => void update());
  if (marked.some((element) => element.dataset.live?.includes("minute"))) setInterval(() => want(1), 60_000);
}
