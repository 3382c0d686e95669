package rest

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

//go:embed directives.graphqls
var directives string

// Operation is a fixed operation made ready: a public document to run, a plan to read its
// variables from a request, and a plan to turn its data into a body and back.
type Operation struct {
	// Name is the operation's name, which is also its file's.
	Name string

	doc      *ast.QueryDocument
	def      *ast.OperationDefinition
	root     *field
	schema   *ast.Schema
	document string
}

// field is one selected field and what becomes of it.
type field struct {
	name  string // response key in the data
	out   string // key in the body
	typ   *ast.Type
	kind  ast.DefinitionKind
	field *ast.FieldDefinition

	children []*field

	conditional                          bool // under @skip or @include
	omitNull, emptyObject, tuple, spread bool
	coalesced, lastOfGroup               bool
	unwrap                               string
	keyBy                                *keyBy
	pick                                 *pick
}

type keyBy struct{ field, variable, clash, value string }

type pick struct{ field, variable string }

// Compile reads an operation of the adapter and checks it against the public schema. It
// must be the only one of its text, and select exactly one root field.
func Compile(schema *ast.Schema, name, source string) (*Operation, error) {
	adapter, err := withDirectives(schema)
	if err != nil {
		return nil, err
	}
	doc, err := parser.ParseQuery(&ast.Source{Name: name, Input: source})
	if err != nil {
		return nil, fmt.Errorf("operation %s: %w", name, err)
	}
	if errs := validator.ValidateWithRules(adapter, doc, rules.NewDefaultRules()); len(errs) > 0 {
		return nil, fmt.Errorf("operation %s: %w", name, errs)
	}
	if len(doc.Operations) != 1 || doc.Operations[0].Name != name || doc.Operations[0].Operation != ast.Query {
		return nil, fmt.Errorf("operation %s: the file must hold one query of its own name", name)
	}
	op := &Operation{Name: name, doc: doc, def: doc.Operations[0], schema: schema}
	c := compiler{schema: adapter, doc: doc}
	roots, err := c.fields(op.def.SelectionSet)
	if err != nil {
		return nil, fmt.Errorf("operation %s: %w", name, err)
	}
	if len(roots) != 1 {
		return nil, fmt.Errorf("operation %s: selects %d root fields, want 1", name, len(roots))
	}
	op.root = roots[0]
	op.strip()
	return op, nil
}

// withDirectives is the public schema with the adapter's own definitions beside it.
func withDirectives(public *ast.Schema) (*ast.Schema, error) {
	doc, err := parser.ParseSchema(&ast.Source{Name: "directives.graphqls", Input: directives})
	if err != nil {
		return nil, err
	}
	s := *public
	s.Types, s.Directives = maps.Clone(public.Types), maps.Clone(public.Directives)
	for _, d := range doc.Definitions {
		s.Types[d.Name] = d
	}
	for _, d := range doc.Directives {
		s.Directives[d.Name] = d
	}
	return &s, nil
}

type compiler struct {
	schema *ast.Schema
	doc    *ast.QueryDocument
}

func (c *compiler) fields(set ast.SelectionSet) ([]*field, error) {
	var out []*field
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			f, err := c.field(s)
			if err != nil {
				return nil, err
			}
			out = append(out, f)
		case *ast.FragmentSpread:
			more, err := c.fields(s.Definition.SelectionSet)
			if err != nil {
				return nil, err
			}
			out = append(out, more...)
		default:
			return nil, fmt.Errorf("inline fragments have no use here")
		}
	}
	return out, markGroups(out)
}

// markGroups finds the last of the fields that share a key and refuses any other sharing.
func markGroups(fields []*field) error {
	last := map[string]*field{}
	for _, f := range fields {
		if f.spread {
			continue
		}
		before := last[f.out]
		if before != nil && !(before.coalesced && f.coalesced) && !before.conditional {
			return fmt.Errorf("two fields are written to the key %q", f.out)
		}
		if before != nil {
			before.lastOfGroup = false
		}
		f.lastOfGroup = true
		last[f.out] = f
	}
	return nil
}

func (c *compiler) field(s *ast.Field) (*field, error) {
	f := &field{name: s.Alias, out: s.Alias, typ: s.Definition.Type, field: s.Definition}
	f.kind = c.schema.Types[f.typ.Name()].Kind
	for _, d := range s.Directives {
		switch d.Name {
		case "skip", "include":
			f.conditional = true
		case "omitNull":
			f.omitNull = true
		case "emptyObject":
			f.emptyObject = true
		case "tuple":
			f.tuple = true
		case "spread":
			f.spread = true
		case "coalesce":
			f.coalesced, f.out = true, raw(d, "into")
		case "unwrap":
			f.unwrap = raw(d, "field")
		case "pick":
			f.pick = &pick{raw(d, "field"), raw(d, "if")}
		case "keyBy":
			f.keyBy = &keyBy{raw(d, "field"), raw(d, "chosen"), raw(d, "clash"), raw(d, "value")}
		}
	}
	var err error
	if f.children, err = c.fields(s.SelectionSet); err != nil {
		return nil, err
	}
	return f, f.check()
}

// raw is an argument as written: a text, or the name of a variable.
func raw(d *ast.Directive, name string) string {
	if a := d.Arguments.ForName(name); a != nil {
		return a.Value.Raw
	}
	return ""
}

// check refuses directives that could not do their work.
func (f *field) check() error {
	want := func(name string) error {
		if name != "" && f.child(name) == nil {
			return fmt.Errorf("%s: the field %q that a directive names is not selected", f.name, name)
		}
		return nil
	}
	if k := f.keyBy; k != nil {
		if f.list() == nil || (k.field == "") == (k.variable == "") {
			return fmt.Errorf("%s: @keyBy wants a list, and either field or chosen", f.name)
		}
		if k.value != "" && !slices.ContainsFunc(f.children, func(c *field) bool { return c.out == k.value }) {
			return fmt.Errorf("%s: no selected field is written to %q", f.name, k.value)
		}
		if k.variable != "" {
			if err := want("uuid"); err != nil {
				return err
			}
			if err := want("username"); err != nil {
				return err
			}
		}
		for _, name := range []string{k.field, k.clash} {
			if err := want(name); err != nil {
				return err
			}
		}
	}
	if f.pick != nil {
		return want(f.pick.field)
	}
	return want(f.unwrap)
}

// list is the type of the elements when the field is a list, else nil.
func (f *field) list() *ast.Type { return f.typ.Elem }

func (f *field) child(name string) *field {
	for _, c := range f.children {
		if c.name == name {
			return c
		}
	}
	return nil
}
