// What a request cost and what is left, from the response and its headers.

export interface Limits {
  bucket: string;
  limit: number;
  remaining: number;
  /** Seconds until the bucket is full again. */
  reset: number;
  /** Seconds to wait; only when the request was rejected. */
  retryAfter?: number;
}

/** limitsOf reads the RateLimit headers; null if the response has none. */
export function limitsOf(headers: { get(name: string): string | null }): Limits | null {
  const [bucket, limit, remaining, reset] = ["Bucket", "Limit", "Remaining", "Reset"].map((n) => headers.get("RateLimit-" + n));
  if (!bucket || !limit || !remaining || !reset) return null;
  const wait = headers.get("Retry-After");
  return { bucket, limit: Number(limit), remaining: Number(remaining), reset: Number(reset), ...(wait ? { retryAfter: Number(wait) } : {}) };
}

/**
 * limitText describes the cost, extensions.cost of the response, and what is left:
 * "Cost 1 (PLAYER) · 99,999 of 100,000 left · refills in 1 s". The bucket of the limit is named unless it is the one
 * that the cost names.
 */
export function limitText(cost: Record<string, number>, l: Limits | null): string {
  const spent = Object.entries(cost).map(([bucket, n]) => `${number(n)} (${bucket})`);
  const parts = spent.length === 0 ? [] : [`Cost ${spent.join(", ")}`];
  if (l?.retryAfter !== undefined) parts.push(`Rate limit of ${l.bucket} reached · try again in ${l.retryAfter} s`);
  else if (l) {
    const named = Object.keys(cost).join() === l.bucket;
    parts.push(`${number(l.remaining)} of ${number(l.limit)} left${named ? "" : ` in ${l.bucket}`}`);
    if (l.reset > 0) parts.push(`refills in ${l.reset} s`);
  }
  return parts.join(" · ");
}

/** sizeText returns a number of bytes for people: "950 B", "3.4 kB", "1.2 MB". */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** timeText returns a duration for people: "12 ms", "1.3 s". */
export const timeText = (ms: number) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

const number = (n: number) => n.toLocaleString("en");
