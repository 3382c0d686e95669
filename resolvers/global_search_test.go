package resolvers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gamedata/graph/model"
	"gamedata/mongo"
)

func TestContaining(t *testing.T) {
	type place struct{ name string }
	var list []*place
	var names []string
	for _, n := range []string{"Amoss", "Moss", "Moss Hollow", "Old Moss", "Peat"} {
		list, names = append(list, &place{n}), append(names, mongo.Fold(n))
	}
	for text, want := range map[string]string{
		"moss": "Moss, Amoss, Moss Hollow, Old Moss", "eat": "Peat", "x": "",
		"old moss": "Old Moss", ".": "",
	} {
		var got []string
		for _, p := range containing(list, names, text) {
			got = append(got, p.name)
		}
		if d := cmp.Diff(want, strings.Join(got, ", ")); d != "" {
			t.Errorf("%s: %s", text, d)
		}
	}
}

// The cap on any guilds: at most so many different ones, all those found
// by name, of the others as many as fit in the order of their tags.
func TestGuildsShareACap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const most = 5
		var named, tagged []*model.Guild
		matches := 0
		for n := range rapid.IntRange(0, 12).Draw(t, "guilds") {
			g := &model.Guild{UUID: fmt.Sprint(n), Name: fmt.Sprintf("N%02d", n), Prefix: fmt.Sprintf("%02d", n)}
			byName, byTag := rapid.Bool().Draw(t, "name"), rapid.Bool().Draw(t, "tag")
			if byTag {
				g.Prefix = "m" + g.Prefix
			}
			if byName && len(named) < most {
				named = append(named, g)
			}
			if byTag {
				matches++
				if len(tagged) < most {
					tagged = append(tagged, g)
				}
			}
		}
		out := taggedBeside(named, tagged, "m", most)
		all, last := map[string]bool{}, ""
		for _, g := range named {
			all[g.UUID] = true
		}
		both := 0
		for _, g := range out {
			if all[g.UUID] {
				both++
			}
			all[g.UUID] = true
			if g.Prefix < last {
				t.Fatalf("%s comes after %s", g.Prefix, last)
			}
			last = g.Prefix
		}
		if len(all) > most {
			t.Fatalf("%d guilds, at most %d may be", len(all), most)
		}
		if want := min(matches, most-len(named)+both); len(out) != want {
			t.Fatalf("%d by tag, want %d", len(out), want)
		}
	})
}
