package transform

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// Plan is a selected field and what becomes of it, told to those who describe bodies: the
// OpenAPI document and the explanation of an endpoint. It says what directives.graphqls says.
type Plan struct {
	// Name is the field's key in the operation's data, Key the one in the body. Fields side by
	// side share a key when Coalesced.
	Name, Key string
	// Field is the field of the schema, Type its type.
	Field *ast.FieldDefinition
	Type  *ast.Type
	// On names the types that have the field, nil for all there are.
	On []string
	// Fields are those selected below, fragments put in their places.
	Fields []*Plan
	// Conditions are the flags that decide whether the field is asked at all.
	Conditions []Condition

	OmitNull, OmitEmpty, EmptyObject, Numbered, Text, Offset, Tuple, Spread, Coalesced bool

	OmitWhen *OmitWhen // OmitNull only then
	Header   string    // the header that the field is sent in
	Unwrap   string    // the name of the field that stands bare when it is alone
	KeyBy    *KeyBy
	Pick     *Pick
}

// Condition is a flag and what it has to be.
type Condition struct {
	Variable string
	When     bool
}

// OmitWhen is a field beside one that is left out, by name, and its values that let it.
type OmitWhen struct {
	Name string
	Is   []string
}

// KeyBy names the entries of a map.
type KeyBy struct {
	// Fields are the names of the fields that can name an entry; they stand first.
	Fields []string
	// Chosen is the variable that chooses among them, empty when the first one always does.
	// By username it is the first, by uuid the field uuid.
	Chosen string
	// Clash is the field to use for a name that was met before.
	Clash string
	// Value is the one key answered instead of the whole entry.
	Value string
}

// Pick is the key that is answered instead of the object when a flag is set.
type Pick struct{ Key, Variable string }

// Plan tells what the operation's root field becomes: the whole body.
func (op *Operation) Plan() *Plan { return op.root.plan() }

func (f *field) plan() *Plan {
	p := &Plan{
		Name: f.name, Key: f.out, Field: f.field, Type: f.typ, Conditions: f.conditions,
		OmitNull: f.omitNull, OmitEmpty: f.omitEmpty, EmptyObject: f.emptyObject, Numbered: f.numbered,
		Text: f.text, Offset: f.offset, Tuple: f.tuple, Spread: f.spread, Coalesced: f.coalesced,
		Header: f.header, Unwrap: f.unwrap,
	}
	for name := range f.on {
		p.On = append(p.On, name)
	}
	slices.Sort(p.On)
	for _, c := range f.children {
		p.Fields = append(p.Fields, c.plan())
	}
	if f.when != nil {
		p.OmitWhen = &OmitWhen{Name: f.when.name, Is: f.when.is}
	}
	if f.pick != nil {
		p.Pick = &Pick{Key: f.pick.field, Variable: f.pick.variable}
	}
	if k := f.keyBy; k != nil {
		p.KeyBy = &KeyBy{Chosen: k.variable, Clash: k.clash, Value: k.value}
		for _, c := range f.children[:k.keys] {
			p.KeyBy.Fields = append(p.KeyBy.Fields, c.name)
		}
	}
	return p
}
