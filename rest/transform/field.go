package transform

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// field is one selected field and what becomes of it.
type field struct {
	name     string   // response key in the data
	key      string   // key in the body as it is written there: `"key":`
	verbatim bool     // always written, as it stands in the data
	out      string   // the key alone
	looks    []string // form of its JSON
	typ      *ast.Type
	field    *ast.FieldDefinition
	children []*field
	claims   map[string]bool // keys that the children take, but for those of a spread list
	taken    map[string]bool // of a spread list: keys that its entries leave to those beside it
	header   string          // the header that it is sent in

	on       types  // that it is selected on
	said     string // what it selects and how it is written
	anyOrder bool   // its members come in an order of their type

	conditional                          bool // under @skip or @include
	conditions                           []Condition
	twin                                 *field // a field before it that selects the same field of the schema
	omitNull, emptyObject, tuple, spread bool
	omitEmpty, numbered                  bool
	text, offset                         bool // a number as a text, a moment with its offset
	coalesced                            bool
	lastOfGroup                          bool // of the fields that share its key, or alone with it
	unwrap                               string
	keyBy                                *keyBy
	pick                                 *pick
	when                                 *when
	decides                              bool // whether fields after it are left out
}

// keyBy names the entries of a map by a field, or by the field that a variable names.
type keyBy struct {
	field, variable, clash, value string
	preset                        string // default of the variable
	username                      string // what Identifier.username is called in an entry
	keys                          int    // so many of the first fields can name an entry
}

// by is the field that names entries.
func (k *keyBy) by(vars map[string]any) string {
	if k.variable == "" {
		return k.field
	}
	name, ok := vars[k.variable].(string)
	if !ok {
		name = k.preset
	}
	if name == "username" {
		return k.username
	}
	return name
}

type pick struct{ field, variable string }

// when is the value of a field beside it that lets null leave a key out.
type when struct {
	name  string
	field *field
	is    []string
}

// fields is the plan of a selection, fragments put in their places.
func (op *Operation) fields(set ast.SelectionSet) ([]*field, error) {
	var out []*field
	var walk func(set ast.SelectionSet, on types) error
	walk = func(set ast.SelectionSet, on types) error {
		for _, selection := range set {
			switch s := selection.(type) {
			case *ast.Field:
				f, err := op.field(s)
				if err != nil {
					return err
				}
				f.on = on
				if out, err = add(out, f); err != nil {
					return err
				}
			case *ast.FragmentSpread:
				if len(s.Directives) > 0 {
					return fmt.Errorf("directives on the fragment %s have no effect here", s.Name)
				}
				if err := walk(s.Definition.SelectionSet, op.narrow(on, s.ObjectDefinition,
					s.Definition.TypeCondition)); err != nil {
					return err
				}
			case *ast.InlineFragment:
				if len(s.Directives) > 0 {
					return fmt.Errorf("directives on the fragment on %s have no effect here", s.TypeCondition)
				}
				if err := walk(s.SelectionSet, op.narrow(on, s.ObjectDefinition, s.TypeCondition)); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if err := walk(set, nil); err != nil {
		return nil, err
	}
	return out, group(out)
}

func (op *Operation) field(s *ast.Field) (*field, error) {
	f := &field{name: s.Alias, out: s.Alias, typ: s.Definition.Type, field: s.Definition, said: saying(s)}
	for _, d := range s.Directives {
		if err := op.direct(f, d); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	f.key = `"` + f.out + `":`
	var err error
	if f.children, err = op.fields(s.SelectionSet); err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	if err = f.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	f.claim()
	f.anyOrder = slices.ContainsFunc(f.children, func(c *field) bool { return c.on != nil })
	f.looks = f.form()
	return f, nil
}

// direct does to a field what a directive says.
func (op *Operation) direct(f *field, d *ast.Directive) error {
	err := constant(d)
	if err != nil {
		return err
	}
	switch d.Name {
	case "skip", "include":
		f.conditional = true
		if a := d.Arguments.ForName("if").Value; a.Kind == ast.Variable {
			f.conditions = append(f.conditions, Condition{Variable: a.Raw, When: d.Name == "include"})
		}
	case "omitNull":
		f.omitNull = true
		if name, is := text(d, "when"), texts(d, "is"); name != "" || is != nil {
			f.when = &when{name: name, is: is}
		}
	case "omitEmpty":
		f.omitEmpty = true
	case "numbered":
		f.numbered = true
	case "text":
		f.text = true
	case "offset":
		f.offset = true
	case "emptyObject":
		f.emptyObject = true
	case "tuple":
		f.tuple = true
	case "spread":
		f.spread = true
	case "header":
		f.header = text(d, "name")
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
	return err
}

// claim tells the fields which keys of the object belong to whom.
func (f *field) claim() {
	f.claims = map[string]bool{}
	fields := f.children
	if f.keyBy != nil && f.keyBy.keys == 1 {
		fields = fields[1:] // never written inside the entry
	}
	for _, c := range fields {
		for _, out := range c.outs() {
			f.claims[out] = true
		}
	}
	for _, c := range fields {
		if c.spread && c.keyBy != nil {
			c.taken = f.claims
		}
	}
}

// constant refuses a variable where only a condition or a choice can be one.
func constant(d *ast.Directive) error {
	for _, a := range d.Arguments {
		if a.Value.Kind == ast.Variable && a.Name != "if" && a.Name != "chosen" {
			return fmt.Errorf("@%s(%s:) wants no variable", d.Name, a.Name)
		}
	}
	return nil
}

// text is an argument that is a text, empty when it is not given.
func text(d *ast.Directive, name string) string {
	if a := d.Arguments.ForName(name); a != nil {
		return a.Value.Raw
	}
	return ""
}

// texts is an argument that is a list of texts, nil when it is not given.
func texts(d *ast.Directive, name string) []string {
	a := d.Arguments.ForName(name)
	if a == nil {
		return nil
	}
	out := []string{}
	for _, c := range a.Value.Children {
		out = append(out, c.Value.Raw)
	}
	return out
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
