package graph

import (
	"slices"
	"strings"
	"sync"
)

// SDL returns the text of the schema, in reading order. The sections of the source extend types; here each type is
// whole, because some tools take extensions for fields that only the client has.
var SDL = sync.OnceValue(func() string { return mergeExtensions(sources[0].Input) })

// mergeExtensions moves fields and directives of `extend type` into the types. It relies on how the schema is written:
// a type begins with a line of its own and ends with one, `}`.
func mergeExtensions(text string) string {
	lines := strings.Split(text, "\n")
	fields, directives := map[string][]string{}, map[string]string{} // by the name of the type
	rest := lines[:0:0]
	for i := 0; i < len(lines); i++ {
		extension, ok := strings.CutPrefix(lines[i], "extend type ")
		if !ok {
			rest = append(rest, lines[i])
			continue
		}
		name, more, _ := strings.Cut(extension, " ")
		if more != "{" {
			directives[name] += " " + more
			continue
		}
		end := i + slices.Index(lines[i:], "}")
		fields[name] = append(append(fields[name], ""), lines[i+1:end]...)
		if i = end; i+1 < len(lines) && lines[i+1] == "" {
			i++ // one empty line was before the extension, one is after it
		}
	}
	var out []string
	open := "" // the type whose fields are being written
	for _, line := range rest {
		if head, ok := strings.CutPrefix(line, "type "); ok && strings.HasSuffix(line, " {") {
			open, _, _ = strings.Cut(head, " ")
			line = strings.TrimSuffix(line, " {") + directives[open] + " {"
		}
		if line == "}" {
			out = append(out, fields[open]...)
			open = ""
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}
