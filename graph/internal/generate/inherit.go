package main

import (
	"slices"
	"strings"
	"unicode"

	"github.com/vektah/gqlparser/v2/ast"
)

// inheritFields gives each type the fields of the interfaces that it implements and does not declare itself.
func (s *schema) inheritFields() {
	done := map[*ast.Definition]bool{}
	var complete func(*ast.Definition)
	complete = func(def *ast.Definition) {
		if done[def] {
			return
		}
		done[def] = true
		var inherited ast.FieldList
		for _, name := range def.Interfaces {
			if parent := s.doc.Definitions.ForName(name); parent != nil {
				complete(parent)
				inherited = append(inherited, missingFields(inherited, parent.Fields)...)
			}
		}
		inherit(def, inherited)
	}
	for _, def := range s.doc.Definitions {
		complete(def)
	}
}

// inherit puts the fields that a type does not declare before its own.
func inherit(def *ast.Definition, fields ast.FieldList) {
	def.Fields = append(missingFields(def.Fields, fields), def.Fields...)
}

// missingFields returns the fields whose name is not in a list.
func missingFields(list, fields ast.FieldList) ast.FieldList {
	var out ast.FieldList
	for _, f := range fields {
		if list.ForName(f.Name) == nil {
			out = append(out, f)
		}
	}
	return out
}

// addPayloads adds the fields of each payload after its own.
func (s *schema) addPayloads() {
	common := s.templates.ForName("Payload").Fields
	for _, def := range s.doc.Definitions {
		if def.Directives.ForName("payload") != nil {
			def.Fields = append(def.Fields, common...)
		}
	}
}

// addImplementers adds the values of enums with @implementers.
func (s *schema) addImplementers() {
	for _, def := range s.doc.Definitions {
		if d := def.Directives.ForName("implementers"); d != nil {
			def.EnumValues = append(def.EnumValues, s.implementers(d.Arguments.ForName("of").Value.Raw)...)
		}
	}
}

// implementers returns an enum's values for the types that implement an interface, with their descriptions.
func (s *schema) implementers(name string) ast.EnumValueList {
	var out ast.EnumValueList
	for _, object := range s.objectsOf(name) {
		description := s.doc.Definitions.ForName(object).Description
		out = append(out, &ast.EnumValueDefinition{Name: enumValue(object), Description: description})
	}
	return out
}

// objectsOf returns the names of the types that implement an interface, without interfaces.
func (s *schema) objectsOf(name string) []string {
	var out []string
	for _, def := range s.doc.Definitions {
		if def.Kind == ast.Object && slices.Contains(def.Interfaces, name) {
			out = append(out, def.Name)
		}
	}
	return out
}

// enumValue is the name of a type as a value of an enum: TERRITORY_CAPTURED for TerritoryCaptured.
func enumValue(name string) string {
	var out strings.Builder
	for i, letter := range name {
		if i > 0 && unicode.IsUpper(letter) {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToUpper(letter))
	}
	return out.String()
}
