package main

import (
	"fmt"
	"go/ast"
	"reflect"
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
		fields := declared.Fields.List
		if head, ok := fields[0].Type.(*ast.Ident); ok && head.Name == "EventHead" && fields[0].Names == nil {
			tag := reflect.StructTag(strings.Trim(fields[0].Tag.Value, "`"))
			out = append(out, event{spec.Name.Name, fields[1:], tag})
		}
	}
	return out
}

// retention returns an expression of how long events are stored.
func (e event) retention() string {
	if name := e.tag.Get("retention"); name != "" {
		return name + "Retention"
	}
	return "EventRetention"
}

// internal reports whether events are not delivered, and no type of the schema.
func (e event) internal() bool { return e.tag.Get("internal") == "true" }

// players returns an expression of the players that a delivered event names, empty if it names none.
func (e event) players() string {
	for _, field := range e.fields {
		switch name := field.Names[0].Name; {
		case e.internal():
			return ""
		case name == "Player":
			return "[]string{e.Player}"
		case name == "Players":
			return "e.Players"
		}
	}
	return ""
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
	}
	return nil
}
