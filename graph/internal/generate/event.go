package main

import (
	"fmt"
	"go/ast"
	"reflect"
	"slices"
	"strings"
)

// event is a struct of graph/model that embeds EventHead, with what its fields declare.
type event struct {
	name string
	// retention is the Go expression of the default retention.
	retention string
	internal  bool
	// players is a Go expression of the uuids in the fields Player and Players; empty without them.
	players string
}

// writeEvents writes the types of events, their table and the methods of their structs.
func writeEvents(f *goFile, s *schema, types modelTypes) error {
	events, err := findEvents(types)
	if err != nil {
		return err
	}
	if err := checkEvents(events, s.objectsOf("Event")); err != nil {
		return err
	}
	f.add("// The types of events, as stored.\nconst (")
	for _, e := range events {
		f.add("Event%s EventType = %q", e.name, lowerFirst(e.name))
	}
	f.add(")\n\n// EventKinds is the table of all types of events.\nvar EventKinds = []EventKind{")
	for _, e := range events {
		f.add("{Type: Event%s, New: func() EventData { return new(%s) }, Retention: %s, Internal: %t},",
			e.name, e.name, e.retention, e.internal)
	}
	f.add("}\n")
	for _, e := range events {
		f.add("func (*%s) eventType() EventType { return Event%s }\n", e.name, e.name)
		if e.players != "" && !e.internal {
			f.add("func (e *%s) players() []string { return %s }\n", e.name, e.players)
		}
	}
	for _, name := range []string{"PresenceEvent", "GuildEvent"} {
		for _, object := range s.objectsOf(name) {
			f.add("func (*%s) is%s() {}\n", object, name)
		}
	}
	return nil
}

// findEvents returns the events in the order of their structs.
func findEvents(types modelTypes) ([]*event, error) {
	var out []*event
	for _, spec := range types {
		declared, ok := spec.Type.(*ast.StructType)
		if !ok || len(declared.Fields.List) == 0 || !isEventHead(declared.Fields.List[0]) {
			continue
		}
		e, err := newEvent(spec.Name.Name, declared.Fields.List)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// newEvent returns the event of a struct, of which EventHead is the first field.
func newEvent(name string, fields []*ast.Field) (*event, error) {
	e := &event{name: name, retention: "EventRetention"}
	for _, option := range strings.Split(structTag(fields[0]).Get("event"), ",") {
		key, value, _ := strings.Cut(option, "=")
		switch key {
		case "":
		case "internal":
			e.internal = true
		case "retention":
			e.retention = value + "Retention"
		default:
			return nil, fmt.Errorf("%s: unknown option %q in the tag of EventHead", name, option)
		}
	}
	for _, field := range fields[1:] {
		switch field.Names[0].Name {
		case "Player":
			e.players = "[]string{e.Player}"
		case "Players":
			e.players = "e.Players"
		}
	}
	return e, nil
}

func isEventHead(field *ast.Field) bool {
	name, ok := field.Type.(*ast.Ident)
	return ok && name.Name == "EventHead" && len(field.Names) == 0
}

// structTag returns the tag of a field, empty without one.
func structTag(field *ast.Field) reflect.StructTag {
	if field.Tag == nil {
		return ""
	}
	return reflect.StructTag(strings.Trim(field.Tag.Value, "`"))
}

// checkEvents compares the events that are delivered with the objects of the schema's interface Event.
func checkEvents(events []*event, objects []string) error {
	var delivered []string
	for _, e := range events {
		if !e.internal {
			delivered = append(delivered, e.name)
		}
	}
	if !slices.Equal(delivered, objects) {
		return fmt.Errorf("the events in graph/model are %q, in the schema %q", delivered, objects)
	}
	return nil
}
