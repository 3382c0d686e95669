package transform

import "strings"

// Spelling is how the values of an enum are written, as directives.graphqls defines it; empty for the schema's.
type Spelling string

// The spellings.
const (
	Lower  Spelling = "LOWER"
	Words  Spelling = "WORDS"
	Camel  Spelling = "CAMEL"
	Joined Spelling = "JOINED"
)

// Of returns the spelling of an enum's value.
func (s Spelling) Of(value string) string {
	if s == "" {
		return value
	}
	value = strings.ToLower(value)
	switch s {
	case Words:
		return strings.ReplaceAll(value, "_", " ")
	case Joined:
		return strings.ReplaceAll(value, "_", "")
	case Camel:
		words := strings.Split(value, "_")
		for i, w := range words[1:] {
			if w != "" {
				words[i+1] = strings.ToUpper(w[:1]) + w[1:]
			}
		}
		return strings.Join(words, "")
	}
	return value
}
