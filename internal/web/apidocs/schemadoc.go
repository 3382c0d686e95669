package apidocs

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph"
	"gamedata/internal/web"
	"gamedata/rest"
)

// GraphQLPath is where the reference of the GraphQL API is served.
const GraphQLPath = "/docs/graphql"

const directivesPath = GraphQLPath + "/directives"

// schemaDocs describes the schema: a page per type and per root field.
type schemaDocs struct {
	schema *ast.Schema
	// usedBy are the places that use a type, by its name.
	usedBy map[string]*uses
}

// uses are links to the places that use a type: fields that return it, arguments and input fields that take it.
type uses struct{ ReturnedBy, TakenBy []docLink }

type docLink struct{ Path, Text string }

// schemaIndex is the page of the schema.
type schemaIndex struct {
	Roots []rootGroup
	Kinds []kindGroup
}

// rootGroup has the fields of a root type. Name is query, mutation or subscription.
type rootGroup struct {
	Title, Name string
	Fields      []entry
}

type kindGroup struct {
	Title, ID string
	Types     []entry
}

// entry is an entry of a list of pages.
type entry struct {
	Path, Name string
	Text       template.HTML
	Deprecated bool
}

// typePage is the page of a type.
type typePage struct {
	Name, Kind string
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
	// Places are where a directive can be used.
	Places string
}

// rootPage is the page of a field of a root type.
type rootPage struct {
	Operation, Title string // query, Query
	Field            fieldRow
	Policy           *graph.FieldPolicy
	MaxAge           int
	Returns          docLink
	Example, Console string
	Endpoints        []docLink
}

var kindTitles = []struct {
	kind      ast.DefinitionKind
	title, id string
	one       string
}{
	{ast.Object, "Objects", "objects", "Object"},
	{ast.Interface, "Interfaces", "interfaces", "Interface"},
	{ast.Union, "Unions", "unions", "Union"},
	{ast.InputObject, "Inputs", "inputs", "Input object"},
	{ast.Enum, "Enums", "enums", "Enum"},
	{ast.Scalar, "Scalars", "scalars", "Scalar"},
}

func typePath(name string) string { return GraphQLPath + "/" + name }

// fieldID is the id of a field or a value on the page of its type; ids of the layout do not begin like this.
func fieldID(name string) string { return "field-" + name }

func rootPath(operation, field string) string { return GraphQLPath + "/" + operation + "/" + field }

func newSchemaDocs(schema *ast.Schema) *schemaDocs {
	s := &schemaDocs{schema: schema, usedBy: map[string]*uses{}}
	for _, name := range s.typeNames() {
		s.usedBy[name] = &uses{}
	}
	for _, name := range s.typeNames() {
		def := schema.Types[name]
		for _, f := range visible(def.Fields) {
			place := docLink{typePath(name) + "#" + fieldID(f.Name), name + "." + f.Name}
			if operation := s.operationOf(def); operation != "" {
				place.Path = rootPath(operation, f.Name)
			}
			use := s.usedBy[f.Type.Name()]
			if def.Kind == ast.InputObject {
				use.TakenBy = append(use.TakenBy, place)
				continue
			}
			use.ReturnedBy = append(use.ReturnedBy, place)
			for _, a := range f.Arguments {
				taken := s.usedBy[a.Type.Name()]
				place.Text = name + "." + f.Name + "(" + a.Name + ":)"
				taken.TakenBy = append(taken.TakenBy, place)
			}
		}
	}
	return s
}

// typeNames are the names of all types of the schema in order, without those of introspection.
func (s *schemaDocs) typeNames() []string {
	return slices.Sorted(func(yield func(string) bool) {
		for name := range maps.Keys(s.schema.Types) {
			if !strings.HasPrefix(name, "__") && !yield(name) {
				return
			}
		}
	})
}

// rootType is the type of an operation; def is nil if the schema has none.
type rootType struct {
	title, operation string
	def              *ast.Definition
}

func (s *schemaDocs) roots() []rootType {
	return []rootType{
		{"Queries", "query", s.schema.Query},
		{"Mutations", "mutation", s.schema.Mutation},
		{"Subscriptions", "subscription", s.schema.Subscription},
	}
}

// operationOf returns the operation of a root type, empty for another type.
func (s *schemaDocs) operationOf(def *ast.Definition) string {
	for _, root := range s.roots() {
		if root.def == def {
			return root.operation
		}
	}
	return ""
}

// visible are fields without those of introspection.
func visible(fields ast.FieldList) ast.FieldList {
	return slices.DeleteFunc(slices.Clone(fields), func(f *ast.FieldDefinition) bool {
		return strings.HasPrefix(f.Name, "__")
	})
}

// link returns the page of a type or of a field, `Type.field`, empty for other texts.
func (s *schemaDocs) link(text string) string {
	name, field, _ := strings.Cut(text, ".")
	def := s.schema.Types[name]
	switch {
	case def == nil || strings.HasPrefix(name, "__"):
		return ""
	case field == "":
		return typePath(name)
	case def.Fields.ForName(field) == nil:
		return ""
	}
	if operation := s.operationOf(def); operation != "" {
		return rootPath(operation, field)
	}
	return typePath(name) + "#" + fieldID(field)
}

func (s *schemaDocs) text(description string) template.HTML {
	return inline(strings.Join(strings.Fields(description), " "), s.link)
}

// firstSentence is the beginning of a description, for lists.
func (s *schemaDocs) firstSentence(description string) template.HTML {
	text := strings.Join(strings.Fields(description), " ")
	if first, _, more := strings.Cut(text, ". "); more {
		text = first + "."
	}
	return inline(text, nil)
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

func guards(list ast.DirectiveList) []string {
	var out []string
	if d := list.ForName("guarded"); d != nil {
		for _, rule := range d.Arguments.ForName("by").Value.Children {
			out = append(out, rule.Value.Raw)
		}
	}
	return out
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
		Deprecated: deprecation(f.Directives), Rules: guards(f.Directives), Arguments: s.arguments(f.Arguments),
	}
}

// index makes the page of the schema.
func (s *schemaDocs) index() *schemaIndex {
	out := &schemaIndex{}
	for _, root := range s.roots() {
		if root.def == nil {
			continue
		}
		group := rootGroup{Title: root.title, Name: root.operation}
		for _, f := range visible(root.def.Fields) {
			group.Fields = append(group.Fields, entry{
				rootPath(root.operation, f.Name), f.Name, s.firstSentence(f.Description), deprecation(f.Directives) != "",
			})
		}
		out.Roots = append(out.Roots, group)
	}
	for _, k := range kindTitles {
		group := kindGroup{Title: k.title, ID: k.id}
		for _, name := range s.typeNames() {
			if def := s.schema.Types[name]; def.Kind == k.kind && s.operationOf(def) == "" {
				group.Types = append(group.Types, entry{typePath(name), name, s.firstSentence(def.Description), false})
			}
		}
		if len(group.Types) > 0 {
			out.Kinds = append(out.Kinds, group)
		}
	}
	return out
}

// page makes the page of a type.
func (s *schemaDocs) page(name string) *typePage {
	def := s.schema.Types[name]
	p := &typePage{Name: name, Text: s.text(def.Description), Uses: s.usedBy[name]}
	for _, k := range kindTitles {
		if k.kind == def.Kind {
			p.Kind = k.one
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

// directives describes the directives of the schema.
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

// rootField makes the page of a field of a root type.
func (d *Docs) rootField(s *schemaDocs, operation string, f *ast.FieldDefinition, now time.Time) *rootPage {
	p := &rootPage{
		Operation: operation, Title: strings.ToUpper(operation[:1]) + operation[1:], Field: s.field(f),
		Returns: docLink{typePath(f.Type.Name()), f.Type.Name()},
		Example: exampleOperation(s.schema, operation, f, now),
	}
	if policy, ok := d.exec.FieldPolicy(f.Name); ok && operation == "query" {
		p.Policy, p.MaxAge = &policy, int(policy.MaxAge.Seconds())
	}
	p.Console = web.ConsoleLink(p.Example, nil)
	for _, row := range rest.Rows {
		if op := d.ops[row.Operation]; op != nil && operation == "query" && op.RootField() == f.Name {
			p.Endpoints = append(p.Endpoints, docLink{endpointPath(row), row.Method + " " + rest.Prefix + row.Path})
		}
	}
	return p
}
