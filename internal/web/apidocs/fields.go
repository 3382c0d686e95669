package apidocs

import (
	"cmp"
	_ "embed"
	"strconv"
	"strings"
	"text/template"

	"gamedata/rest/openapi"
	"gamedata/rest/transform"
)

// field is one entry of a field map: a place in the body and where its value comes from.
type field struct {
	// Key is the place in the body, such as `globalData.dungeons.list.{name}`. An element of a list is `[]`; a key that
	// names an entry is in braces.
	Key string `json:"key"`
	// GraphQL is the place in the operation's data.
	GraphQL string `json:"graphql"`
	// Type is the field's type in the schema.
	Type string `json:"type"`
	// How describes the transformation in words; empty if the value is unchanged.
	How []string `json:"how,omitempty"`
	// Restricted are the access rules that can hide the field.
	Restricted []string `json:"restrictedBy,omitempty"`
}

// fieldMap returns the map of a whole body for some flags. It always includes fields that depend on a flag.
func fieldMap(p *transform.Plan, flags map[string]any) []field {
	m := &mapper{}
	if !p.Pick.Chosen(func(flag string) bool { return flags[flag] == true }) {
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

// field adds a field and its subfields. key is the place of its object in the body, path its place in the data.
func (m *mapper) field(p *transform.Plan, key, path string, entry bool) {
	path = join(path, p.Name)
	root := path == p.Name
	switch {
	case entry, root, p.Spread: // has no key
	case p.Header != "":
		key = "header " + p.Header
	default:
		key = join(join(key, p.Within), p.Key)
	}
	m.fields = append(m.fields, field{
		Key: key, GraphQL: path, Type: p.Type.String(), How: how(p),
		Restricted: openapi.Rules(p.Field),
	})
	prefix := key
	switch {
	case p.KeyBy != nil:
		prefix = join(key, "{"+cmp.Or(p.KeyBy.Chosen, p.KeyBy.Fields[0])+"}")
	case p.Numbered:
		prefix = join(key, "{number}")
	case p.Type.Elem != nil:
		prefix, path = key+"[]", path+"[]"
	}
	if p.KeyBy != nil || p.Numbered {
		path += "[]"
	}
	for i, f := range p.Fields {
		switch {
		case p.KeyBy != nil && len(p.KeyBy.Fields) == 1 && i == 0:
			m.fields = append(m.fields, field{
				Key: prefix, GraphQL: join(path, f.Name), Type: f.Type.String(),
				How: []string{"Names the entry."},
			})
		case p.Tuple:
			m.field(f, prefix+"["+strconv.Itoa(i)+"]", path, true)
		default:
			m.field(f, prefix, path, p.KeyBy != nil && p.KeyBy.Value == f.Key ||
				p.Unwrap == f.Name && len(p.Fields) == 1 || p.Pick != nil && p.Pick.Variable == "")
		}
	}
}

func join(path, step string) string {
	switch "" {
	case path:
		return step
	case step:
		return path
	}
	return path + "." + step
}

//go:embed how.tmpl
var howText string

var howTemplate = template.Must(template.New("").Funcs(template.FuncMap{"join": strings.Join}).Parse(howText))

// how describes the transform directives of a field in words.
func how(p *transform.Plan) []string {
	var text strings.Builder
	if err := howTemplate.Execute(&text, p); err != nil {
		return []string{err.Error()}
	}
	var out []string
	for line := range strings.Lines(text.String()) {
		line = strings.TrimSpace(line)
		if line != "" {
			out = append(out, line)
		}
	}
	return out
}
