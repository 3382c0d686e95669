// Package generated contains the executable schema that gqlgen generates, and its text.
package generated

import (
	"path"
	"strings"
	"sync"
)

// SDL returns the text of the schema, as in schema.graphqls.
var SDL = sync.OnceValue(func() string {
	texts := make([]string, len(sources))
	for i, section := range sources {
		texts[i] = section.Input
	}
	return strings.Join(texts, "\n")
})

// Sections returns the parts of SDL by name, such as players.
func Sections() map[string]string {
	out := make(map[string]string, len(sources))
	for _, s := range sources {
		out[strings.TrimSuffix(path.Base(s.Name), path.Ext(s.Name))] = s.Input
	}
	return out
}

// The parser declares @defer in every schema. Responses are always complete, so the schema does not advertise @defer
// and rejects documents that use it.
func init() { delete(parsedSchema.Directives, "defer") }
