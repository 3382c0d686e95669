package apidocs

import (
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph"
	"gamedata/internal/web"
	"gamedata/rest"
)

type rootPage struct {
	Operation, Title string // query, Query
	Field            fieldRow
	Policy           *graph.FieldPolicy
	MaxAge           int
	Returns          docLink
	Example, Console string
	Endpoints        []docLink
}

func (d *Docs) rootField(s *schemaDocs, operation string, f *ast.FieldDefinition, now time.Time) *rootPage {
	p := &rootPage{
		Operation: operation, Title: title(operation), Field: s.field(f),
		Returns: docLink{typePath(f.Type.Name()), f.Type.Name()},
		Example: exampleOperation(s.schema, operation, f, now),
	}
	if operation == "query" {
		policy := d.exec.FieldPolicy(f.Name)
		p.Policy, p.MaxAge = &policy, int(policy.MaxAge.Seconds())
	}
	p.Console = web.ConsoleLink(p.Example, nil)
	for _, row := range rest.Rows {
		if op := d.ops[row.Operation]; op != nil && operation == "query" && op.RootField() == f.Name {
			p.Endpoints = append(p.Endpoints, docLink{endpointPath(row), row.Method + " " + rest.Prefix + row.Path})
		}
	}
	return p
}
