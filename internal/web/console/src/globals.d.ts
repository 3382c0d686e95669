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
// Leaflet's main file is one function, which a browser parses twice more than a module.
declare module "leaflet/dist/leaflet-src.esm.js" {
  export * from "leaflet";
}
