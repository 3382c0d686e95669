package mcp

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph"
	"gamedata/rest/openapi"
)

// documents holds fixed queries for data without an endpoint. Each is a tool named after its file. Its first comment
// describes the tool, and its variables are the arguments.
//
//go:embed documents
var documents embed.FS

// addDocuments adds a tool for each document.
func (h *Handler) addDocuments(exec *graph.Executor, add func(name, title, about string, schema []byte,
	handler sdk.ToolHandler),
) {
	files, _ := documents.ReadDir("documents")
	for _, f := range files {
		text, _ := documents.ReadFile(path.Join("documents", f.Name()))
		op, problems := exec.Parse(string(text), "")
		if len(problems) > 0 {
			panic(problems) // the documents are part of the program
		}
		properties, required := map[string]any{}, []string{}
		for _, v := range op.Def.VariableDefinitions {
			properties[v.Variable] = valueSchema(exec.Schema(), v.Type, v.Description)
			if v.Type.NonNull && v.DefaultValue == nil {
				required = append(required, v.Variable)
			}
		}
		schema, _ := json.Marshal(map[string]any{
			"type": "object", "properties": properties, "required": required, "additionalProperties": false,
		})
		comment, _, _ := strings.Cut(string(text), "\nquery")
		title, more, _ := strings.Cut(openapi.Paragraph(strings.ReplaceAll(comment, "#", "")), ": ")
		add(strings.TrimSuffix(f.Name(), ".graphql"), title, title+": "+more, schema,
			h.document(string(text), slices.Sorted(maps.Keys(properties))))
	}
}

// scalarTypes maps scalars to JSON types; other scalars are strings.
var scalarTypes = map[string]string{"Int": "integer", "Boolean": "boolean"}

// valueSchema returns the JSON Schema for values of a type. about describes their purpose.
func valueSchema(schema *ast.Schema, t *ast.Type, about string) map[string]any {
	described := func(kind string, more ...string) map[string]any {
		return map[string]any{"type": kind, "description": openapi.Paragraph(about + " " + strings.Join(more, " "))}
	}
	if t.Elem != nil {
		out := described("array")
		out["items"] = valueSchema(schema, t.Elem, "")
		return out
	}
	def := schema.Types[t.NamedType]
	switch def.Kind {
	case ast.Enum:
		var values, more []string
		for _, v := range def.EnumValues {
			values, more = append(values, v.Name), append(more, "`"+v.Name+"`: "+v.Description)
		}
		out := described("string", more...)
		out["enum"] = values
		return out
	case ast.InputObject:
		properties := map[string]any{}
		for _, f := range def.Fields {
			properties[f.Name] = valueSchema(schema, f.Type, f.Description)
		}
		out := described("object", def.Description)
		out["properties"], out["additionalProperties"] = properties, false
		return out
	}
	return described(cmp.Or(scalarTypes[t.NamedType], "string"))
}

// document returns the tool of a document: a query with the arguments as variables.
func (h *Handler) document(text string, names []string) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var sent map[string]any
		_ = json.Unmarshal(req.Params.Arguments, &sent) // a non-object has no arguments
		for name := range sent {
			if !slices.Contains(names, name) {
				return resultOf(h.api.Errors.Response(otherArguments(names)).Body, true), nil
			}
		}
		body, err := json.Marshal(map[string]any{"query": text, "variables": sent})
		if err != nil {
			return nil, err
		}
		return h.query(ctx, body, true)
	}
}

func otherArguments(names []string) *graph.Error {
	return graph.Errorf(graph.InvalidQueryParams, "This tool has other arguments: %s.",
		strings.Trim(strings.Join(names, ", "), ", "))
}
