package resolvers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/mongo/mongotest"
)

func guildsOfLists() []*model.Guild {
	at := func(day int) time.Time { return time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC) }
	return []*model.Guild{
		{UUID: mongotest.UUID(1), Name: "Alder", Prefix: "ALD", Level: 5, Wars: new(int64(7)), CreatedAt: at(3)},
		{UUID: mongotest.UUID(2), Name: "alder grove", Prefix: "ald", Level: 9, CreatedAt: at(1)},
		{UUID: mongotest.UUID(3), Name: "Birch", Prefix: "BIR", Level: 5, Wars: new(int64(0)), CreatedAt: at(2)},
		{UUID: mongotest.UUID(4), Name: "Cedar", Prefix: "CED", Level: 1, Wars: new(int64(7)), CreatedAt: at(3)},
	}
}

// Every filter and order of guilds lists the same guilds forward and backward, in pages of any size.
func TestGuildLists(t *testing.T) {
	t.Parallel()
	store, _ := mongotest.Open(t)
	mongotest.Must(t, store.Guilds.Insert(t.Context(), guildsOfLists()))
	var players []*model.Player
	for n, guild := range []int{1, 2, 2, 3} {
		uuid := mongotest.UUID(guild)
		players = append(players, &model.Player{
			UUID: mongotest.UUID(100 + n), Username: fmt.Sprint("P", n), Guild: &model.GuildReference{UUID: uuid},
		})
	}
	mongotest.Must(t, store.Players.Insert(t.Context(), players))
	var land []*model.Territory
	for n, guild := range []int{3, 1, 3} {
		land = append(land, &model.Territory{
			Name: fmt.Sprint("T", n), Treasury: "LOW", Defences: "LOW", Location: &model.Area{},
			Guild: &model.TerritoryGuild{UUID: new(mongotest.UUID(guild)), Name: new("G"), Prefix: new("G")},
		})
	}
	mongotest.Must(t, store.Territories.Put(t.Context(), land))
	exec := executorAt(t, store, time.Now)
	type page struct {
		Guilds struct {
			Nodes    []struct{ Name string }
			PageInfo struct {
				EndCursor, StartCursor       *string
				HasNextPage, HasPreviousPage bool
			}
			TotalCount int
		}
	}
	uuids := fmt.Sprintf("uuids:[%q,%q,%q,%q]", mongotest.UUID(1), mongotest.UUID(2), mongotest.UUID(4), mongotest.UUID(9))
	for arguments, want := range map[string]string{
		``:                            "Alder,Birch,Cedar,alder grove",
		`orderBy:{field:NAME}`:        "Alder,Birch,Cedar,alder grove",
		`filter:{namePrefix:"ALDER"}`: "Alder,alder grove",
		`filter:{prefix:"aLd"},orderBy:{field:NAME,direction:DESC}`:                  "alder grove,Alder",
		`filter:{namePrefix:"alder g",prefix:"ALD"}`:                                 "alder grove",
		`filter:{namePrefix:"alder",prefix:"BIR"}`:                                   "",
		`orderBy:{field:LEVEL}`:                                                      "Cedar,Birch,Alder,alder grove",
		`orderBy:{field:LEVEL,direction:DESC}`:                                       "alder grove,Alder,Birch,Cedar",
		`filter:{level:{min:5,max:8}}`:                                               "Alder,Birch",
		`orderBy:{field:WARS,direction:DESC}`:                                        "Alder,Cedar,Birch",
		`filter:{wars:{min:1}},orderBy:{field:WARS}`:                                 "Cedar,Alder",
		`orderBy:{field:CREATED_AT}`:                                                 "alder grove,Birch,Alder,Cedar",
		`filter:{createdAt:{from:"2026-01-02T00:00:00Z",to:"2026-01-03T00:00:00Z"}}`: "Birch",
		`filter:{territories:{}}`:                                                    "Birch,Alder",
		`orderBy:{field:TERRITORIES}`:                                                "Alder,Birch",
		`filter:{members:{max:1}}`:                                                   "Birch,Alder",
		`orderBy:{field:MEMBERS,direction:DESC}`:                                     "alder grove,Birch,Alder",
		`filter:{` + uuids + `}`:                                                     "Alder,Cedar,alder grove",
		`filter:{` + uuids + `,level:{max:5},territories:{max:0}}`:                   "Cedar",
		`filter:{` + uuids + `,members:{min:1}},orderBy:{field:MEMBERS}`:             "Alder,alder grove",
		`filter:{` + uuids + `},orderBy:{field:LEVEL}`:                               "Cedar,Alder,alder grove",
		`filter:{names:["ALDER","cedar","none"],level:{min:1}}`:                      "Alder,Cedar",
		`filter:{` + uuids + `,names:["birch","alder"]}`:                             "Alder",
		`filter:{uuids:[]}`:                                                          "",
	} {
		for size := 1; size <= 5; size++ {
			for _, d := range [][2]string{{"first", "after"}, {"last", "before"}} {
				for _, fields := range []string{"name", "name level"} {
					names, cursor, pages := []string{}, "", 0
					for more := true; more && pages < 9; pages++ {
						got := answer[page](t, exec, viewer.Viewer{}, fmt.Sprintf(`{guilds(%s %s:%d %s){totalCount nodes{%s}
							pageInfo{startCursor endCursor hasNextPage hasPreviousPage}}}`, arguments, d[0], size, cursor, fields)).Guilds
						var these []string
						for _, g := range got.Nodes {
							these = append(these, g.Name)
						}
						end := got.PageInfo.EndCursor
						more = got.PageInfo.HasNextPage
						if d[0] == "last" {
							end, more = got.PageInfo.StartCursor, got.PageInfo.HasPreviousPage
							names = append(these, names...)
						} else {
							names = append(names, these...)
						}
						if more {
							cursor = fmt.Sprintf("%s:%q", d[1], *end)
						}
						if strings.Count(want, ",")+1 != got.TotalCount && want != "" {
							t.Errorf("%s: %d in all, want %s", arguments, got.TotalCount, want)
						}
					}
					if got := strings.Join(names, ","); got != want {
						t.Errorf("%s in pages of %d, %s: got %s, want %s", arguments, size, d[0], got, want)
					}
				}
			}
		}
	}
}

// A cursor of players is refused by guilds in the same order.
func TestCursorOfAnotherList(t *testing.T) {
	w := newWorld(t, 60)
	var data struct {
		Players struct{ PageInfo struct{ EndCursor string } }
	}
	w.ask(t, `{players(first:1,orderBy:{field:UPDATED_AT}){pageInfo{endCursor}}}`, nil, &data)
	got := refused(t, w.exec, `{guilds(first:1,orderBy:{field:UPDATED_AT},after:"`+data.Players.PageInfo.EndCursor+`"){nodes{name}}}`)
	if got.Code != graph.InvalidQueryParams || !strings.Contains(got.Detail, "another list") {
		t.Errorf("got %v", got)
	}
}

// A list without an index is refused, and so is a page that is too large.
func TestGuildListsWithoutIndex(t *testing.T) {
	store, _ := mongotest.Open(t)
	exec := executorAt(t, store, time.Now)
	many := `"` + strings.Join(slices.Repeat([]string{mongotest.UUID(1)}, 101), `","`) + `"`
	for query, want := range map[string]string{
		`{guilds(filter:{level:{min:1},wars:{min:1}}){totalCount}}`:              "The filters level and wars",
		`{guilds(filter:{namePrefix:"a",prefix:"b",level:{min:1}}){totalCount}}`: "The filters namePrefix and level",
		`{guilds(filter:{namePrefix:"a"},orderBy:{field:LEVEL}){totalCount}}`:    "The filter namePrefix needs the order NAME",
		`{guilds(filter:{uuids:[` + many + `]}){totalCount}}`:                    "at most 100",
		`{guilds(filter:{names:[` + many + `]}){totalCount}}`:                    "at most 100",
		`{guilds(first:1001){nodes{level}}}`:                                     "0 to 1000",
		`{guilds(first:1001,orderBy:{field:LEVEL}){nodes{name}}}`:                "0 to 1000",
		`{guilds(first:1001,orderBy:{field:TERRITORIES}){nodes{name}}}`:          "0 to 1000",
		`{guilds(after:"eA"){nodes{name}}}`:                                      "belongs to another list",
	} {
		got := refused(t, exec, query)
		if got.Code != graph.InvalidQueryParams || !strings.Contains(got.Detail, want) {
			t.Errorf("%s: %v, want %q", query, got, want)
		}
	}
}
