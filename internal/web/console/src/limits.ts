// The caller's rate limit, read from the headers of an answer and said in words.

export interface Limits {
  bucket: string;
  limit: number;
  remaining: number;
  /** Seconds until the counter is full again. */
  reset: number;
  /** Seconds to wait; only on a refusal. */
  retryAfter?: number;
}

/** limitsOf reads the RateLimit headers; null when the answer has none. */
export function limitsOf(headers: { get(name: string): string | null }): Limits | null {
  const [bucket, limit, remaining, reset] = ["Bucket", "Limit", "Remaining", "Reset"].map((n) => headers.get("RateLimit-" + n));
  if (!bucket || !limit || !remaining || !reset) return null;
  const wait = headers.get("Retry-After");
  return { bucket, limit: Number(limit), remaining: Number(remaining), reset: Number(reset), ...(wait ? { retryAfter: Number(wait) } : {}) };
}

/** limitWords says what is left. */
export function limitWords(l: Limits): string {
  if (l.retryAfter !== undefined) return `Refused: the limit of ${l.bucket} is spent. Try again in ${seconds(l.retryAfter)}.`;
  const left = `${l.remaining} of ${l.limit} requests left in ${l.bucket}`;
  return l.reset > 0 ? `${left}, all of them again in ${seconds(l.reset)}.` : `${left}.`;
}

/** costWords says what the operation was charged, from extensions.cost of its answer. */
export function costWords(cost: Record<string, number>): string {
  const parts = Object.entries(cost).map(([bucket, n]) => `${n} in ${bucket}`);
  return parts.length === 0 ? "" : `It cost ${parts.join(" and ")}.`;
}

const seconds = (n: number) => (n === 1 ? "1 second" : `${n} seconds`);
