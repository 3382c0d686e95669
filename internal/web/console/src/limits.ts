// The caller's rate limit, read from the headers of a response.

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

/** limitText describes what is left: "99,999 of 100,000 left in PLAYER · refills in 1 s". */
export function limitText(l: Limits): string {
  if (l.retryAfter !== undefined) return `Rate limit of ${l.bucket} reached · try again in ${l.retryAfter} s`;
  const left = `${number(l.remaining)} of ${number(l.limit)} left in ${l.bucket}`;
  return l.reset > 0 ? `${left} · refills in ${l.reset} s` : left;
}

/** costText describes the cost of an operation, extensions.cost of its response: "Cost 1 (PLAYER)". */
export function costText(cost: Record<string, number>): string {
  const parts = Object.entries(cost).map(([bucket, n]) => `${number(n)} (${bucket})`);
  return parts.length === 0 ? "" : `Cost ${parts.join(", ")}`;
}

const number = (n: number) => n.toLocaleString("en");
