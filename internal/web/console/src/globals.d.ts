// Defined by build.mjs: URLs of the workers, and texts of files.
declare const EVENTS_WORKER: string;
declare const EDITOR_WORKER: string;
declare const JSON_WORKER: string;
declare const GRAPHQL_WORKER: string;

/** The files below examples, by folder and name. */
declare module "examples" {
  const files: { group: string; name: string; query: string }[];
  export default files;
}
declare module "*.md" {
  const text: string;
  export default text;
}
declare module "*.css";
