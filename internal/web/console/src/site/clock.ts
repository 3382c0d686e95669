// The clock of the service: that of the browser can be wrong.
let offset = 0; // of the browser's, in milliseconds

export const now = () => new Date(Date.now() + offset);

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
