package resolvers

import (
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

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
