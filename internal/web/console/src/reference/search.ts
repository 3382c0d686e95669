// The search of the reference, over an index that the server makes. The server ranks in the same way.

/** Path, title and kind of a page, and of a type its fields. */
export type Entry = [path: string, title: string, kind: string, fields?: string[]];

export interface Found { path: string; text: string; kind: string }

/** findPages returns the pages and fields whose names have all words of a query, the best first. */
export function findPages(entries: Entry[], query: string, limit: number): Found[] {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return [];
  const found: (Found & { score: number })[] = [];
  const add = (path: string, text: string, kind: string, more: string) => {
    const score = matchScore(text.toLowerCase(), more.toLowerCase(), words);
    if (score > 0) found.push({ path, text, kind, score });
  };
  for (const [path, title, kind, fields] of entries) {
    add(path, title, kind, kind);
    for (const field of fields ?? []) add(`${path}#field-${field}`, `${title}.${field}`, "Field", "");
  }
  return found.sort((a, b) => b.score - a.score).slice(0, limit).map(({ path, text, kind }) => ({ path, text, kind }));
}

/** matchScore is higher the better a title matches all words; 0 if a word is neither in the title nor in the text. */
function matchScore(title: string, text: string, words: string[]): number {
  const phrase = words.join(" ");
  let score = 1;
  if (words.length > 1 && title.includes(phrase)) score += 50 - Math.min(40, title.length - phrase.length);
  for (const word of words) {
    const at = title.indexOf(word);
    const longer = title.length - word.length;
    if (title === word) score += 100;
    else if (at === 0) score += 50 - Math.min(40, longer);
    else if (at > 0 && !/[a-z0-9]/.test(title[at - 1] ?? "")) score += 25 - Math.min(20, Math.floor(longer / 2));
    else if (at > 0) score += 5;
    else if (text.includes(word)) score++;
    else return 0;
  }
  return score;
}
