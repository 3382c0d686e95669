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
var llmsText string

var llmsTemplate = template.Must(template.New(LanguageModelsPath).Funcs(template.FuncMap{
	"endpoint": endpointPath,
	"about": func(op *rest.Operation) string {
		title, more := op.About()
		return strings.TrimSpace(title + ". " + more)
	},
}).Parse(llmsText))

func (d *Docs) llms() httpapi.Response {
	var text bytes.Buffer
	err := llmsTemplate.Execute(&text, map[string]any{
		"Purpose": openapi.Purpose, "Origin": d.o.Origin, "MCP": mcp.Path, "Guides": GuidesPath, "REST": rest.Prefix,
		"Document": rest.DocumentPath, "Schema": SchemaPath, "Pages": docs.Guides, "Rows": rest.Rows, "Ops": d.ops,
	})
	if err != nil {
		return d.failed(LanguageModelsPath, err)
	}
	return staticResponse(text.Bytes(), "text/plain; charset=utf-8")
}
