package resolvers_test

import (
	"slices"
	"testing"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/demo/seed"
	"gamedata/mongo/mongotest"
)

// kindsOf returns the gamemodes of the characters of entries, by position.
func (w *world) kindsOf(t *testing.T, entries []shownEntry) map[int][]string {
	t.Helper()
	var uuids []string
	var places []int
	for _, e := range entries {
		if e.CharacterUUID != nil {
			uuids, places = append(uuids, *e.CharacterUUID), append(places, e.Position)
		}
	}
	characters := mongotest.Value(w.store.Characters.ByID(t.Context(), uuids))(t)
	modes := map[int][]string{}
	for i, c := range characters {
		for _, mode := range c.Gamemodes {
			modes[places[i]] = append(modes[places[i]], model.Enums["Gamemode"].Value(mode))
		}
	}
	return modes
}

// Filters by class and gamemode list the entries of players who show their characters, by pages in both directions,
// with the positions of the whole board.
func TestEntriesOfClassesAndGamemodes(t *testing.T) {
	t.Parallel()
	w := newRankedWorld(t, 700)
	for _, name := range []string{"combatSoloLevel", "hardcoreContent"} {
		whole := w.board(t, name, 1000, nil).Entries.Nodes
		modes := w.kindsOf(t, whole)
		for _, c := range []struct {
			filter map[string]any
			match  func(shownEntry) bool
		}{
			{map[string]any{"classes": []string{"MAGE"}}, func(e shownEntry) bool { return e.ClassKey == "MAGE" }},
			{
				map[string]any{"gamemodes": []string{"HUNTED", "CRAFTSMAN"}},
				func(e shownEntry) bool {
					return slices.Contains(modes[e.Position], "HUNTED") || slices.Contains(modes[e.Position], "CRAFTSMAN")
				},
			},
			{
				map[string]any{"classes": []string{"ARCHER", "SHAMAN"}, "gamemodes": []string{"HARDCORE"}},
				func(e shownEntry) bool {
					return (e.ClassKey == "ARCHER" || e.ClassKey == "SHAMAN") && slices.Contains(modes[e.Position], "HARDCORE")
				},
			},
			{map[string]any{"classes": []string{}}, func(shownEntry) bool { return false }},
		} {
			var want []int
			for _, e := range whole {
				if !e.Restricted && c.match(e) {
					want = append(want, e.Position)
				}
			}
			if len(want) < 3 && len(c.filter["classes"].([]string)) > 0 {
				t.Fatalf("%s %v: the demo world has only %v", name, c.filter, want)
			}
			if p := w.boardPage(t, name, map[string]any{"filter": c.filter}).Entries; p.TotalCount != nil {
				t.Errorf("%s %v: got %v in all", name, c.filter, *p.TotalCount)
			}
			for size, n := range map[string]int{"first": 7, "last": 5} {
				if got := w.walk(t, name, c.filter, size, n); !slices.Equal(got, want) {
					t.Errorf("%s %v, %s: got %v, want %v", name, c.filter, size, got, want)
				}
			}
		}
	}
	for _, board := range []string{"totalGlobalLevel", "guildTotalRaids", "guildLevel"} {
		query := `{leaderboard(by:{type:"` + board + `"}){entries(filter:{gamemodes:[HARDCORE]}){totalCount}}}`
		if err := refused(t, w.exec, query); err.Code != graph.InvalidQueryParams {
			t.Errorf("%s: got %s", board, err.Code)
		}
	}
}

// Owners do not find themselves by what they hide from others, and a filter by guild can be combined with one by class.
func TestSearchedEntriesAreShared(t *testing.T) {
	t.Parallel()
	w := newRankedWorld(t, 700)
	listless := member("Listless").UUID
	owner := viewer.Viewer{Kind: viewer.Session, Account: "a", Profiles: []string{listless}}
	var data struct{ Leaderboard shownBoard }
	read := func(filter map[string]any) []shownEntry {
		vars := map[string]any{"type": "combatSoloLevel", "first": 1000, "filter": filter}
		w.asViewer(t, owner, boardQuery, vars, &data)
		return data.Leaderboard.Entries.Nodes
	}
	own := slices.IndexFunc(read(nil), func(e shownEntry) bool { return e.UUID != nil && *e.UUID == listless })
	if own < 0 {
		t.Fatal("the owner does not see the entry")
	}
	class := data.Leaderboard.Entries.Nodes[own].ClassKey
	found := read(map[string]any{"classes": []string{class}})
	wrong := func(e shownEntry) bool { return e.UUID == nil || *e.UUID == listless }
	if len(found) == 0 || slices.ContainsFunc(found, wrong) {
		t.Errorf("class %s: got %d entries, and the owner's or restricted ones", class, len(found))
	}
	const moss = "5e0f9a7b-2c3d-4e1f-8a6b-9c0d1e2f3a4b"
	var want []int
	for _, e := range read(map[string]any{"guilds": []string{moss}}) {
		if e.ClassKey == "MAGE" && !hidesCharacters(*e.UUID) {
			want = append(want, e.Position)
		}
	}
	both := read(map[string]any{"guilds": []string{moss}, "classes": []string{"MAGE"}})
	total := *data.Leaderboard.Entries.TotalCount
	if got := positions(both); !slices.Equal(got, want) || len(want) == 0 || total != len(want) {
		t.Errorf("mages of a guild: got %v, want %v", got, want)
	}
}

// hidesCharacters reports whether a member of the cast hides characters from others.
func hidesCharacters(uuid string) bool {
	return slices.ContainsFunc(seed.Cast, func(m seed.Member) bool { return m.UUID == uuid && m.Username == "Listless" })
}
