package model

import "strings"

// GlobalID returns the opaque id of an object: its type and its key, which is unique among objects of the type.
func GlobalID(typ, key string) string { return EncodeCursor(typ + ":" + key) }

// ParseGlobalID returns the type and the key of an id; ok is false for what GlobalID did not return.
func ParseGlobalID(id string) (typ, key string, ok bool) {
	text, ok := DecodeCursor(id)
	if !ok {
		return "", "", false
	}
	typ, key, ok = strings.Cut(text, ":")
	return typ, key, ok && typ != "" && key != ""
}
