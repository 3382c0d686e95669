package resolvers_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

// The order of the online list must not reveal when a player joined who hides it.
func TestOnlineOrderRevealsNothingHidden(t *testing.T) {
	w := newEmpty(t)
	world := "EU37"
	var players []*model.Player
	private := model.AccessRules{model.MainAccess: model.Private}
	for i, rules := range []model.AccessRules{{}, private, {}, private} {
		at := time.Date(2026, 3, 20, 12, i, 0, 0, time.UTC)
		players = append(players, &model.Player{
			UUID: fmt.Sprintf("b0000000-0000-4000-9000-%012d", i), Username: "Mirrored",
			Online: true, World: &world, LastJoinedAt: &at, Rules: rules,
		})
	}
	if err := w.store.Players.Insert(t.Context(), players); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		own  []string
		want []int
	}{{nil, []int{2, 0, 1, 3}}, {[]string{players[1].UUID}, []int{2, 1, 0, 3}}} {
		var list struct {
			OnlinePlayers struct{ Nodes []struct{ UUID string } }
		}
		w.asViewer(t, viewer.Viewer{Kind: viewer.Session, Account: "a", Profiles: c.own},
			`{onlinePlayers(first:1000){nodes{uuid}}}`,
			nil, &list)
		var got []int
		for _, p := range list.OnlinePlayers.Nodes {
			for i := range players {
				if players[i].UUID == p.UUID {
					got = append(got, i)
				}
			}
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("own %v: %s", c.own, d)
		}
	}
}

// Rules cost a guest nothing. They cost others one read of their linked profiles, and only when
// a rule depends on the guild. The online list is read for all viewers, so it reads friends and guilds
// of those whose rules depend on them.
func TestCommandsOfAViewer(t *testing.T) {
	w := newWorld(t, 60)
	session := viewer.Viewer{Kind: viewer.Session, Account: "a", Profiles: []string{
		member("Salted").UUID,
		member("Brindle").UUID,
	}}
	public := viewer.Viewer{Kind: viewer.Token, Account: "a", Public: true}
	app := viewer.Viewer{
		Kind: viewer.OAuth, Account: "a", App: "b", Profiles: session.Profiles,
		Scopes: []string{"main_access"},
	}
	many := `{players(filter:{uuids:["` + member("Hearthside").UUID + `","` + member("Oldspelling").UUID + `","` +
		member("Gathering").UUID + `"]}){nodes{playtime}}}`
	for _, c := range []struct {
		name  string
		v     viewer.Viewer
		query string
		want  int64
	}{
		{"guest, rule guild", viewer.Viewer{}, `{player(by:{username:"Hearthside"}){playtime}}`, 2},
		{"public token, rule guild", public, `{player(by:{username:"Hearthside"}){playtime}}`, 2},
		{"application, rule guild", app, `{player(by:{username:"Hearthside"}){playtime}}`, 2},
		{"session, rule friend", session, `{player(by:{username:"Companion"}){playtime}}`, 2},
		{"session, no rule", session, `{player(by:{username:"Okapi"}){playtime}}`, 2},
		{"session, rule guild", session, `{player(by:{username:"Hearthside"}){playtime}}`, 3},
		{"guest, many", viewer.Viewer{}, many, 1},
		{"session, many", session, many, 2},
		{"session, everybody online and their pages", session, `{onlinePlayers(first:1000){nodes{player{playtime}}}}`, 4},
		{
			"guest, everybody online and their pages",
			viewer.Viewer{},
			`{onlinePlayers(first:1000){nodes{player{playtime}}}}`, 3,
		},
	} {
		var data map[string]any
		n := w.asViewer(t, c.v, c.query, nil, &data)
		for range 9 {
			if n > c.want { // a batch is open for a moment only, see least
				n = min(n, w.asViewer(t, c.v, c.query, nil, &data))
			}
		}
		if n != c.want {
			t.Errorf("%s: %d commands, want %d", c.name, n, c.want)
		}
	}
}
