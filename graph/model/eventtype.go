package model

import (
	"io"
	"slices"
)

// MarshalGQL writes the type as a value of the schema's enum EventType: playerCameOnline is PLAYER_CAME_ONLINE.
func (t EventType) MarshalGQL(w io.Writer) {
	k, _ := t.Kind()
	_, _ = io.WriteString(w, `"`+k.Value+`"`)
}

// UnmarshalGQL reads a value of the enum. Types of internal events are none.
func (t *EventType) UnmarshalGQL(v any) error {
	i := slices.IndexFunc(EventKinds, func(k EventKind) bool { return !k.Internal && k.Value == v })
	if i < 0 {
		return InvalidValue("The value must be one of the enum EventType.")
	}
	*t = EventKinds[i].Type
	return nil
}
