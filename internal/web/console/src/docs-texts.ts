// Texts and links of the API reference, from the extensions of the OpenAPI document.

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

/** endpointFacts describes the cost of a request and how long the response is cacheable. */
export function endpointFacts(e: Extensions): string {
  const { maxAge, scope } = e["x-cache"];
  const cache = maxAge === 0 ? "Not cacheable." : `Cacheable for ${maxAge} seconds, ${scope === "SHARED" ? "the same for all callers" : "depends on the caller"}.`;
  return `A request costs ${e["x-cost"]} in the bucket ${e["x-bucket"]}. ${cache}`;
}

/** consoleLink returns the link that opens the operation in the console. */
export function consoleLink({ document, variables }: Operation): string {
  const query = `/playground?query=${encodeURIComponent(document)}`;
  return Object.keys(variables).length === 0 ? query : `${query}&variables=${encodeURIComponent(JSON.stringify(variables, null, 2))}`;
}

/** explainLink returns the link to the explanation of a path of the document. */
export const explainLink = (path: string) => "/explain/v3" + path.split("/").map(encodeURIComponent).join("/");
