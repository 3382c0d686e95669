package resolvers

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
)

// rich is a player with something behind every rule.
func rich() *model.Player {
	now := time.Date(2026, 3, 19, 23, 45, 48, 0, time.UTC)
	world, char, hours := "EU37", "6c1f0b52-8f3e-4d0a-b7a1-2e9c4d5f6a70", 2485.42
	return &model.Player{
		UUID: "3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b5c", Username: "Salted", Online: true, World: &world,
		ActiveCharacter: &char,
		LastJoinedAt:    &now, FirstJoinedAt: &now, Playtime: &hours, Totals: &model.PlayerTotals{ChestsFound: 20418},
		Ranking:         []*model.RankPosition{{Type: "warsCompletion", Position: 540}},
		PreviousRanking: []*model.RankPosition{{Type: "warsCompletion", Position: 538}},
		Featured:        []*model.FeaturedStat{{Stat: "globalData.chestsFound"}, {Stat: "firstJoin"}, {Stat: "playtime"}},
		GuildHistory:    []*model.GuildHistoryEntry{{Name: "Lantern Row"}}, Address: "192.0.2.7",
	}
}

func TestFeaturedStats(t *testing.T) {
	text := "old"
	p := rich()
	p.Featured = append(p.Featured, &model.FeaturedStat{Stat: "unknown.path", Text: &text},
		&model.FeaturedStat{Stat: "missing"})
	got := map[string]any{}
	for _, s := range featuredStats(p) {
		if s.Number != nil {
			got[s.Stat] = *s.Number
		} else {
			got[s.Stat] = *s.Text
		}
	}
	want := map[string]any{
		"globalData.chestsFound": int64(20418), "firstJoin": "2026-03-19T23:45:48Z",
		"playtime": int64(2485), "unknown.path": "old",
	}
	if !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}
