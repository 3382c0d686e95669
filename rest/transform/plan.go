package transform

import (
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// Plan describes a selected field and how it is written to the body, for the OpenAPI document
// and the explanation of an endpoint. directives.graphqls defines the terms.
type Plan struct {
	// Name is the field's key in the operation's data, Key the one in the body. Adjacent fields
	// can share a key if they are Coalesced.
	Name, Key string
	// Field is the field of the schema, Type its type.
	Field *ast.FieldDefinition
	Type  *ast.Type
	// On names the types that have the field, nil for all.
	On []string
	// Fields are the selections, fragments expanded, without fields that are only checked.
	Fields []*Plan
	// Conditions are the flags that decide whether the field is selected.
	Conditions []Condition

	KeyBy *KeyBy
	Form
}

// Form is how a field is written to the body.
type Form struct {
	OmitNull, OmitEmpty, EmptyObject, OrFalse, Numbered, Text, Offset, Tuple, Spread, Coalesced bool

	OmitWhen *OmitWhen // restricts OmitNull
	Header   string    // the header that the field is sent in
	Missing  string    // the number that the values of a tuple are if the object is null, empty for none
	Unwrap   string    // the field that is written bare if all others are null
	Within   string    // the key of the object that the field is written to
	WhenNull string    // the JSON that is written for null
	Constant *Constant // a key that is written before the field
	Pick     *Pick
	Spelling Spelling
	Reject   *Reject
}

// Condition is a flag and the value that it must have.
type Condition struct {
	Variable string
	When     bool
}

// OmitWhen names a sibling field and the values of it with which null is omitted.
type OmitWhen struct {
	Name string
	Is   []string
}

// Constant is a key with a constant value.
type Constant struct {
	Key string
	// JSON is the value.
	JSON string
}

// KeyBy names the entries of a map.
type KeyBy struct {
	// Fields are the names of the fields that can name an entry; they come first.
	Fields []string
	// Chosen is the variable that chooses among them, empty if it is always the first.
	// By username it is the first, by uuid the field uuid.
	Chosen string
	// Clash is the field to use for a name that is already taken.
	Clash string
	// Value is the one key that is written instead of the whole entry.
	Value string
	// Keys are the keys that the object can have, nil if it can have any; Always reports whether it has all of them.
	Keys   []string
	Always bool
}

// Pick is the key that is written instead of the object: if a flag is set, or always if Variable is empty.
type Pick struct{ Key, Variable string }

// Chosen reports whether the key is written.
func (p *Pick) Chosen(flag func(string) bool) bool {
	return p != nil && (p.Variable == "" || flag(p.Variable))
}

// Reject names the errors for null, for an empty list and for true, empty for none.
type Reject struct{ Null, Empty, True string }

// Plan describes the root field, which is the whole body.
func (op *Operation) Plan() *Plan { return op.root.plan() }

func (f *field) plan() *Plan {
	p := &Plan{Name: f.name, Key: f.key, Field: f.field, Type: f.typ, Conditions: f.conditions, Form: f.Form}
	p.On = slices.Sorted(maps.Keys(f.on))
	for _, c := range f.children {
		if !c.check {
			p.Fields = append(p.Fields, c.plan())
		}
	}
	if k := f.keyBy; k != nil {
		p.KeyBy = &KeyBy{Chosen: k.variable, Clash: k.clash, Value: k.value}
		p.KeyBy.Keys, p.KeyBy.Always = k.always, k.always != nil
		if k.keys == 1 && k.always == nil {
			p.KeyBy.Keys = f.children[0].entryKeys()
		}
		for _, c := range f.children[:k.keys] {
			p.KeyBy.Fields = append(p.KeyBy.Fields, c.name)
		}
	}
	return p
}
