// The clock of the game: the clock of the service, since the browser's can be wrong, or the clock of a demo.
let offset = 0; // of the browser's clock, in milliseconds
const demo = globalThis.document?.querySelector<HTMLMetaElement>("meta[name=clock]")?.content ?? "0 0 1";

export const now = () => timeOf(demo, Date.now() + offset);

// timeOf returns the time of the game at a time of the service. A clock has a time of the service, the time of the game then,
// and the speed of the game.
export function timeOf(clock: string, at: number) {
  const [started, origin, speed] = clock.split(" ").map(Number) as [number, number, number];
  return new Date(origin + (at - started) * speed);
}

// offsetOf returns by how much a clock is ahead of a browser's. The header Date has whole seconds: the next one is taken, so
// that nothing which happened is in the future.
export function offsetOf(date: string | null, browser: number): number {
  const at = Date.parse(date ?? "");
  return Number.isNaN(at) ? 0 : at + 1000 - browser;
}

// readClock asks for a file that costs nothing, since the page itself can come from a cache.
export async function readClock() {
  const sent = Date.now(); // the response can take long
  try {
    const response = await fetch("/icon.svg", { method: "HEAD", cache: "no-store" });
    offset = offsetOf(response.headers.get("Date"), sent);
  } catch {
    // Without a connection the browser's clock has to do.
  }
}
