package transform

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// field is a selected field and how it is written to the body.
type field struct {
	name     string // response key in the data
	key      string // key in the body
	prefix   string // the key and its colon: `"key":`
	source   *ast.Field
	field    *ast.FieldDefinition
	typ      *ast.Type
	enum     *ast.Definition // the enum of its values, or nil
	children []*field
	on       types // the types it is selected on; nil means all

	Form
	keyBy       *keyBy
	spellings   map[string]string // value → spelling in the body, with @spelled
	conditional bool              // has @skip or @include
	conditions  []Condition

	forward
	backward
}

// forward holds facts about the fields beside and below a field, for Transform.
type forward struct {
	decider   *field          // the field named by OmitWhen
	decides   bool            // its value decides whether later fields are omitted
	lastOfKey bool            // the last field with its key
	verbatim  bool            // always copied unchanged
	check     bool            // not written: it, or everything below it, has @reject(true:)
	anyOrder  bool            // the order of its children depends on the object's type
	claimed   map[string]bool // keys that its children write, except entries of a spread list
	reserved  map[string]bool // of a spread list: keys that its entries must not take
}

// backward holds further facts for Reverse.
type backward struct {
	variants []*field // of an object whose fields depend on its type: the fields of each type
	aliased  bool     // other fields select parts of the same schema field, or with other arguments
	twin     *field   // an earlier field that selects the same schema field
	forms    []string // forms of its JSON value, see form
}

// keyBy names the entries of a map by a field, or by the field that a variable chooses.
type keyBy struct {
	field, variable, clash, value string
	preset                        string   // default of the variable
	username                      string   // field for Identifier.username
	always                        []string // all keys of the object, nil if they vary
	keys                          int      // number of fields that can name an entry; they come first
}

// name returns the name of the field that names entries.
func (k *keyBy) name(vars map[string]any) string {
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

// setNames finds the fields of a list that can name an entry.
func (k *keyBy) setNames(list *field) {
	k.keys = 1
	names := []string{k.field}
	if k.variable != "" {
		k.keys, k.username = 2, "username"
		if list.child(k.username) == nil {
			k.username = "name"
		}
		names = []string{k.username, "uuid"}
	}
	if k.clash != "" && !slices.Contains(names, k.clash) {
		k.keys++
	}
}

func (op *Operation) field(s *ast.Field) *field {
	f := &field{name: s.Alias, key: s.Alias, source: s, typ: s.Definition.Type, field: s.Definition}
	if def := op.schema.Types[f.typ.Name()]; def != nil && def.Kind == ast.Enum {
		f.enum = def
	}
	for _, d := range s.Directives {
		op.apply(f, d)
	}
	f.prefix, f.children = `"`+f.key+`":`, op.fields(s.SelectionSet)
	f.check = f.Reject != nil && f.Reject.True != "" ||
		len(f.children) > 0 && !slices.ContainsFunc(f.children, func(c *field) bool { return !c.check })
	if f.keyBy != nil {
		f.keyBy.setNames(f)
	}
	f.claimKeys()
	f.anyOrder = slices.ContainsFunc(f.children, func(c *field) bool { return c.on != nil })
	f.forms = f.form()
	return f
}

// signature returns the text of a selected field without its alias and selections. Two fields with one name and the
// same signature select the same data.
func signature(s *ast.Field) string {
	text := s.Definition.Name
	for _, d := range s.Directives {
		text += " @" + d.Name
		for _, a := range d.Arguments {
			text += " " + a.Name + ":" + a.Value.String()
		}
	}
	return text
}

// claimKeys records which keys of the object its children write.
func (f *field) claimKeys() {
	f.claimed = map[string]bool{}
	fields := f.children
	if f.keyBy != nil && f.keyBy.keys == 1 {
		fields = fields[1:] // never written inside the entry
	}
	for _, c := range fields {
		for _, key := range c.keys() {
			f.claimed[key] = true
		}
	}
	for _, c := range fields {
		if c.Spread && c.keyBy != nil {
			c.reserved = f.claimed
		}
	}
}

// keys returns the keys that a field is written to, as far as the operation determines them.
func (f *field) keys() []string {
	switch {
	case f.Header != "" || f.check:
		return nil
	case f.Within != "":
		return []string{f.Within}
	case f.Constant != nil && !f.Spread:
		return []string{f.Constant.Key, f.key}
	case !f.Spread:
		return []string{f.key}
	}
	var out []string
	if f.keyBy == nil {
		for _, c := range f.children {
			out = append(out, c.keys()...)
		}
	}
	return slices.Compact(out)
}

// list returns the type of the elements if the field is a list, else nil.
func (f *field) list() *ast.Type { return f.typ.Elem }

// picked returns the child whose key @pick writes.
func (f *field) picked() *field {
	for _, c := range f.children {
		if c.key == f.Pick.Key {
			return c
		}
	}
	return nil
}

// child returns the child with a response key, or nil.
func (f *field) child(name string) *field {
	for _, c := range f.children {
		if c.name == name {
			return c
		}
	}
	return nil
}
