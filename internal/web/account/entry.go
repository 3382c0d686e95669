package account

import (
	"net/url"
	"slices"
	"strings"
)

// entry is what the fields of a form contain: what the user sent, if it changed nothing, or what is stored.
type entry struct {
	Sent   url.Values // nil for what is stored
	faults map[string]string
}

// fault is why the value of a field was not accepted.
type fault struct{ Field, Text string }

// Entry returns the entry of the form of a path, for the object with an id, empty for a new one.
func (p page) Entry(path, id string) entry {
	if p.sentTo != path || p.sent.Get("id") != id {
		return entry{}
	}
	return entry{p.sent, p.faults}
}

// Text is the text of a field.
func (e entry) Text(field, stored string) string {
	if e.Sent == nil {
		return stored
	}
	return e.Sent.Get(field)
}

// Has reports whether a value of a field is chosen.
func (e entry) Has(field, value string, stored bool) bool {
	if e.Sent == nil {
		return stored
	}
	return slices.Contains(e.Sent[field], value)
}

// Fault is why a field is wrong, nil if it is not.
func (e entry) Fault(field string) *fault {
	if text := e.faults[field]; text != "" {
		return &fault{field, strings.TrimSpace(text)}
	}
	return nil
}
