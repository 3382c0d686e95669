package mcp

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph"
	"gamedata/rest/openapi"
)

// documents are fixed queries of what has no endpoint. Each is a tool with the name of its file; the comment at its
// beginning describes it, and its variables are the arguments.
//
//go:embed documents
var documents embed.FS

// addDocuments adds a tool for each document.
func (h *Handler) addDocuments(exec *graph.Executor, add func(name, title, about string, schema []byte,
	handler sdk.ToolHandler),
) error {
	files, err := documents.ReadDir("documents")
	if err != nil {
		return err
	}
	for _, f := range files {
		text, err := documents.ReadFile(path.Join("documents", f.Name()))
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(f.Name(), ".graphql")
		op, problems := exec.Parse(string(text), "")
		if len(problems) > 0 {
			return fmt.Errorf("tool %s: %w", name, problems)
		}
		about := map[string]string{}
		describeVariables(op.Def.SelectionSet, about)
		properties, required := map[string]any{}, []string{}
		for _, v := range op.Def.VariableDefinitions {
			properties[v.Variable] = valueSchema(exec.Schema(), v.Type, about[v.Variable])
			if v.Type.NonNull && v.DefaultValue == nil {
				required = append(required, v.Variable)
			}
		}
		schema, err := json.Marshal(map[string]any{
			"type": "object", "properties": properties, "required": required, "additionalProperties": false,
		})
		if err != nil {
			return err
		}
		comment, _, _ := strings.Cut(string(text), "\nquery")
		title, more, _ := strings.Cut(openapi.Paragraph(strings.ReplaceAll(comment, "#", "")), ": ")
		add(name, title, title+": "+more, schema, h.document(string(text), slices.Sorted(maps.Keys(properties))))
	}
	return nil
}

// describeVariables sets the description of each variable: that of the argument which it is the value of.
func describeVariables(set ast.SelectionSet, about map[string]string) {
	for _, s := range set {
		field, ok := s.(*ast.Field)
		if !ok {
			continue
		}
		for _, a := range field.Arguments {
			if a.Value.Kind == ast.Variable {
				about[a.Value.Raw] = field.Definition.Arguments.ForName(a.Name).Description
			}
		}
		describeVariables(field.SelectionSet, about)
	}
}

// scalarTypes are the JSON types of scalars; others are strings.
var scalarTypes = map[string]string{"Int": "integer", "Boolean": "boolean"}

// valueSchema returns the JSON Schema of values of a type.
func valueSchema(schema *ast.Schema, t *ast.Type, about string) map[string]any {
	out := map[string]any{"description": openapi.Paragraph(about)}
	if t.Elem != nil {
		out["type"], out["items"] = "array", valueSchema(schema, t.Elem, "")
		return out
	}
	def := schema.Types[t.NamedType]
	switch def.Kind {
	case ast.Enum:
		var values, words []string
		for _, v := range def.EnumValues {
			values, words = append(values, v.Name), append(words, "`"+v.Name+"`: "+v.Description)
		}
		out["type"], out["enum"] = "string", values
		out["description"] = openapi.Paragraph(about + " " + strings.Join(words, " "))
	case ast.InputObject:
		properties := map[string]any{}
		for _, f := range def.Fields {
			properties[f.Name] = valueSchema(schema, f.Type, f.Description)
		}
		out["type"], out["properties"], out["additionalProperties"] = "object", properties, false
	default:
		out["type"] = "string"
		if kind := scalarTypes[t.NamedType]; kind != "" {
			out["type"] = kind
		}
	}
	return out
}

// document returns the tool of a document: a query with the arguments as variables.
func (h *Handler) document(text string, names []string) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var sent map[string]any
		_ = json.Unmarshal(req.Params.Arguments, &sent) // what is no object has no arguments
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
