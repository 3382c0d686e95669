// The gallery: queries by task, grouped by who needs them. Each runs unchanged against the demo world. A file begins
// with comments: the title in the first line, then a sentence that explains it.
import files from "examples";

export const groups = { frontend: "Frontend developer", analyst: "Analyst", bot: "Bot author", operator: "Operator", legacy: "From /v3 to GraphQL" } as const;
export type Group = keyof typeof groups;

export interface Example {
  group: Group;
  title: string;
  explanation: string;
  query: string;
}

/** parseExample reads the comments at the beginning of an example. */
export function parseExample(group: Group, query: string): Example {
  const comments = /^(?:#.*\n)*/.exec(query)?.[0].split("\n").map((line) => line.replace(/^# ?/, "").trim()) ?? [];
  const [title = "", ...rest] = comments;
  return { group, title, explanation: rest.join(" ").trim(), query };
}

/** The gallery, group after group. */
export const examples: Example[] = (Object.keys(groups) as Group[]).flatMap((group) => files.filter((f) => f.group === group).map((f) => parseExample(group, f.query)));

/** The query of the first visit. */
export const firstExample = files.find((f) => f.name === "PlayerPage")?.query ?? "";

/** isExample reports whether a text is an example that was not edited. */
export const isExample = (query: string) => examples.some((e) => e.query.trim() === query.trim());
