package resolvers_test

import "testing"

// An empty page says truly whether entries follow, or come before it, on every kind of list.
func TestEmptyPages(t *testing.T) {
	t.Parallel()
	w := newRankedWorld(t, 60)
	type info struct{ HasNextPage, HasPreviousPage bool }
	for field, end := range map[string]string{
		"players": "", "guilds": "", "items": "", "territories": "", "recipes": "", `players:players(filter:{online:true},`: "",
		`leaderboard(by:{type:"warsCompletion"}){list:entries`:                                  "}",
		`leaderboard(by:{type:"guildLevel"}){list:entries`:                                      "}",
		`leaderboard(by:{type:"combatSoloLevel"}){list:entries(filter:{classes:[MAGE,ARCHER]},`: "}",
	} {
		if field[len(field)-1] != ',' {
			field += "("
		}
		for argument, want := range map[string]info{"first": {true, false}, "last": {false, true}} {
			var data map[string]struct {
				PageInfo *info
				List     struct{ PageInfo info }
			}
			w.ask(t, "{"+field+argument+":0){nodes{__typename} pageInfo{hasNextPage hasPreviousPage}}"+end+"}", nil, &data)
			for _, list := range data {
				got := list.List.PageInfo
				if list.PageInfo != nil {
					got = *list.PageInfo
				}
				if got != want {
					t.Errorf("%s%s: 0): got %+v", field, argument, got)
				}
			}
		}
	}
}

// A player has one previous position on a board that lists several of their characters: that of the best one.
func TestPreviousPositionOfTheBestCharacter(t *testing.T) {
	t.Parallel()
	w := newRankedWorld(t, 700)
	seen, several := map[string]int{}, 0
	for _, e := range w.board(t, "hardcoreContent", 1000, nil).Entries.Nodes {
		if e.UUID == nil {
			continue
		}
		n := seen[*e.UUID]
		seen[*e.UUID]++
		if n > 0 {
			several++
		}
		if n > 0 && e.Previous != nil {
			t.Errorf("entry %d of %s has the previous position %d", n+1, *e.UUID, *e.Previous)
		}
	}
	if several == 0 {
		t.Error("no player has several entries")
	}
}
