package main

import (
	"fmt"
	"go/ast"
	"reflect"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/codegen/templates"
)

// event is a struct of graph/model that embeds EventHead first.
type event struct {
	name   string
	fields []*ast.Field
	tag    reflect.StructTag // of EventHead
}

func findEvents(types modelTypes) []event {
	var out []event
	for _, spec := range types {
		declared, ok := spec.Type.(*ast.StructType)
		if !ok || len(declared.Fields.List) == 0 {
			continue
		}
		head, fields := declared.Fields.List[0], declared.Fields.List[1:]
		if name, ok := head.Type.(*ast.Ident); !ok || name.Name != "EventHead" || head.Names != nil {
			continue
		}
		e := event{name: spec.Name.Name, fields: fields}
		if head.Tag != nil {
			e.tag = reflect.StructTag(strings.Trim(head.Tag.Value, "`"))
		}
		out = append(out, e)
	}
	return out
}

// retention returns an expression for how long events are stored.
func (e event) retention() string {
	if name := e.tag.Get("retention"); name != "" {
		return name + "Retention"
	}
	return "EventRetention"
}

// internal reports whether the event is never delivered and has no type in the schema.
func (e event) internal() bool { return e.tag.Get("internal") == "true" }

// players returns an expression for the players named by a delivered event, or "" if it names none.
func (e event) players() string {
	switch {
	case e.internal():
		return ""
	case e.has("Player"):
		return "[]string{e.Player}"
	case e.has("Players"):
		return "e.Players"
	}
	return ""
}

// subjects returns statements that add the names in fields with the tag about.
func (e event) subjects() string {
	var out strings.Builder
	for _, f := range e.fields {
		if f.Tag == nil {
			continue
		}
		if about := reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("about"); about != "" {
			fmt.Fprintf(&out, "addNames(&s.%s, e.%s)\n", about, f.Names[0].Name)
		}
	}
	return out.String()
}

func (e event) has(field string) bool {
	return slices.ContainsFunc(e.fields, func(f *ast.Field) bool { return len(f.Names) == 1 && f.Names[0].Name == field })
}

// writeEvents writes the types of events, their table and the methods of their structs.
func writeEvents(f *goFile, s *schema, types modelTypes) error {
	events := findEvents(types)
	f.add("// The types of events, as stored.\nconst (")
	for _, e := range events {
		f.add("Event%s EventType = %q", e.name, templates.LcFirst(e.name))
	}
	f.add(")\n\n// EventKinds is the table of all types of events.\nvar EventKinds = []EventKind{")
	for _, e := range events {
		f.add("{Event%s, %q, func() EventData { return new(%s) }, %s, %t},",
			e.name, enumValue(e.name), e.name, e.retention(), e.internal())
	}
	f.add("}\n")
	for _, e := range events {
		if (s.Types[e.name] == nil) != e.internal() {
			return fmt.Errorf("the event %s must be either internal or a type of the schema", e.name)
		}
		f.add("func (*%s) eventType() EventType { return Event%s }\n", e.name, e.name)
		if players := e.players(); players != "" {
			f.add("func (e *%s) players() []string { return %s }\n", e.name, players)
		}
		if subjects := e.subjects(); subjects != "" {
			f.add("func (e *%s) addSubjects(s *EventSubjects) {\n%s}\n", e.name, subjects)
		}
	}
	return nil
}
