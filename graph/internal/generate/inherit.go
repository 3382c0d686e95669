package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// addInherited gives each type the fields of its interfaces. An interface comes before the types that implement it.
func (s *schema) addInherited() {
	for _, def := range s.doc.Definitions {
		var inherited ast.FieldList
		for _, name := range def.Interfaces {
			if parent := s.doc.Definitions.ForName(name); parent != nil {
				inherited = append(inherited, missing(inherited, parent.Fields)...)
			}
		}
		inherit(def, inherited)
	}
}

// inherit adds fields to a type before its own. The type's own fields replace inherited fields of the same name.
func inherit(def *ast.Definition, fields ast.FieldList) {
	fields = slices.Clone(fields)
	for i, f := range fields {
		if own := def.Fields.ForName(f.Name); own != nil {
			fields[i] = own
		}
	}
	def.Fields = slices.Concat(fields, missing(fields, def.Fields))
}

// missing returns the fields whose names a list lacks.
func missing(list, fields ast.FieldList) ast.FieldList {
	return slices.DeleteFunc(slices.Clone(fields), func(f *ast.FieldDefinition) bool {
		return list.ForName(f.Name) != nil
	})
}

func (s *schema) addPayloads() {
	for _, def := range s.doc.Definitions {
		if def.Directives.ForName("payload") != nil {
			def.Fields = append(def.Fields, s.templates.ForName("Payload").Fields...)
		}
	}
}

// addImplementers adds a value for each implementing type to enums with @implementers, with the type's description.
func (s *schema) addImplementers() {
	for _, def := range s.doc.Definitions {
		d := def.Directives.ForName("implementers")
		if d == nil {
			continue
		}
		for _, object := range s.objectsOf(d.Arguments.ForName("of").Value.Raw) {
			value := &ast.EnumValueDefinition{Name: enumValue(object.Name), Description: object.Description}
			def.EnumValues = append(def.EnumValues, value)
		}
	}
}

var wordEnd = regexp.MustCompile(`([a-z])([A-Z])`)

// enumValue returns a name in the spelling of enum values: TERRITORY_CAPTURED for TerritoryCaptured.
func enumValue(name string) string {
	return strings.ToUpper(wordEnd.ReplaceAllString(name, "${1}_$2"))
}

// objectsOf returns the types that implement an interface, without interfaces.
func (s *schema) objectsOf(name string) ast.DefinitionList {
	return slices.DeleteFunc(slices.Clone(s.doc.Definitions), func(def *ast.Definition) bool {
		return def.Kind != ast.Object || !slices.Contains(def.Interfaces, name)
	})
}
