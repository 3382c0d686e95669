package apidocs

import (
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// GraphQLPath is where the reference of the GraphQL API is served.
const GraphQLPath = "/docs/graphql"

const directivesPath = GraphQLPath + "/directives"

// schemaDocs describes the schema: a page per type and per root field.
type schemaDocs struct {
	schema *ast.Schema
	// usedBy maps the name of a type to the places that use it.
	usedBy map[string]*uses
}

// uses links to the places that use a type: fields that return it, arguments and input fields that accept it.
type uses struct{ ReturnedBy, TakenBy []docLink }

type docLink struct{ Path, Text string }

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

// fieldID returns the id of a field or a value on the page of its type. The prefix keeps it apart from ids of the
// layout.
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

// typeNames returns the names of all types of the schema in order, without introspection.
func (s *schemaDocs) typeNames() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s.schema.Types)), func(name string) bool {
		return strings.HasPrefix(name, "__")
	})
}

// rootType is the type of an operation.
type rootType struct {
	title, operation string
	def              *ast.Definition
}

func (s *schemaDocs) roots() []rootType {
	all := []rootType{
		{"Queries", "query", s.schema.Query},
		{"Mutations", "mutation", s.schema.Mutation},
		{"Subscriptions", "subscription", s.schema.Subscription},
	}
	return slices.DeleteFunc(all, func(r rootType) bool { return r.def == nil })
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

// visible returns fields without introspection.
func visible(fields ast.FieldList) ast.FieldList {
	return slices.DeleteFunc(slices.Clone(fields), func(f *ast.FieldDefinition) bool {
		return strings.HasPrefix(f.Name, "__")
	})
}

// link returns the path of the page about a type or a field, `Type.field`; empty for other texts.
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

// firstSentence returns the first sentence of a description, for lists.
func (s *schemaDocs) firstSentence(description string) template.HTML {
	text := strings.Join(strings.Fields(description), " ")
	if first, _, more := strings.Cut(text, ". "); more {
		text = first + "."
	}
	return inline(text, nil)
}
