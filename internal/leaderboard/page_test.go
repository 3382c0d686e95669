package leaderboard_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gamedata/internal/leaderboard"
)

type entry struct {
	meta            int64
	uuid, character string
}

func drawEntry(t *rapid.T, label string) entry {
	f := entry{meta: rapid.Int64Range(1, 5).Draw(t, label), uuid: id(rapid.ByteRange(0, 3).Draw(t, "uuid"))}
	if rapid.Bool().Draw(t, "has character") {
		f.character = id(rapid.ByteRange(1, 3).Draw(t, "character"))
	}
	return f
}

func (f entry) key(t *rapid.T) leaderboard.Key {
	k, ok := leaderboard.NewKey(f.meta, f.uuid, f.character)
	if !ok {
		t.Fatalf("NewKey rejects %+v", f)
	}
	return k
}

// Keys sort in the order of the board and return their parts.
func TestKeyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawEntry(t, "a"), drawEntry(t, "b")
		a.meta *= rapid.Int64Range(1, 1<<60).Draw(t, "far")
		want := cmp.Or(cmp.Compare(b.meta, a.meta), strings.Compare(a.uuid, b.uuid), strings.Compare(a.character,
			b.character))
		if got := a.key(t).Compare(b.key(t)); got != want {
			t.Errorf("compare %+v and %+v: got %d, want %d", a, b, got, want)
		}
		if k := a.key(t); k.MetaScore() != a.meta || k.UUID() != a.uuid || k.Character() != a.character {
			t.Errorf("%+v: got %d %s %s", a, k.MetaScore(), k.UUID(), k.Character())
		}
	})
	for _, bad := range []string{
		"", "x", strings.ToUpper("abcdefab-0000-4000-8000-000000000001"),
		"000000000000-4000-8000-00000000000001", id(1) + "0",
	} {
		if _, ok := leaderboard.NewKey(1, bad, ""); ok {
			t.Errorf("%q is accepted as a uuid", bad)
		}
		if _, ok := leaderboard.NewKey(1, id(1), bad); ok && bad != "" {
			t.Errorf("%q is accepted as a character", bad)
		}
	}
}

// Apply removes and adds entries in order and is idempotent.
func TestApply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) []leaderboard.Key {
			var out []leaderboard.Key
			for range rapid.IntRange(0, 8).Draw(t, label) {
				out = append(out, drawEntry(t, label).key(t))
			}
			slices.SortFunc(out, leaderboard.Key.Compare)
			return slices.Compact(out)
		}
		before, drop, want := draw("page"), draw("drop"), draw("want")
		var page leaderboard.Page
		for _, k := range before {
			page = page.Append(k)
		}
		expected := slices.DeleteFunc(slices.Clone(before), func(k leaderboard.Key) bool { return slices.Contains(drop, k) })
		expected = append(expected, want...)
		slices.SortFunc(expected, leaderboard.Key.Compare)
		expected = slices.Compact(expected)
		got, _ := page.Apply(drop, want)
		if keys := keysOf(got); !slices.Equal(keys, expected) {
			t.Fatalf("page of %d entries: got %d, want %d", len(before), len(keys), len(expected))
		}
		if _, changed := got.Apply(drop, want); changed {
			t.Error("Apply again changes the page")
		}
	})
}

func keysOf(pages ...leaderboard.Page) []leaderboard.Key {
	var out []leaderboard.Key
	for _, p := range pages {
		for i := range p.Len() {
			out = append(out, p.At(i))
		}
	}
	return out
}

func TestSplit(t *testing.T) {
	for _, n := range []int{
		0, 1, leaderboard.PageSize, 2 * leaderboard.PageSize, 2*leaderboard.PageSize + 1,
		7*leaderboard.PageSize - 3,
	} {
		var page leaderboard.Page
		for i := range n {
			page = page.Append(leaderboard.PackKey(int64(n-i), [16]byte{}, [16]byte{}))
		}
		parts := page.Split()
		if !slices.Equal(keysOf(parts...), keysOf(page)) {
			t.Errorf("%d entries: Split changes them", n)
		}
		for _, p := range parts {
			if p.Len() == 0 || p.Len() > 2*leaderboard.PageSize {
				t.Errorf("%d entries: got a part of %d", n, p.Len())
			}
		}
	}
	if _, err := leaderboard.ParsePage(make([]byte, leaderboard.KeySize+1)); err == nil {
		t.Error("ParsePage accepts half an entry")
	}
}

func TestStanding(t *testing.T) {
	places, ok := leaderboard.Places(id(1), []leaderboard.Entry{
		{Board: &leaderboard.Board{Name: "miningLevel"}, MetaScore: 7, Character: id(2)},
		{Board: &leaderboard.Board{Name: "warsCompletion"}, MetaScore: 1 << 50},
	})
	if !ok {
		t.Fatal("Places rejects the entries")
	}
	packed := leaderboard.PackStanding(places)
	got, err := packed.Places(id(1))
	if err != nil || !slices.Equal(got, places) {
		t.Errorf("got %v, %v, want %v", got, err, places)
	}
	for n := 1; n < len(packed); n++ {
		if got, err := packed[:n].Places(id(1)); err == nil && len(got) == len(places) {
			t.Errorf("truncated after %d bytes: no error", n)
		}
	}
	if _, err := packed.Places("invalid"); err == nil {
		t.Error("Places accepts an invalid uuid")
	}
}
