package graph

import (
	"cmp"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph/model"
)

// schemaFacts holds what the schema declares about its fields.
type schemaFacts struct {
	roots  map[string]FieldPolicy // by name
	fields map[*ast.FieldDefinition]fieldFacts
}

// fieldFacts holds what the directives and arguments of a field declare.
type fieldFacts struct {
	size   listSize
	ranges []valueRange       // of arguments
	rules  []model.AccessRule // that guard the field
	hint   cacheHint
	// lookup reports whether the field looks up records by an argument of the caller: by, id or ids.
	lookup bool
}

// readFacts reads the directives of all types and fields. TestDirectivesOfTheSchema proves that they are valid.
func readFacts(schema *ast.Schema) schemaFacts {
	facts := schemaFacts{readRootPolicies(schema), map[*ast.FieldDefinition]fieldFacts{}}
	for _, def := range schema.Types {
		for _, field := range def.Fields {
			named := field.Arguments.ForName
			facts.fields[field] = fieldFacts{
				size: readListSize(schema, field), ranges: readRanges(field), rules: readRules(field),
				hint:   hintOfField(schema, def, field),
				lookup: cmp.Or(named("by"), named("id"), named("ids")) != nil,
			}
		}
	}
	return facts
}

// argument returns an argument of a directive, or "" without the argument or the directive.
func argument(d *ast.Directive, name string) string {
	if d == nil || d.Arguments.ForName(name) == nil {
		return ""
	}
	return d.Arguments.ForName(name).Value.Raw
}

// number returns an argument of a directive that is a number, or 0 without it.
func number(d *ast.Directive, name string) int {
	n, _ := strconv.Atoi(argument(d, name))
	return n
}
