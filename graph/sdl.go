package graph

import (
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
