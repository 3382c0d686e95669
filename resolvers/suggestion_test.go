package resolvers_test

import (
	"encoding/json"
	"slices"
	"testing"
)

// A lookup of an unknown name is null without an error, and the response suggests similar names, of the field by its
// key in the response.
func TestUnknownNamesHaveSuggestions(t *testing.T) {
	w := newRankedWorld(t, 60)
	sets := struct {
		ItemSets struct{ Nodes []struct{ Name string } }
	}{}
	w.ask(t, `{itemSets(first:1){nodes{name}}}`, nil, &sets)
	set := sets.ItemSets.Nodes[0].Name
	for query, want := range map[string]string{
		`{leaderboard(type:"totalGlobalLevle"){entryCount}}`:               "totalGlobalLevel",
		`{a:leaderboard(type:"TOTALGLOBALLEVEL"){entryCount}}`:             "totalGlobalLevel",
		`{territory(by:{name:"Fernmor Keep"}){name}}`:                      "Fernmoor Keep",
		`{itemSet(by:{name:"` + set + `s"}){name}}`:                        set,
		`{onlinePlayers(filter:{server:"EU377"}){totalCount}}`:             "",
		`{items(filter:{identifications:[{key:"manaRegn"}]}){totalCount}}`: "manaRegen",
		`{leaderboard(type:"totalGlobalLevel"){entryCount}}`:               "",
		`{leaderboard(type:"quite another name"){entryCount}}`:             "",
	} {
		op, errs := w.exec.Parse(query, "")
		if errs != nil {
			t.Fatal(errs)
		}
		r := w.exec.Run(t.Context(), op, nil)
		text, err := json.Marshal(r.Extensions)
		if err != nil || len(r.Errors) > 0 {
			t.Fatal(err, r.Errors)
		}
		var extensions struct {
			Suggestions []struct {
				Path  []string
				Names []string
			}
		}
		if err := json.Unmarshal(text, &extensions); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, s := range extensions.Suggestions {
			if names = append(names, s.Names...); len(s.Path) != 1 || string(r.Data[2:2+len(s.Path[0])]) != s.Path[0] {
				t.Errorf("%s: got the path %v", query, s.Path)
			}
		}
		if want != "" && !slices.Contains(names, want) || want == "" && query[1] == 'l' && names != nil {
			t.Errorf("%s: got %q, want %q", query, names, want)
		}
	}
}
