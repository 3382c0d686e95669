// The API reference: Swagger UI over /v3/openapi.json, and what the service adds to an endpoint.
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import "./docs.css";
import { graphQLSection } from "./docs-section";

const dark = matchMedia("(prefers-color-scheme: dark)");
const dress = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", dress);
dress();

SwaggerUI({
  url: "/v3/openapi.json",
  domNode: document.getElementById("docs"),
  validatorUrl: null, // nobody else is told what is looked at
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  plugins: [graphQLSection],
});
