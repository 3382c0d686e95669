package main

import (
	"fmt"
	"strings"

	"github.com/99designs/gqlgen/codegen/templates"
	"github.com/vektah/gqlparser/v2/ast"
)

// scalars are the Go types of the schema's scalars. Int and Int64 share a Go type, so one function formats both.
var scalars = map[string]string{
	"Boolean": "bool", "DateTime": "time.Time", "Float": "float64", "ID": "string", "Int": "int64", "Int64": "int64",
	"Markup": "string", "String": "string", "UUID": "string",
}

// modelTypes are the types of the schema whose selections are decoded into structs of the model.
var modelTypes = map[string]string{
	"Banner": "model.Banner", "HistoryPoint": "model.HistoryPoint", "PageInfo": "model.PageInfo",
	"PlayedYear": "model.PlayedYear", "PlayerTotals": "model.PlayerTotals",
}

// writer writes the types of a document.
type writer struct {
	schema *ast.Schema
	code   strings.Builder
	errs   []error
}

// declare writes the type of an operation or a fragment, with its comment.
func (w *writer) declare(name, kind string, comment *ast.CommentGroup, set ast.SelectionSet) {
	fmt.Fprintf(&w.code, "\n// %s is the data of its %s.\n", name, kind)
	if comment != nil {
		for _, line := range comment.List {
			fmt.Fprintf(&w.code, "//%s\n", line.Text())
		}
	}
	fmt.Fprintf(&w.code, "type %s %s\n", name, w.structOf(set))
}

func (w *writer) structOf(set ast.SelectionSet) string {
	fields := &fields{w: w, types: map[string]string{}}
	fields.add(set, false)
	return "struct {\n" + fields.code.String() + "}"
}

// typeOf returns the type of a field; an optional field may be missing in the response. Templates treat every pointer
// as true, so they test a nullable Boolean with `yes`.
func (w *writer) typeOf(f *ast.Field, t *ast.Type, optional bool) string {
	switch {
	case t.Elem != nil:
		return "[]" + w.typeOf(f, t.Elem, false)
	case !t.NonNull || optional:
		return "*" + w.namedType(f, t.NamedType)
	}
	return w.namedType(f, t.NamedType)
}

func (w *writer) namedType(f *ast.Field, name string) string {
	switch {
	case scalars[name] != "":
		return scalars[name]
	case w.schema.Types[name].Kind == ast.Enum:
		return "string"
	case modelTypes[name] != "":
		return modelTypes[name]
	}
	if spread, ok := f.SelectionSet[0].(*ast.FragmentSpread); ok && len(f.SelectionSet) == 1 {
		return spread.Name
	}
	return w.structOf(f.SelectionSet)
}

type fields struct {
	w     *writer
	code  strings.Builder
	types map[string]string // by the key in the response
}

// add adds the fields of a selection set. It embeds fragments. An inline fragment selects fields of one of several
// types: they become optional fields of the struct.
func (s *fields) add(set ast.SelectionSet, optional bool) {
	for _, selection := range set {
		switch selection := selection.(type) {
		case *ast.Field:
			s.addField(selection, optional)
		case *ast.InlineFragment:
			s.add(selection.SelectionSet, true)
		case *ast.FragmentSpread:
			fmt.Fprintln(&s.code, selection.Name)
			s.claim(selection.Definition.SelectionSet)
		}
	}
}

func (s *fields) addField(f *ast.Field, optional bool) {
	optional = optional || f.Directives.ForName("include") != nil || f.Directives.ForName("skip") != nil
	t := s.w.typeOf(f, f.Definition.Type, optional)
	if s.types[f.Alias] == t && optional { // another type has the same field
		return
	}
	s.claimKey(f, t)
	fmt.Fprintf(&s.code, "%s %s `json:%q`\n", templates.ToGo(f.Alias), t, f.Alias)
}

// claim claims the keys of an embedded fragment: encoding/json ignores a key shared by two embedded structs.
func (s *fields) claim(set ast.SelectionSet) {
	for _, selection := range set {
		switch selection := selection.(type) {
		case *ast.Field:
			s.claimKey(selection, "")
		case *ast.InlineFragment:
			s.claim(selection.SelectionSet)
		case *ast.FragmentSpread:
			s.claim(selection.Definition.SelectionSet)
		}
	}
}

func (s *fields) claimKey(f *ast.Field, t string) {
	if _, taken := s.types[f.Alias]; taken {
		s.w.errs = append(s.w.errs, fmt.Errorf("%s:%d: %s is selected twice", f.Position.Src.Name, f.Position.Line, f.Alias))
	}
	s.types[f.Alias] = t
}
