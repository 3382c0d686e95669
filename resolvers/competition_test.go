package resolvers_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/mongo/mongotest"
)

// The standings of a competition are the gains of its players, in order, also after its end. Players who hide are left
// out.
func TestCompetitionStandings(t *testing.T) {
	t.Parallel()
	w := newEmpty(t)
	players := playMonth(t, w)
	today := time.Now().UTC().Truncate(24 * time.Hour)
	type standing struct {
		Position int
		Player   struct{ UUID string }
		Gain     struct{ Gained float64 }
	}
	for name, days := range map[string][2]int{
		"running": {-10, 5}, "over": {-20, -5}, "a day": {-3, -2}, "the last day": {-3, 1},
		"since before the past": {-60, -30},
		"not begun":             {1, 2},
	} {
		t.Run(name, func(t *testing.T) {
			c := &model.Competition{
				Key: name, Account: name, Name: name, Metric: model.HistoryMetricWars,
				StartsAt: today.AddDate(0, 0, days[0]), EndsAt: today.AddDate(0, 0, days[1]),
				Players: []string{"d2000000-0000-4000-8000-ffffffffffff"}, // nobody
			}
			for _, p := range players[:20] {
				c.Players = append(c.Players, p.UUID)
			}
			mongotest.Must(t, w.store.Competitions.Insert(t.Context(), c))
			var want []standing
			if days[0] <= 0 {
				list := w.gains(t, players[:20], "WARS", map[string]any{"between": map[string]any{
					"from": c.StartsAt.Format(time.RFC3339), "to": c.EndsAt.Add(-time.Second).Format(time.RFC3339),
				}})
				for _, g := range list {
					s := standing{Position: 1 + slices.IndexFunc(list, func(o gainOnBoard) bool { return o.Gained == g.Gained })}
					s.Player.UUID, s.Gain.Gained = g.UUID, g.Gained
					want = append(want, s)
				}
			}
			var got []standing
			for after := ""; ; {
				var data struct {
					Competition struct {
						PlayerCount int
						Standings   struct {
							TotalCount int
							Nodes      []standing
							PageInfo   struct {
								HasNextPage bool
								EndCursor   *string
							}
						}
					}
				}
				vars := map[string]any{"key": name}
				if after != "" {
					vars["after"] = after
				}
				w.ask(t, `query($key: String!, $after: String) { competition(by: {key: $key}) { playerCount
					standings(first: 7, after: $after) { totalCount pageInfo { hasNextPage endCursor }
						nodes { position player { uuid } gain { gained } } } } }`, vars, &data)
				if data.Competition.PlayerCount != 21 || data.Competition.Standings.TotalCount != len(want) {
					t.Errorf("got %+v", data.Competition)
				}
				got = append(got, data.Competition.Standings.Nodes...)
				if !data.Competition.Standings.PageInfo.HasNextPage {
					break
				}
				after = *data.Competition.Standings.PageInfo.EndCursor
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			if name == "running" && len(want) != 16 { // of 20 players 4 hide
				t.Errorf("got %d standings", len(want))
			}
		})
	}
}
