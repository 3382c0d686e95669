// Defined by build.mjs: URLs of the workers, and texts of files.
declare const EDITOR_WORKER: string;
declare const JSON_WORKER: string;
declare const GRAPHQL_WORKER: string;

declare module "*.graphql" {
  const text: string;
  export default text;
}
declare module "*.css";
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  export default function SwaggerUI(options: object): object;
}
