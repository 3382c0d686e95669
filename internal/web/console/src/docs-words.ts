// What the reference says of an endpoint, made of the extensions of the OpenAPI document.

export interface Operation {
  operation: string;
  field: string;
  document: string;
  /** Values to try it with. */
  variables: Record<string, unknown>;
}

export interface Extensions {
  "x-bucket": string;
  "x-cost": number;
  "x-cache": { maxAge: number; scope: "SHARED" | "USER" };
  "x-graphql"?: Operation;
}

/** docsFacts says what a request costs and how long its answer may be kept. */
export function docsFacts(e: Extensions): string {
  const { maxAge, scope } = e["x-cache"];
  const kept = maxAge === 0 ? "Its answer may not be kept." : `Its answer may be kept for ${maxAge} seconds and ${scope === "SHARED" ? "serves everybody" : "depends on who asks"}.`;
  return `A request costs ${e["x-cost"]} in the bucket ${e["x-bucket"]}. ${kept}`;
}

/** consoleLink opens the operation in the console. */
export function consoleLink({ document, variables }: Operation): string {
  const query = `/playground?query=${encodeURIComponent(document)}`;
  return Object.keys(variables).length === 0 ? query : `${query}&variables=${encodeURIComponent(JSON.stringify(variables, null, 2))}`;
}

/** explainLink leads to the explanation of a path of the document. */
export const explainLink = (path: string) => "/explain/v3" + path.split("/").map(encodeURIComponent).join("/");
