package apidocs

import (
	"strconv"
	"strings"

	"gamedata/rest/openapi"
	"gamedata/rest/transform"
)

// field is one entry of a field map: what stands where in the body, and where its value comes
// from.
type field struct {
	// Key is the place in the body, `globalData.dungeons.list.{name}`: an element of a list is
	// `[]`, a key that names an entry stands in braces.
	Key string `json:"key"`
	// GraphQL is the place in the operation's data.
	GraphQL string `json:"graphql"`
	// Type is the field's type in the schema.
	Type string `json:"type"`
	// How tells in words what happens on the way; nothing when the value is written as it is.
	How []string `json:"how,omitempty"`
	// Restricted are the access rules that can keep the field from showing something.
	Restricted []string `json:"restrictedBy,omitempty"`
}

// fieldMap is the map of a whole body, as the flags make it. Fields that are asked only with
// some flag are in it always.
func fieldMap(p *transform.Plan, flags map[string]any) []field {
	m := &mapper{}
	if p.Pick == nil || flags[p.Pick.Variable] != true {
		m.field(p, "", "", false)
		return m.fields
	}
	m.fields = []field{{Key: "", GraphQL: p.Name, Type: p.Type.String(), How: how(p)}}
	for _, f := range p.Fields {
		if f.Key == p.Pick.Key {
			m.field(f, "", p.Name, true)
		}
	}
	return m.fields
}

type mapper struct{ fields []field }

// field adds a field and what stands below it. key is the place of the object that it belongs
// to, path that of its data.
func (m *mapper) field(p *transform.Plan, key, path string, entry bool) {
	path = join(path, p.Name)
	root := path == p.Name
	switch {
	case entry, root, p.Spread: // has no key of its own
	case p.Header != "":
		key = "header " + p.Header
	default:
		key = join(key, p.Key)
	}
	m.fields = append(m.fields, field{
		Key: key, GraphQL: path, Type: p.Type.String(), How: how(p),
		Restricted: openapi.Rules(p),
	})
	below := key
	switch {
	case p.KeyBy != nil:
		below = join(key, "{"+naming(p.KeyBy)+"}")
	case p.Numbered:
		below = join(key, "{number}")
	case p.Type.Elem != nil:
		below, path = key+"[]", path+"[]"
	}
	if p.KeyBy != nil || p.Numbered {
		path += "[]"
	}
	for i, f := range p.Fields {
		switch {
		case p.KeyBy != nil && len(p.KeyBy.Fields) == 1 && i == 0:
			m.fields = append(m.fields, field{
				Key: below, GraphQL: join(path, f.Name), Type: f.Type.String(),
				How: []string{"Names the entry."},
			})
		case p.Tuple:
			m.field(f, below+"["+strconv.Itoa(i)+"]", path, true)
		default:
			m.field(f, below, path, p.KeyBy != nil && p.KeyBy.Value == f.Key || p.Unwrap == f.Name && len(p.Fields) == 1)
		}
	}
}

// naming is what names the entries of a map.
func naming(k *transform.KeyBy) string {
	if k.Chosen != "" {
		return k.Chosen
	}
	return k.Fields[0]
}

func join(path, step string) string {
	if path == "" {
		return step
	}
	return path + "." + step
}

// how tells in words what the shaping directives of a field do.
func how(p *transform.Plan) []string {
	var out []string
	say := func(words ...string) { out = append(out, strings.Join(words, "")) }
	for _, c := range p.Conditions {
		if c.When {
			say("Asked only with ", c.Variable, ".")
		} else {
			say("Asked only without ", c.Variable, ".")
		}
	}
	if len(p.On) > 0 {
		say("Only of ", strings.Join(p.On, ", "), ".")
	}
	switch k := p.KeyBy; {
	case k == nil:
	case k.Chosen != "":
		say("A list becomes an object; ", k.Chosen, " chooses whether ", strings.Join(k.Fields, " or "),
			" names its entries.")
	default:
		say("A list becomes an object; ", k.Fields[0], " names its entries.")
	}
	if k := p.KeyBy; k != nil && k.Clash != "" {
		say("An entry whose name was met before is named by its ", k.Clash, ".")
	}
	if k := p.KeyBy; k != nil && k.Value != "" {
		say("Of an entry ", k.Value, " alone is written.")
	}
	for _, d := range []struct {
		set  bool
		says string
	}{
		{p.Numbered, `A list becomes an object with the keys "1", "2", … in its order.`},
		{p.Spread, "Its keys stand beside those of the object around it."},
		{p.Tuple, "An object becomes an array of its values."},
		{p.Text, "A number is written as a text."},
		{p.Offset, "The moment ends in +00:00 instead of Z."},
		{p.EmptyObject, "Null becomes {}."},
		{p.OmitEmpty, "An empty list is left out."},
		{p.Coalesced, "Shares the key " + p.Key + " with the fields beside it: the first that is not null is written."},
		{p.Unwrap != "", "An object that has " + p.Unwrap + " alone is written as its bare value."},
		{p.Header != "", "Sent in the header " + p.Header + ", not in the body."},
	} {
		if d.set {
			say(d.says)
		}
	}
	switch {
	case p.OmitWhen != nil:
		say("Null is left out when ", p.OmitWhen.Name, " is ", strings.Join(p.OmitWhen.Is, " or "), ".")
	case p.OmitNull:
		say("Null is left out.")
	}
	if p.Pick != nil {
		say("With ", p.Pick.Variable, " the body is the bare value of ", p.Pick.Key, ".")
	}
	return out
}
