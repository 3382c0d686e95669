package openapi

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// components maps names to the schemas of the document. A type has one name for each form it takes in bodies.
type components map[string]component

type component struct {
	schema object
	text   string
}

// add names a schema and returns a reference to it. It uses the name under which the schema is known, or else the first
// free name.
func (c components) add(schema object, names ...string) object {
	text := Marshal(schema)
	for name, have := range c {
		if have.text == string(text) && strings.HasPrefix(name, names[0]) {
			return ref("schemas", name)
		}
	}
	last := names[len(names)-1]
	for i := 2; i < 10; i++ {
		names = append(names, last+strconv.Itoa(i))
	}
	free := names[slices.IndexFunc(names, func(name string) bool { return c[name].schema == nil })]
	c[free] = component{schema, string(text)}
	return ref("schemas", free)
}

func (c components) all() object {
	var out object
	for _, name := range slices.Sorted(maps.Keys(c)) {
		out = append(out, member{name, c[name].schema})
	}
	return out
}

func ref(kind, name string) object {
	return object{{"$ref", "#/components/" + kind + "/" + name}}
}
