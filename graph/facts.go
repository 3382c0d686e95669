package graph

import (
	"cmp"
	"errors"
	"fmt"

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

// readFacts reads the directives of all types and fields. The error names every field with an invalid one.
func readFacts(schema *ast.Schema) (schemaFacts, error) {
	roots, err := readRootPolicies(schema)
	fields, problems := map[*ast.FieldDefinition]fieldFacts{}, []error{err}
	for _, def := range schema.Types {
		if _, err := hintOf(def.Directives); err != nil {
			problems = append(problems, fmt.Errorf("graph: %s %w", def.Name, err))
		}
		for _, field := range def.Fields {
			f, err := readFieldFacts(schema, def, field)
			if err != nil {
				problems = append(problems, fmt.Errorf("graph: %s.%s %w", def.Name, field.Name, err))
			}
			fields[field] = f
		}
	}
	return schemaFacts{roots, fields}, errors.Join(problems...)
}

func readFieldFacts(schema *ast.Schema, def *ast.Definition, field *ast.FieldDefinition) (f fieldFacts, err error) {
	named := field.Arguments.ForName
	f.lookup = cmp.Or(named("by"), named("id"), named("ids")) != nil
	if f.hint, err = hintOfField(schema, def, field); err != nil {
		return f, err
	}
	if f.size, err = readListSize(schema, field); err != nil {
		return f, fmt.Errorf("with @listSize or @reads %w", err)
	}
	if f.ranges, err = readRanges(field); err != nil {
		return f, err
	}
	f.rules, err = readRules(field)
	return f, err
}
