package resolvers

import (
	"testing"

	"gamedata/graph/model"
)

func TestPrefixes(t *testing.T) {
	for prefix, want := range map[string]bool{
		"M": true, "MOSS": true, "m0s5": true, "0000": true, "": false,
		"MOSSY": false, "MO S": false, "MÖS": false,
		"M.*": false, "MO\x00": false, "ＭＯ": false, "@[`{": false,
	} {
		if got := isPrefix(prefix); got != want {
			t.Errorf("%q can be a tag: %v", prefix, got)
		}
	}
}

// Guilds with exactly the prefix win; otherwise case is ignored.
func TestTagged(t *testing.T) {
	one, two, three := &model.Guild{UUID: "1", Prefix: "KETL"}, &model.Guild{UUID: "2", Prefix: "Ketl"},
		&model.Guild{UUID: "3", Prefix: "Ketl"}
	for _, c := range []struct {
		all    []*model.Guild
		prefix string
		want   string
	}{
		{nil, "KETL", ""},
		{[]*model.Guild{one}, "ketl", "1"},
		{[]*model.Guild{one, two}, "Ketl", "2"},
		{[]*model.Guild{one, two}, "ketl", "12"},
		{[]*model.Guild{one, two, three}, "Ketl", "23"},
		{[]*model.Guild{one, two, three}, "KETL", "1"},
	} {
		got := ""
		for _, g := range tagged(c.all, c.prefix) {
			got += g.UUID
		}
		if got != c.want {
			t.Errorf("%s among %d: %s, want %s", c.prefix, len(c.all), got, c.want)
		}
	}
}
