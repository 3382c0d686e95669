package resolvers_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
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
			var aliases strings.Builder
			for i, p := range players[:20] {
				c.Players = append(c.Players, p.UUID)
				fmt.Fprintf(&aliases, "p%d: player(by: {uuid: %q}) { uuid gains(metrics: [WARS], over: $over) { gained } }\n",
					i, p.UUID)
			}
			if err := w.store.Competitions.Insert(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			var want []standing
			if days[0] <= 0 {
				var gained map[string]struct {
					UUID  string
					Gains []struct{ Gained float64 }
				}
				w.ask(t, "query($over: GainSpan!) {"+aliases.String()+"}", map[string]any{"over": map[string]any{
					"between": map[string]any{
						"from": c.StartsAt.Format(time.RFC3339), "to": c.EndsAt.Add(-time.Second).Format(time.RFC3339),
					},
				}}, &gained)
				for _, p := range gained {
					if len(p.Gains) == 1 {
						want = append(want, standing{Gain: p.Gains[0]})
						want[len(want)-1].Player.UUID = p.UUID
					}
				}
			}
			slices.SortFunc(want, func(a, b standing) int {
				return cmp.Or(cmp.Compare(b.Gain.Gained, a.Gain.Gained), strings.Compare(a.Player.UUID, b.Player.UUID))
			})
			for i := range want {
				better := func(s standing) bool { return s.Gain.Gained > want[i].Gain.Gained }
				want[i].Position = 1 + len(slices.DeleteFunc(slices.Clone(want), func(s standing) bool { return !better(s) }))
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
			if d := gocmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			if name == "running" && len(want) != 16 { // of 20 players 4 hide
				t.Errorf("got %d standings", len(want))
			}
		})
	}
}
