// What a query would cost, before it runs.
import { getOperationAST, parse } from "graphql";
import { post } from "./client";
import { parseAsTyped } from "./json";
import { isObject } from "./lists";

const name = "consoleDryRun";
const dryRun = ` ${name}: rateLimit(dryRun: true) { cost { bucket cost } } `;

/** withDryRun returns the document of a query with a dry run selected; null for other operations and invalid documents. */
export function withDryRun(query: string, operationName?: string | null): string | null {
  try {
    const operation = getOperationAST(parse(query), operationName);
    const at = operation?.operation === "query" ? operation.selectionSet.loc?.start : undefined;
    return at === undefined ? null : query.slice(0, at + 1) + dryRun + query.slice(at + 1);
  } catch {
    return null;
  }
}

/** priceOf returns what a query costs by bucket, without running it; null while it cannot run. */
export async function priceOf(query: string, variables: string, operationName: string | null | undefined): Promise<Record<string, number> | null> {
  const document = withDryRun(query, operationName);
  if (document === null) return null;
  try {
    const values = variables.trim() === "" ? {} : parseAsTyped(variables);
    const body = (await (await post({ query: document, variables: values, operationName })).json()) as unknown;
    const price = isObject(body) && isObject(body.data) ? body.data[name] : undefined;
    if (!isObject(price) || !Array.isArray(price.cost)) return null;
    return Object.fromEntries((price.cost as { bucket: string; cost: number }[]).map(({ bucket, cost }) => [bucket, cost]));
  } catch {
    return null; // variables that are no JSON, or no connection
  }
}

/** priceText describes a price: "Costs 1 (PLAYER)". */
export function priceText(price: Record<string, number>): string {
  const parts = Object.entries(price).map(([bucket, n]) => `${n.toLocaleString("en")} (${bucket})`);
  return parts.length === 0 ? "Free" : `Costs ${parts.join(", ")}`;
}
