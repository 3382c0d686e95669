package resolvers

import (
	"testing"
	"time"

	"gamedata/graph/model"
)

func TestPrefixes(t *testing.T) {
	for prefix, want := range map[string]bool{"M": true, "MOSS": true, "m0s5": true, "0000": true, "": false, "MOSSY": false, "MO S": false, "MÖS": false,
		"M.*": false, "MO\x00": false, "ＭＯ": false, "@[`{": false} {
		if got := isPrefix(prefix); got != want {
			t.Errorf("%q can be a tag: %v", prefix, got)
		}
	}
}

// A tag written exactly so wins; else case is ignored (WIRE §2.3).
func TestTagged(t *testing.T) {
	one, two, three := &model.Guild{UUID: "1", Prefix: "KETL"}, &model.Guild{UUID: "2", Prefix: "Ketl"}, &model.Guild{UUID: "3", Prefix: "Ketl"}
	for _, c := range []struct {
		all    []*model.Guild
		prefix string
		want   string
	}{
		{nil, "KETL", ""}, {[]*model.Guild{one}, "ketl", "1"}, {[]*model.Guild{one, two}, "Ketl", "2"}, {[]*model.Guild{one, two}, "ketl", "12"},
		{[]*model.Guild{one, two, three}, "Ketl", "23"}, {[]*model.Guild{one, two, three}, "KETL", "1"},
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

func TestSeasonsShown(t *testing.T) {
	now := time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		enabled bool
		begins  time.Duration
		want    bool
	}{{true, -time.Second, true}, {true, 0, false}, {true, time.Second, false}, {false, -time.Hour, false}} {
		if got := isShown(&model.GuildSeason{Enabled: c.enabled, InitDate: now.Add(c.begins)}, now); got != c.want {
			t.Errorf("enabled %v, begins in %v: shown %v", c.enabled, c.begins, got)
		}
	}
}
