package resolvers_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/mongo/mongotest"
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
	mongotest.Must(t, w.store.Players.Insert(t.Context(), players))
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
