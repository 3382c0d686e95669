package resolvers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
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
		if d := gocmp.Diff(want, strings.Join(got, ", ")); d != "" {
			t.Errorf("%s: %s", text, d)
		}
	}
}

// All guilds found by name come first, then those found by tag alone in the order of their tags, as many as fit.
func TestGuildsShareACap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const most = 5
		var named, tagged []*model.Guild
		matches := 0
		for n := range rapid.IntRange(0, 12).Draw(t, "guilds") {
			g := &model.Guild{UUID: fmt.Sprint(n)}
			byName, byTag := rapid.Bool().Draw(t, "name"), rapid.Bool().Draw(t, "tag")
			byName = byName && len(named) < most
			if byName {
				named = append(named, g)
			}
			if byTag && len(tagged) < most {
				tagged = append(tagged, g)
			}
			if byName || byTag {
				matches++
			}
		}
		out := namedFirst(named, tagged, most)
		if len(out) != min(matches, most) {
			t.Fatalf("%d guilds, want %d", len(out), min(matches, most))
		}
		rest := out[len(named):]
		if !slices.Equal(named, out[:len(named)]) ||
			!slices.IsSortedFunc(rest, func(a, b *model.Guild) int {
				return cmp.Compare(slices.Index(tagged, a), slices.Index(tagged, b))
			}) {
			t.Fatalf("%v by name, %v by tag make %v", named, tagged, out)
		}
	})
}
