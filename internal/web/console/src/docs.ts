// The API reference: Swagger UI over /v3/openapi.json, with the GraphQL operation of each endpoint.
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import "./docs.css";
import { graphQLSection } from "./docs-section";

const dark = matchMedia("(prefers-color-scheme: dark)");
const applyScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", applyScheme);
applyScheme();

SwaggerUI({
  url: "/v3/openapi.json",
  domNode: document.getElementById("docs"),
  validatorUrl: null, // no request to another host
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  plugins: [graphQLSection],
});
