package model

import (
	"strings"
	"testing"
)

func TestEnumValues(t *testing.T) {
	e := &Enum{Values: []string{"SUPER_SLOW", "FAST", "OTHER"}, byText: map[string]string{}}
	for _, v := range e.Values {
		e.byText[plainText(v)] = v
	}
	for text, want := range map[string]string{
		"superSlow": "SUPER_SLOW", "super slow": "SUPER_SLOW", "super_slow": "SUPER_SLOW", "SUPER_SLOW": "SUPER_SLOW",
		"FAST": "FAST", "faster": "OTHER", "": "OTHER",
	} {
		if got := e.Value(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
	delete(e.byText, "other")
	var b strings.Builder
	e.Marshal("faster").MarshalGQL(&b)
	if b.String() != "null" {
		t.Errorf("an unknown text of a closed set is %s", b.String())
	}
	for _, v := range []any{"superSlow", "SLOW", "", 1, nil} {
		if _, err := e.Unmarshal(v); err == nil {
			t.Errorf("%v is accepted", v)
		}
	}
}

func TestGlobalIDs(t *testing.T) {
	typ, key, ok := ParseGlobalID(GlobalID("Item", "a:b"))
	if typ != "Item" || key != "a:b" || !ok {
		t.Errorf("got %q %q %v", typ, key, ok)
	}
	for _, id := range []string{"", "x", "ä", EncodeCursor("Item"), EncodeCursor("Item:"), EncodeCursor(":a")} {
		if _, _, ok := ParseGlobalID(id); ok {
			t.Errorf("%q is an id", id)
		}
	}
}
