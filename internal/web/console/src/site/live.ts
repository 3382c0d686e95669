// What happens in the game while pages are open.
import { stream, type GameEvent } from "./stream";

let reading = false; // this page, or the worker that it shares with others

// listen calls on with each event, and says with state whether the stream is open.
export function listen(on: (event: GameEvent) => void, state: (text: string) => void = () => {}) {
  const channel = new BroadcastChannel("events");
  channel.addEventListener("message", ({ data }: MessageEvent<GameEvent | string>) => {
    if (typeof data !== "string") on(data);
    else if (data !== "?") state(data); // another page asks for it
  });
  channel.postMessage("?"); // the state of a stream that is open already
  if (!reading) read();
  reading = true;
}

// read has the stream read by a worker. All pages share it, since a browser has six connections to a host by HTTP/1.1.
function read() {
  try {
    new SharedWorker(EVENTS_WORKER, "events").addEventListener("error", readAlone);
  } catch {
    readAlone(); // not every browser has shared workers
  }
}

// readAlone reads the stream while the page can be seen. What happened meanwhile is read when the page is seen again.
function readAlone() {
  const { open, close } = stream();
  const follow = () => (document.hidden ? close() : open());
  document.addEventListener("visibilitychange", follow);
  follow();
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
