package apidocs

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/rest/openapi"
)

type typePage struct {
	Name, Kind string
	group      string // of the navigation
	Text       template.HTML
	// Specification is the address of a scalar's specification.
	Specification        string
	OneOf                bool
	Implements, Possible []docLink
	Fields               []fieldRow
	Values               []fieldRow
	Uses                 *uses
}

// fieldRow describes a field, an argument, an input field, an enum value or a directive.
type fieldRow struct {
	Name, ID string
	// Path is the field's own page; only fields of root types have one.
	Path       string
	Type       template.HTML
	Default    string
	Text       template.HTML
	Deprecated template.HTML
	Rules      []string
	Arguments  []fieldRow
	// Places lists where a directive can be used.
	Places string
}

// typeLink renders a type with a link to its page: `[Player!]!`.
func typeLink(t *ast.Type) template.HTML {
	name := t.Name()
	before, after, _ := strings.Cut(t.String(), name)
	link := fmt.Sprintf(`%s<a href="%s">%s</a>%s`, before, typePath(name), name, after)
	return template.HTML(link) //nolint:gosec // names of the schema
}

func deprecation(list ast.DirectiveList) template.HTML {
	d := list.ForName("deprecated")
	if d == nil {
		return ""
	}
	if reason := d.Arguments.ForName("reason"); reason != nil {
		return inline(reason.Value.Raw, nil)
	}
	return "No longer supported."
}

func (s *schemaDocs) arguments(list ast.ArgumentDefinitionList) []fieldRow {
	var out []fieldRow
	for _, a := range list {
		out = append(out, fieldRow{
			Name: a.Name, Type: typeLink(a.Type), Default: defaultOf(a.DefaultValue), Text: s.text(a.Description),
			Deprecated: deprecation(a.Directives),
		})
	}
	return out
}

func defaultOf(v *ast.Value) string {
	if v == nil {
		return ""
	}
	return v.String()
}

func (s *schemaDocs) field(f *ast.FieldDefinition) fieldRow {
	return fieldRow{
		Name: f.Name, ID: fieldID(f.Name), Type: typeLink(f.Type), Default: defaultOf(f.DefaultValue),
		Text:       s.text(f.Description),
		Deprecated: deprecation(f.Directives), Rules: openapi.Rules(f), Arguments: s.arguments(f.Arguments),
	}
}

func (s *schemaDocs) page(name string) *typePage {
	def := s.schema.Types[name]
	p := &typePage{Name: name, Text: s.text(def.Description), Uses: s.usedBy[name]}
	for _, k := range kindTitles {
		if k.kind == def.Kind {
			p.Kind, p.group = k.one, k.title
		}
	}
	if d := def.Directives.ForName("specifiedBy"); d != nil {
		p.Specification = d.Arguments.ForName("url").Value.Raw
	}
	p.OneOf = def.Directives.ForName("oneOf") != nil
	for _, i := range def.Interfaces {
		p.Implements = append(p.Implements, docLink{typePath(i), i})
	}
	if def.IsAbstractType() {
		for _, possible := range s.schema.GetPossibleTypes(def) {
			p.Possible = append(p.Possible, docLink{typePath(possible.Name), possible.Name})
		}
		slices.SortFunc(p.Possible, func(a, b docLink) int { return cmp.Compare(a.Text, b.Text) })
	}
	operation := s.operationOf(def)
	for _, f := range visible(def.Fields) {
		row := s.field(f)
		if operation != "" {
			row.Path, row.Arguments = rootPath(operation, f.Name), nil
		}
		p.Fields = append(p.Fields, row)
	}
	for _, v := range def.EnumValues {
		p.Values = append(p.Values, fieldRow{
			Name: v.Name, ID: fieldID(v.Name), Text: s.text(v.Description), Deprecated: deprecation(v.Directives),
		})
	}
	return p
}

func (s *schemaDocs) directives() []fieldRow {
	var out []fieldRow
	for _, name := range slices.Sorted(maps.Keys(s.schema.Directives)) {
		d := s.schema.Directives[name]
		var places []string
		for _, p := range d.Locations {
			places = append(places, strings.ToLower(strings.ReplaceAll(string(p), "_", " ")))
		}
		out = append(out, fieldRow{
			Name: "@" + name, ID: fieldID(name), Text: s.text(d.Description), Arguments: s.arguments(d.Arguments),
			Places: strings.Join(places, ", "),
		})
	}
	return out
}
