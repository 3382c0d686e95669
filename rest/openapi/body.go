package openapi

import (
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/rest/transform"
)

// describer derives the JSON Schema of an operation's bodies from its plan.
type describer struct {
	schema     *ast.Schema
	components components
	operation  string
	detailed   map[string]bool // types returned by an operation of the same name,
	listed     string          // and the type of which this operation returns a list
	flags      map[string]bool // values of the flags that select an alternative body
}

// body returns the schema of all bodies of an operation. Keys added by a flag are optional. A flag that removes keys or
// changes the body's type creates an alternative.
func (d *describer) body(p *transform.Plan) object {
	if p.Type.Elem != nil {
		d.listed = p.Type.Name()
	}
	var schemas []object
	for _, set := range variants(p) {
		d.flags = set
		schemas = append(schemas, d.value(p, p.Type))
	}
	d.flags = nil
	return anyOf(schemas...)
}

// variants returns every combination of the flags that create alternative bodies.
func variants(p *transform.Plan) []map[string]bool {
	var flags []string
	var walk func(*transform.Plan)
	walk = func(p *transform.Plan) {
		if p.Pick != nil && p.Pick.Variable != "" && !slices.Contains(flags, p.Pick.Variable) {
			flags = append(flags, p.Pick.Variable)
		}
		for _, c := range p.Conditions {
			if (!c.When || p.Spread) && !slices.Contains(flags, c.Variable) {
				flags = append(flags, c.Variable)
			}
		}
		for _, f := range p.Fields {
			walk(f)
		}
	}
	walk(p)
	out := []map[string]bool{{}}
	for _, flag := range flags {
		var more []map[string]bool
		for _, set := range out {
			for _, value := range []bool{false, true} {
				one := maps.Clone(set)
				one[flag] = value
				more = append(more, one)
			}
		}
		out = more
	}
	return out
}

// selected reports whether a field can be selected, and whether it always is.
func (d *describer) selected(p *transform.Plan) (ever, always bool) {
	always = true
	for _, c := range p.Conditions {
		set, known := d.flags[c.Variable]
		if known && set != c.When {
			return false, false
		}
		always = always && known
	}
	return true, always
}

// field returns the schema of the value of a field's key.
func (d *describer) field(p *transform.Plan) object {
	schema := d.value(p, p.Type)
	switch {
	case p.EmptyObject:
		return anyOf(schema, object{{"type", "object"}, {"maxProperties", 0}, {"additionalProperties", false}})
	case p.Missing != "", p.OrFalse, p.Reject != nil && p.Reject.Null != "":
		return schema
	case !p.Type.NonNull && (!p.OmitNull || p.OmitWhen != nil):
		return orNull(schema)
	}
	return schema
}

// value returns the schema of a non-null value of a field, or of an element of its list.
func (d *describer) value(p *transform.Plan, t *ast.Type) object {
	switch whole := t == p.Type; {
	case whole && p.Numbered:
		return object{
			{"type", "object"},
			{"propertyNames", object{{"pattern", positionPattern}}},
			{"additionalProperties", d.element(p, t.Elem)},
		}
	case whole && p.KeyBy != nil:
		return append(object{{"type", "object"}}, d.entries(p)...)
	case t.Elem != nil:
		return object{{"type", "array"}, {"items", d.element(p, t.Elem)}}
	case len(p.Fields) > 0:
		return d.object(p)
	case p.Text:
		return object{{"type", "string"}, {"pattern", integerPattern}}
	case p.Spelling != "":
		return d.spelled(t.Name(), p.Spelling)
	case p.Offset:
		return object{{"type", "string"}, {"format", "date-time"}, {"pattern", offsetPattern}}
	}
	return d.scalar(t.Name())
}

func (d *describer) element(p *transform.Plan, t *ast.Type) object {
	schema := d.value(p, t)
	if !t.NonNull {
		schema = orNull(schema)
	}
	return schema
}

// besideKey describes a field that either is the key of its entry or stays part of an entry with another key.
func besideKey(p *transform.Plan, key string) *transform.Plan {
	out, field := *p, *p.Field
	field.Description += "\n\nOnly in an entry with its " + key + " as key, because the usual key was taken."
	out.Field, out.OmitNull = &field, true
	return &out
}

// entries returns the keywords for the keys and values of a map.
func (d *describer) entries(p *transform.Plan) object {
	var out object
	keys := p.Fields[:len(p.KeyBy.Fields)]
	if key := keys[0]; len(keys) == 1 {
		switch pattern := d.scalar(key.Type.Name()).Text("pattern"); {
		case pattern != "":
			out = object{{"propertyNames", object{{"pattern", pattern}}}}
		case key.Type.Name() == "Int" || key.Type.Name() == "Int64":
			out = object{{"propertyNames", object{{"pattern", integerPattern}}}}
		}
	}
	if p.KeyBy.Value != "" {
		return append(out, mapOf(p.KeyBy, d.group(under(p.Fields, p.KeyBy.Value)))...)
	}
	var schemas []object
	for _, named := range keys {
		entry := *p
		entry.Fields = slices.Clone(p.Fields)
		i := slices.Index(entry.Fields, named)
		if clash := p.KeyBy.Clash; clash == "" || clash == named.Name {
			entry.Fields = slices.Delete(entry.Fields, i, i+1)
		} else {
			entry.Fields[i] = besideKey(named, clash)
		}
		schemas = append(schemas, d.object(&entry))
	}
	return append(out, mapOf(p.KeyBy, anyOf(schemas...))...)
}

// mapOf returns the keywords for a map whose entries share one schema.
func mapOf(k *transform.KeyBy, entry object) object {
	if k.Keys == nil {
		return object{{"additionalProperties", entry}}
	}
	var properties object
	var required []string
	for _, key := range k.Keys {
		properties = append(properties, member{key, entry})
	}
	if k.Always {
		required = k.Keys
	}
	return object{{"properties", properties}}.with("required", required).with("additionalProperties", false)
}

// under returns the fields written to a key.
func under(fields []*transform.Plan, key string) []*transform.Plan {
	return slices.DeleteFunc(slices.Clone(fields), func(f *transform.Plan) bool { return f.Key != key })
}

// group returns the schema of fields that share a key. The body contains the first field that is not null.
func (d *describer) group(fields []*transform.Plan) object {
	if len(fields) == 1 && !fields[0].Coalesced {
		return d.field(fields[0])
	}
	var schemas []object
	null := true
	for _, f := range fields {
		schemas = append(schemas, d.value(f, f.Type))
		null = null && !f.Type.NonNull && !f.OmitNull
	}
	if null {
		schemas = append(schemas, object{{"type", "null"}})
	}
	return anyOf(schemas...)
}
