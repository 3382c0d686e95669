package account

import (
	"net/url"
	"slices"
	"strings"
)

// entry holds the values of a form's fields: the rejected ones that the user sent, or the stored ones.
type entry struct {
	Sent   url.Values // nil for stored values
	faults map[string]string
}

// fault is the reason for rejecting the value of a field.
type fault struct{ Field, Text string }

// Entry returns the entry of the form of a path, for the object with an id, empty for a new one.
func (p page) Entry(path, id string) entry {
	if p.sentTo != path || p.sent.Get("id") != id {
		return entry{}
	}
	return entry{p.sent, p.faults}
}

// Text returns the text of a field.
func (e entry) Text(field, stored string) string {
	if e.Sent == nil {
		return stored
	}
	return e.Sent.Get(field)
}

// Has reports whether a field has a value selected.
func (e entry) Has(field, value string, stored bool) bool {
	if e.Sent == nil {
		return stored
	}
	return slices.Contains(e.Sent[field], value)
}

// Fault returns the fault of a field, or nil.
func (e entry) Fault(field string) *fault {
	if text := e.faults[field]; text != "" {
		return &fault{field, strings.TrimSpace(text)}
	}
	return nil
}
