package mongo

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The ids of lookups are in the order of their values, a prefix of a value is one of the id, and no value's ids are in
// the range of another one, whatever characters it has.
func TestLookupText(t *testing.T) {
	texts := rapid.StringOfN(rapid.RuneFrom([]rune("\x00\x01\t\n\v\r /aAß~\U0010ffff")), 0, 5, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b := texts.Draw(t, "a"), texts.Draw(t, "b")
		if got, want := strings.Compare(lookupText(a), lookupText(b)), strings.Compare(a, b); got != want {
			t.Errorf("%q and %q are in the order %d, want %d", a, b, got, want)
		}
		if strings.HasPrefix(lookupText(a), lookupText(b)) != strings.HasPrefix(a, b) {
			t.Errorf("%q and %q: one is a prefix only with or without escapes", a, b)
		}
		id := lookupParty.prefix(a) + "uuid"
		begin := lookupParty.prefix(b)
		if within := id >= begin && id < prefixEnd(begin); within != (a == b) {
			t.Errorf("the id of %q is in the range of %q: %t", a, b, within)
		}
	})
}

// A long value is cut off between two characters, in the same way for the reader and for the writer.
func TestLongLookupText(t *testing.T) {
	long := strings.Repeat("ß", 200)
	if got := lookupText("a" + long); got != "a"+long[:126] {
		t.Errorf("got %d bytes: %q", len(got), got)
	}
	if got := lookupText(long); got != long[:128] {
		t.Errorf("got %d bytes: %q", len(got), got)
	}
}

// The ids of a player are in the order of the kinds.
func TestLookupIDs(t *testing.T) {
	ids := lookupValues{"p", "P", "g", "y", "a"}.ids("u")
	if !slices.Equal(ids, []string{"name\tp\tP\tu", "guild\tg\tu", "party\ty\tu", "address\ta\tu"}) {
		t.Errorf("got %q", ids)
	}
}
