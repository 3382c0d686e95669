package rest

import (
	_ "embed"
	"fmt"
	"maps"

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
	name     string // response key in the data
	out      string // key in the body
	key      string // the same as it is written there: `"key":`
	looks    string // form of its JSON
	typ      *ast.Type
	field    *ast.FieldDefinition
	children []*field
	claims   map[string]bool // keys that the children take, but for those of a spread list

	conditional                          bool   // under @skip or @include
	twin                                 *field // a field before it that selects the same field of the schema
	omitNull, emptyObject, tuple, spread bool
	coalesced                            bool
	lastOfGroup                          bool // of the fields that share its key, or alone with it
	unwrap                               string
	keyBy                                *keyBy
	pick                                 *pick
}

// keyBy names the entries of a map by a field, or by the field that a variable names.
type keyBy struct {
	field, variable, clash, value string
	preset                        string // default of the variable
	keys                          int    // so many of the first fields can name an entry
}

// by is the field that names entries.
func (k *keyBy) by(vars map[string]any) string {
	if k.variable == "" {
		return k.field
	}
	if name, ok := vars[k.variable].(string); ok {
		return name
	}
	return k.preset
}

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
	roots, err := op.fields(op.def.SelectionSet)
	if err == nil && len(roots) != 1 {
		err = fmt.Errorf("selects %d root fields, want 1", len(roots))
	}
	if err == nil {
		err = op.checkVariables()
	}
	if err != nil {
		return nil, fmt.Errorf("operation %s: %w", name, err)
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

// fields is the plan of a selection, fragments put in their places.
func (op *Operation) fields(set ast.SelectionSet) ([]*field, error) {
	var out []*field
	var walk func(set ast.SelectionSet) error
	walk = func(set ast.SelectionSet) error {
		for _, selection := range set {
			switch s := selection.(type) {
			case *ast.Field:
				f, err := op.field(s)
				if err != nil {
					return err
				}
				out = append(out, f)
			case *ast.FragmentSpread:
				if len(s.Directives) > 0 {
					return fmt.Errorf("directives on the fragment %s have no effect here", s.Name)
				}
				if err := walk(s.Definition.SelectionSet); err != nil {
					return err
				}
			default:
				return fmt.Errorf("inline fragments have no use here")
			}
		}
		return nil
	}
	if err := walk(set); err != nil {
		return nil, err
	}
	return out, group(out)
}

func (op *Operation) field(s *ast.Field) (*field, error) {
	f := &field{name: s.Alias, out: s.Alias, typ: s.Definition.Type, field: s.Definition}
	for _, d := range s.Directives {
		var err error
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
			f.coalesced, f.out = true, text(d, "into")
		case "unwrap":
			f.unwrap = text(d, "field")
		case "pick":
			f.pick = &pick{field: text(d, "field")}
			f.pick.variable, err = variable(d, "if")
		case "keyBy":
			f.keyBy = &keyBy{field: text(d, "field"), clash: text(d, "clash"), value: text(d, "value")}
			if f.keyBy.variable, err = variable(d, "chosen"); f.keyBy.variable != "" {
				if v := op.def.VariableDefinitions.ForName(f.keyBy.variable).DefaultValue; v != nil {
					f.keyBy.preset = v.Raw
				}
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	f.key = `"` + f.out + `":`
	var err error
	if f.children, err = op.fields(s.SelectionSet); err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	f.claims = map[string]bool{}
	for _, c := range f.children {
		for _, out := range c.outs() {
			f.claims[out] = true
		}
	}
	if err = f.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	f.looks = f.form()
	return f, nil
}

// text is an argument that is a text, empty when it is not given.
func text(d *ast.Directive, name string) string {
	if a := d.Arguments.ForName(name); a != nil {
		return a.Value.Raw
	}
	return ""
}

// variable is the name of the variable that an argument is, empty when it is not given.
func variable(d *ast.Directive, name string) (string, error) {
	a := d.Arguments.ForName(name)
	if a == nil {
		return "", nil
	}
	if a.Value.Kind != ast.Variable {
		return "", fmt.Errorf("@%s(%s:) wants a variable", d.Name, name)
	}
	return a.Value.Raw, nil
}

// list is the type of the elements when the field is a list, else nil.
func (f *field) list() *ast.Type { return f.typ.Elem }

// leaf tells whether the field is a single value without selections.
func (f *field) leaf() bool { return len(f.children) == 0 && f.list() == nil }

func (f *field) child(name string) *field {
	for _, c := range f.children {
		if c.name == name {
			return c
		}
	}
	return nil
}
