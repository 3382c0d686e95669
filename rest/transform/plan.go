package transform

import (
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// Plan describes a selected field and how it is written to the body, for the OpenAPI document
// and the explanation of an endpoint. directives.graphqls defines the terms.
type Plan struct {
	// Name is the field's key in the operation's data, Key its key in the body. Adjacent Coalesced fields can share a
	// key.
	Name, Key string
	// Field is the field of the schema, Type its type.
	Field *ast.FieldDefinition
	Type  *ast.Type
	// On names the types with the field; nil means all.
	On []string
	// Fields are the selections, fragments expanded, without fields that are only checked.
	Fields []*Plan
	// Conditions are the flags that decide whether the field is selected.
	Conditions []Condition

	KeyBy *KeyBy
	Form
}

// Form describes the form of a field in the body.
type Form struct {
	OmitNull, OmitEmpty, EmptyObject, OrFalse, Numbered, Text, Offset, Tuple, Spread, Coalesced bool

	OmitWhen *OmitWhen // restricts OmitNull
	Header   string    // the header that carries the field
	Missing  string    // the number that replaces each value of a tuple if the object is null, or empty
	Unwrap   string    // the field written bare if all others are null
	Within   string    // the key of the object that contains the field
	WhenNull string    // the JSON written for null
	Constant *Constant // a key written before the field
	Pick     *Pick
	Spelling Spelling
	Reject   *Reject
}

// Condition is a flag and its required value.
type Condition struct {
	Variable string
	When     bool
}

// OmitWhen names a sibling field and its values for which null is omitted.
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
	// Fields lists the fields that can name an entry; they come first.
	Fields []string
	// Chosen is the variable that chooses among Fields; if empty, the first field names the entries. The value username
	// chooses the first field, uuid the field uuid.
	Chosen string
	// Clash is the field to use if a name is already taken.
	Clash string
	// Value is the only key written, instead of the whole entry.
	Value string
	// Keys lists the possible keys of the object; nil means any. Always reports whether the object contains all of
	// them.
	Keys   []string
	Always bool
}

// Pick is a key written instead of the object: if a flag is set, or always if Variable is empty.
type Pick struct{ Key, Variable string }

// Chosen reports whether the key is written.
func (p *Pick) Chosen(flag func(string) bool) bool {
	return p != nil && (p.Variable == "" || flag(p.Variable))
}

// Reject names the errors for null, for an empty list and for true; "" accepts the value.
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
