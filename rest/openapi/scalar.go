package openapi

import (
	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/rest/transform"
)

// Patterns of formatted strings.
const (
	uuidPattern     = `^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`
	dateTimePattern = `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{6})?Z$`
	offsetPattern   = `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{6})?[+]00:00$`
	integerPattern  = `^(0|-?[1-9][0-9]*)$`
	positionPattern = `^[1-9][0-9]*$`
)

// scalar returns the JSON Schema of a single non-null value.
func (d *describer) scalar(name string) object {
	switch name {
	case "Int":
		return object{{"type", "integer"}, {"format", "int32"}}
	case "Int64":
		return object{{"type", "integer"}, {"format", "int64"}}
	case "Float":
		return object{{"type", "number"}, {"format", "double"}}
	case "Boolean":
		return object{{"type", "boolean"}}
	case "UUID":
		return object{{"type", "string"}, {"format", "uuid"}, {"pattern", uuidPattern}}
	case "DateTime":
		return object{{"type", "string"}, {"format", "date-time"}, {"pattern", dateTimePattern}}
	}
	if def := d.schema.Types[name]; def != nil && def.Kind == ast.Enum {
		return d.spelled(name, "")
	}
	return object{{"type", "string"}}
}

// spelled returns the schema of an enum written in a spelling.
func (d *describer) spelled(enum string, spelling transform.Spelling) object {
	var values []string
	for _, v := range d.schema.Types[enum].EnumValues {
		values = append(values, spelling.Of(v.Name))
	}
	return object{{"type", "string"}, {"enum", values}}
}

// orNull extends a schema to accept null too.
func orNull(schema object) object {
	kind, plain := schema.Get("type").(string)
	_, listed := schema.Get("enum").([]string)
	if plain && !listed {
		return schema.with("type", []string{kind, "null"})
	}
	return anyOf(schema, object{{"type", "null"}})
}

// anyOf returns a schema that accepts what any of the schemas accepts, with duplicates removed.
func anyOf(schemas ...object) object {
	var different []object
	seen := map[string]bool{}
	for _, s := range schemas {
		text := Marshal(s)
		if !seen[string(text)] {
			different = append(different, s)
		}
		seen[string(text)] = true
	}
	if len(different) == 1 {
		return different[0]
	}
	return object{{"anyOf", different}}
}
