package apidocs

import (
	"bytes"
	_ "embed"
	"strings"
	"text/template"

	"gamedata/docs"
	"gamedata/internal/httpapi"
	"gamedata/internal/mcp"
	"gamedata/rest"
	"gamedata/rest/openapi"
)

// LanguageModelsPath is where language models look for a description of a site (llmstxt.org).
const LanguageModelsPath = "/llms.txt"

//go:embed llms.txt.tmpl
var llmsTemplate string

func (d *Docs) llms() (httpapi.Response, error) {
	parsed, err := template.New(LanguageModelsPath).Funcs(template.FuncMap{
		"endpoint": endpointPath,
		"about": func(op *rest.Operation) string {
			title, more := op.About()
			return strings.TrimSpace(title + ". " + more)
		},
	}).Parse(llmsTemplate)
	if err != nil {
		return httpapi.Response{}, err
	}
	var text bytes.Buffer
	err = parsed.Execute(&text, map[string]any{
		"Purpose": openapi.Purpose, "Origin": d.o.Origin, "MCP": mcp.Path, "Guides": GuidesPath, "REST": rest.Prefix,
		"Document": rest.DocumentPath, "Schema": SchemaPath, "Pages": docs.Guides, "Rows": rest.Rows, "Ops": d.ops,
	})
	return staticResponse(text.Bytes(), "text/plain; charset=utf-8"), err
}
