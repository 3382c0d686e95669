package resolvers_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// A mirror follows players, guilds, items and territories by what changed since the last time, page by page, and
// learns what was deleted.
func TestChangedSince(t *testing.T) {
	store, _ := mongotest.Open(t)
	ctx := t.Context()
	level := 1 // each time another one
	player := func(n int) *model.Player {
		return &model.Player{UUID: mongotest.UUID(n), Username: fmt.Sprint("P", n), Rank: fmt.Sprint(level)}
	}
	guild := func(n int) *model.Guild {
		return &model.Guild{UUID: mongotest.UUID(n), Name: fmt.Sprint("G", n), Prefix: fmt.Sprint("G", n), Level: level}
	}
	item := func(n int) *model.Item {
		return &model.Item{
			InternalName: fmt.Sprint("I", n), DisplayName: fmt.Sprint("I", n), Type: "weapon",
			Requirements: &model.ItemRequirements{Level: level},
		}
	}
	land := func(n int) *model.Territory {
		return &model.Territory{
			Name: fmt.Sprint("T", n), Treasury: "LOW", Defences: "LOW", Location: &model.Area{},
			Guild: &model.TerritoryGuild{Name: new(fmt.Sprint(level))},
		}
	}
	mongotest.Must(t, store.Players.Insert(ctx, []*model.Player{player(1), player(2), player(3)}),
		store.Guilds.Insert(ctx, []*model.Guild{guild(1), guild(2), guild(3)}),
		mongo.Items.Put(ctx, store, []*model.Item{item(1), item(2), item(3)}),
		store.Territories.Put(ctx, []*model.Territory{land(1), land(2), land(3)}))
	last := mongotest.UUID(3)
	pass := func() {
		for begun := time.Now(); time.Since(begun) < 2*time.Millisecond; { // more than stored times are precise
		}
	}
	pass()
	since := time.Now().UTC().Truncate(time.Millisecond)
	private := map[model.AccessRule]model.Access{model.MainAccess: model.Private}
	mongotest.Must(t, store.Players.SetAccessRules(ctx, mongotest.UUID(2), private))
	pass()
	same := item(1)
	level++
	mongotest.Must(t, store.Players.Put(ctx, []*model.Player{player(1)}), store.Guilds.Put(ctx, []*model.Guild{guild(2)}),
		mongo.Items.Put(ctx, store, []*model.Item{same, item(2)}),
		store.Territories.Replace(ctx, []*model.Territory{land(1), land(2)}))

	type list struct {
		Nodes    []struct{ Username, Name, InternalName, Key string }
		PageInfo struct {
			HasNextPage bool
			EndCursor   string
		}
	}
	exec := executorAt(t, store, time.Now)
	for query, want := range map[string]string{
		`players(filter:{changedSince:"%s"},first:1%s){nodes{username}`:                                            "P2 P1",
		`players(filter:{changedSince:"%s",uuids:["` + mongotest.UUID(1) + `","` + last + `"]}%s){nodes{username}`: "P1",
		`guilds(filter:{changedSince:"%s"},first:1%s){nodes{name}`:                                                 "G2",
		`items(filter:{changedSince:"%s"},first:1%s){nodes{internalName}`:                                          "I2",
		`territories(filter:{changedSince:"%s"},first:1%s){nodes{name}`:                                            "T1 T2",
		`deletions(since:"%s",first:1%s){nodes{key}`:                                                               "T3",
		`deletions(since:"%s",types:[PLAYER]%s){nodes{key}`:                                                        "",
	} {
		var names []string
		for after, more := "", true; more; {
			got := answer[struct{ List list }](t, exec, viewer.Viewer{},
				`{list:`+fmt.Sprintf(query, model.FormatDateTime(since), after)+` pageInfo{hasNextPage endCursor}}}`).List
			for _, n := range got.Nodes {
				names = append(names, n.Username+n.Name+n.InternalName+n.Key)
			}
			more, after = got.PageInfo.HasNextPage, fmt.Sprintf(",after:%q", got.PageInfo.EndCursor)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
	}
}
