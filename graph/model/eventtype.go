package model

import (
	"io"
	"slices"
	"strings"
	"unicode"
)

// MarshalGQL writes the type as the schema's enum EventType names it: playerCameOnline is PLAYER_CAME_ONLINE.
func (t EventType) MarshalGQL(w io.Writer) { _, _ = io.WriteString(w, `"`+t.enumValue()+`"`) }

// UnmarshalGQL reads a value of the enum. Types of internal events are none.
func (t *EventType) UnmarshalGQL(v any) error {
	i := slices.IndexFunc(EventKinds, func(k EventKind) bool { return !k.Internal && k.Type.enumValue() == v })
	if i < 0 {
		return InvalidValue("The value must be one of the enum EventType.")
	}
	*t = EventKinds[i].Type
	return nil
}

func (t EventType) enumValue() string {
	var out strings.Builder
	for _, letter := range string(t) {
		if unicode.IsUpper(letter) {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToUpper(letter))
	}
	return out.String()
}
