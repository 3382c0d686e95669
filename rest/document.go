package rest

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
)

// strip turns the checked document into a public one: without the adapter's directives and
// without the variables that only they use.
func (op *Operation) strip() {
	used := map[string]bool{}
	stripped := map[string]bool{}
	var walk func(ast.SelectionSet)
	walk = func(set ast.SelectionSet) {
		for _, selection := range set {
			switch s := selection.(type) {
			case *ast.Field:
				s.Directives = public(s.Directives, used)
				for _, a := range s.Arguments {
					uses(a.Value, used)
				}
				walk(s.SelectionSet)
			case *ast.InlineFragment:
				walk(s.SelectionSet)
			case *ast.FragmentSpread:
				if !stripped[s.Name] {
					stripped[s.Name] = true
					walk(s.Definition.SelectionSet)
				}
			}
		}
	}
	walk(op.def.SelectionSet)

	var text strings.Builder
	def := *op.def
	def.VariableDefinitions, def.Directives = nil, nil
	for _, v := range op.def.VariableDefinitions {
		if used[v.Variable] {
			plain := *v
			plain.Directives = nil
			def.VariableDefinitions = append(def.VariableDefinitions, &plain)
		}
	}
	public := *op.doc
	public.Operations = ast.OperationList{&def}
	formatter.NewFormatter(&text, formatter.WithIndent("  ")).FormatQueryDocument(&public)
	op.doc, op.document = &public, text.String()
}

func public(list ast.DirectiveList, used map[string]bool) ast.DirectiveList {
	var out ast.DirectiveList
	for _, d := range list {
		if d.Name == "skip" || d.Name == "include" {
			out = append(out, d)
			for _, a := range d.Arguments {
				uses(a.Value, used)
			}
		}
	}
	return out
}

func uses(v *ast.Value, used map[string]bool) {
	if v.Kind == ast.Variable {
		used[v.Raw] = true
	}
	for _, c := range v.Children {
		uses(c.Value, used)
	}
}

// Document is the operation as anybody can send it to /graphql.
func (op *Operation) Document() string { return op.document }

// Hash is the SHA-256 of the document in lower-case hex, as persisted queries are named.
func (op *Operation) Hash() string {
	sum := sha256.Sum256([]byte(op.document))
	return hex.EncodeToString(sum[:])
}

// Variables are those of the given variables that the public document takes.
func (op *Operation) Variables(bound map[string]any) map[string]any {
	out := map[string]any{}
	for _, v := range op.doc.Operations[0].VariableDefinitions {
		if value, ok := bound[v.Variable]; ok {
			out[v.Variable] = value
		}
	}
	return out
}
