package openapi

import (
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"gamedata/rest/transform"
)

// object returns the schema of an object, or of the value written instead.
func (d *describer) object(p *transform.Plan) object {
	switch {
	case p.Pick.Chosen(func(flag string) bool { return d.flags[flag] }):
		return d.group(under(p.Fields, p.Pick.Key))
	case p.Tuple:
		return d.tuple(p)
	case p.Unwrap != "":
		bare := slices.IndexFunc(p.Fields, func(f *transform.Plan) bool { return f.Name == p.Unwrap })
		if len(p.Fields) == 1 {
			return d.field(p.Fields[bare])
		}
		return anyOf(d.field(p.Fields[bare]), d.whole(p))
	}
	return d.whole(p)
}

func (d *describer) tuple(p *transform.Plan) object {
	var items []object
	for _, f := range p.Fields {
		items = append(items, d.field(f))
	}
	return object{
		{"type", "array"},
		{"prefixItems", items},
		{"items", anyOf(items...)},
		{"minItems", len(items)},
		{"maxItems", len(items)},
	}
}

// whole returns a reference to an object's schema, or to the schemas of its possible types.
func (d *describer) whole(p *transform.Plan) object {
	name := p.Type.Name()
	if !slices.ContainsFunc(p.Fields, func(f *transform.Plan) bool { return f.On != nil }) {
		return d.named(name, p.Fields, d.names(p)...)
	}
	var schemas []object
	for _, t := range d.schema.PossibleTypes[name] {
		fields := slices.DeleteFunc(slices.Clone(p.Fields), func(f *transform.Plan) bool {
			return f.On != nil && !slices.Contains(f.On, t.Name)
		})
		schemas = append(schemas, d.named(t.Name, fields, t.Name))
	}
	return anyOf(schemas...)
}

// named returns a reference to the schema of a type with these fields, named with the first suitable name.
func (d *describer) named(name string, fields []*transform.Plan, names ...string) object {
	m := d.members(fields)
	schema := object{{"type", "object"}}.with("description", Paragraph(d.schema.Types[name].Description))
	if len(m.properties) > 0 {
		schema = append(schema, member{"properties", m.properties})
	}
	schema = schema.with("required", m.required)
	if len(m.together) > 0 {
		schema = append(schema, member{"dependentRequired", m.together})
	}
	if len(m.rules) > 0 {
		schema = append(schema, member{"allOf", m.rules})
	}
	if m.others == nil {
		m.others = object{{"additionalProperties", false}}
	}
	return d.components.add(append(schema, m.others...), names...)
}

// names returns candidate names for an object's schema: the name of its type, alone or with the key, flag or operation
// that distinguishes it.
func (d *describer) names(p *transform.Plan) []string {
	of := p.Type.Name()
	if p.KeyBy != nil && len(p.KeyBy.Fields) > 1 {
		named := p.KeyBy.Fields[slices.IndexFunc(p.KeyBy.Fields, func(name string) bool { return !selects(p, name) })]
		return []string{of + "By" + title(named)}
	}
	if d.detailed[of] && d.listed == of {
		return []string{d.operation + of}
	}
	names := []string{of}
	for _, flag := range slices.Sorted(maps.Keys(d.flags)) {
		if d.flags[flag] {
			names = append(names, of+title(flag))
		}
	}
	if !strings.HasPrefix(of, d.operation) {
		names = append(names, d.operation+of)
	}
	return names
}

// selects reports whether every entry of a map contains a field that can be its key.
func selects(p *transform.Plan, name string) bool {
	return slices.ContainsFunc(p.Fields, func(f *transform.Plan) bool { return f.Name == name && !f.OmitNull })
}

func title(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

type members struct {
	properties object
	required   []string
	together   object   // keys of a spread object: all present or all absent
	rules      []object // constraints between keys
	others     object   // the entries of a list spread beside them
}

func (d *describer) members(fields []*transform.Plan) (m members) {
	for i, f := range fields {
		selected, always := d.selected(f)
		switch {
		case !selected || f.Header != "":
		case f.Spread && f.KeyBy != nil:
			m.others = d.entries(f)
		case f.Spread:
			m.spread(d.members(f.Fields), (f.Type.NonNull || f.WhenNull != "") && always)
		case f.Within != "" && i > 0 && fields[i-1].Within == f.Within, // the first field described the whole key
			i > 0 && f.Coalesced && fields[i-1].Key == f.Key:
		case f.Within != "":
			m.properties = append(m.properties, member{f.Within, d.within(fields, f.Within)})
			m.required = append(m.required, f.Within)
		default:
			if c := f.Constant; c != nil {
				m.properties = append(m.properties, member{c.Key, object{{"const", jsontext.Value(c.JSON)}}})
				m.required = append(m.required, c.Key)
			}
			shared := under(fields, f.Key)
			m.properties = append(m.properties, member{f.Key, d.group(shared).with("description", about(shared))})
			if rules := Rules(f.Field); rules != nil {
				last := &m.properties[len(m.properties)-1]
				last.value = last.value.(object).with("x-restricted-by", rules)
			}
			if f.OmitWhen != nil {
				m.rules = append(m.rules, omitted(f))
			} else if always && !f.OmitNull && !f.OmitEmpty {
				m.required = append(m.required, f.Key)
			}
		}
	}
	return m
}

// within returns the schema of an object made of fields with @within.
func (d *describer) within(fields []*transform.Plan, key string) object {
	var inside []*transform.Plan
	for _, f := range fields {
		if f.Within == key {
			one := *f
			one.Within = ""
			inside = append(inside, &one)
		}
	}
	m := d.members(inside)
	return object{{"type", "object"}, {"properties", m.properties}}.with("required", m.required).
		with("additionalProperties", false)
}

// spread adds the members of a spread object. If the object can be null, all members are present or all absent.
func (m *members) spread(inner members, always bool) {
	m.properties = append(m.properties, inner.properties...)
	if inner.others != nil {
		m.others = inner.others
	}
	m.rules, m.together = append(m.rules, inner.rules...), append(m.together, inner.together...)
	if always {
		m.required = append(m.required, inner.required...)
		return
	}
	for _, p := range inner.properties {
		if rest := slices.DeleteFunc(slices.Clone(inner.required),
			func(name string) bool { return name == p.name }); len(rest) > 0 {
			m.together = append(m.together, member{p.name, rest})
		}
	}
}

// omitted describes when a null key is omitted: if another key has one of certain values.
func omitted(f *transform.Plan) object {
	decides := object{{f.OmitWhen.Name, object{{"enum", f.OmitWhen.Is}}}}
	return object{
		{"if", object{{"properties", decides}}},
		{"then", object{{"properties", object{{f.Key, object{{"not", object{{"type", "null"}}}}}}}}},
		{"else", object{{"required", []string{f.Key}}}},
	}
}

// about describes the fields of a key with the schema's descriptions.
func about(fields []*transform.Plan) string {
	var words []string
	for _, f := range fields {
		words = append(words, Paragraph(f.Field.Description))
		switch {
		case f.OmitWhen != nil:
			words = append(words, "Can be missing when "+f.OmitWhen.Name+" is "+strings.Join(f.OmitWhen.Is, " or ")+".")
		case f.OmitNull && !f.Type.NonNull:
			words = append(words, "Missing where GraphQL returns null.")
		case f.OrFalse:
			words = append(words, "False where GraphQL returns null.")
		case f.OmitEmpty:
			words = append(words, "Missing when empty.")
		}
	}
	return strings.Join(words, " ")
}
