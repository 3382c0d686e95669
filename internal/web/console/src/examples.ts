// The gallery: queries by task, grouped by who needs them. Each runs unchanged against the demo world. A file begins
// with comments: the title in the first line, then a sentence that explains it, then its chart if it has one.
import files from "examples";
import { readChart, type Chart } from "./chart";
import { nameIn } from "./link";

export const groups = { frontend: "Frontend developer", analyst: "Analyst", bot: "Bot author", operator: "Operator", legacy: "From /v3 to GraphQL" } as const;
export type Group = keyof typeof groups;

export interface Example {
  group: Group;
  title: string;
  explanation: string;
  chart: Chart | null;
  query: string;
}

const chartLine = /^chart: /;

/** parseExample reads the comments at the beginning of an example. */
export function parseExample(group: Group, query: string): Example {
  const comments = /^(?:#.*\n)*/.exec(query)?.[0].split("\n").map((line) => line.replace(/^# ?/, "").trim()) ?? [];
  const [title = "", ...rest] = comments;
  const chart = rest.find((line) => chartLine.test(line));
  return { group, title, explanation: rest.filter((line) => line !== chart).join(" ").trim(), chart: readChart(chart?.replace(chartLine, "") ?? ""), query };
}

/** The gallery, group after group. */
export const examples: Example[] = (Object.keys(groups) as Group[]).flatMap((group) => files.filter((f) => f.group === group).map((f) => parseExample(group, f.query)));

/** The query of the first visit. */
export const firstExample = files.find((f) => f.name === "PlayerPage")?.query ?? "";

/** isExample reports whether a text is an example that was not edited. */
export const isExample = (query: string) => examples.some((e) => e.query.trim() === query.trim());

/** exampleOf returns the example whose operation is named like the operation of a query. */
export const exampleOf = (query: string) => examples.find((e) => nameIn(e.query) === nameIn(query));
