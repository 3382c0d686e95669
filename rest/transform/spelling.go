package transform

import (
	"slices"
	"strings"
)

// Spelling names a spelling of enum values, as defined in directives.graphqls; "" keeps the schema's spelling.
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

// spell returns the spelling of a value. Recorded data contains spelled values already; spell returns them unchanged.
func (f *field) spell(value []byte) []byte {
	if text, ok := f.spellings[string(value)]; ok {
		return []byte(text)
	}
	return value
}

// spelledValues returns the spelled values of the field's enum, sorted.
func (f *field) spelledValues() (out []string) {
	for _, v := range f.enum.EnumValues {
		out = append(out, string(f.spell([]byte(v.Name))))
	}
	slices.Sort(out)
	return out
}

// entryKeys returns the keys of a map whose entries the field names: the values of its enum in schema order. It returns
// nil without an enum, or if one of its values stands for other texts too.
func (f *field) entryKeys() (out []string) {
	if f.enum == nil || f.enum.EnumValues.ForName("OTHER") != nil {
		return nil
	}
	for _, v := range f.enum.EnumValues {
		out = append(out, string(f.spell([]byte(v.Name))))
	}
	return out
}

// hasSpelling reports whether a text is the spelling of a value. An enum without OTHER has no value for other texts, so
// a record with such a text could not be read.
func (f *field) hasSpelling(text string) bool {
	return f.enum == nil || f.enum.EnumValues.ForName("OTHER") != nil || slices.Contains(f.spelledValues(), text)
}
