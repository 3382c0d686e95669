package resolvers_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/internal/jobs"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

type gainOnBoard struct {
	UUID   string
	Gained float64
}

// playMonth lets players play for five weeks until now, records their history three times a day, and returns them.
// Each sixth player hides when they play.
func playMonth(t *testing.T, w *world) []*model.Player {
	t.Helper()
	now := time.Now().UTC()
	ended := now.AddDate(0, 0, -9)
	mongotest.Must(t, mongo.Seasons.Put(t.Context(), w.store, []*model.GuildSeason{
		{Number: 1, Enabled: true, StartsAt: now.AddDate(0, 0, -25), EndsAt: &ended},
		{Number: 2, Enabled: true, StartsAt: ended.Add(time.Hour)},
	}))
	begin := now.AddDate(0, 0, -35)
	players := make([]*model.Player, 24)
	for i := range players {
		p := model.NewPlayer(fmt.Sprintf("d2000000-0000-4000-8000-%012d", i), fmt.Sprintf("Player%d", i))
		p.FirstJoinedAt, p.LastJoinedAt = new(begin.AddDate(-1, 0, 0)), &begin
		p.Totals, p.Playtime = &model.PlayerTotals{Wars: int64(i)}, new(10.5)
		if i%6 == 0 {
			p.Rules[model.OnlineStatus] = model.Friend
		}
		players[i] = p
	}
	random := rand.New(rand.NewPCG(1, 2))
	for at := begin; !at.After(now); at = at.Add(8 * time.Hour) {
		for range 3 {
			p := players[random.IntN(len(players))]
			p.LastJoinedAt = new(at.Add(-time.Minute))
			p.Totals = &model.PlayerTotals{Wars: p.Totals.Wars + random.Int64N(5)}
			p.Playtime = new(*p.Playtime + 0.25)
		}
		mongotest.Must(t, w.store.Players.Put(t.Context(), players))
		mongotest.Value(jobs.History(t.Context(), w.store, at, jobs.Options{}))(t)
	}
	return players
}

// gains returns what players gained, largest first, without those who hide it.
func (w *world) gains(t *testing.T, players []*model.Player, metric string, over map[string]any) []gainOnBoard {
	t.Helper()
	var aliases strings.Builder
	for i, p := range players {
		fmt.Fprintf(&aliases, "p%d: player(by: {uuid: %q}) { uuid gains(metrics: [$metric], over: $over) { gained } }\n",
			i, p.UUID)
	}
	var gained map[string]struct {
		UUID  string
		Gains []struct{ Gained float64 }
	}
	w.ask(t, "query($metric: HistoryMetric!, $over: GainSpan!) {"+aliases.String()+"}",
		map[string]any{"metric": metric, "over": over}, &gained)
	list := []gainOnBoard{}
	for _, p := range gained {
		if len(p.Gains) == 1 {
			list = append(list, gainOnBoard{p.UUID, p.Gains[0].Gained})
		}
	}
	slices.SortFunc(list, func(a, b gainOnBoard) int {
		return cmp.Or(cmp.Compare(b.Gained, a.Gained), strings.Compare(a.UUID, b.UUID))
	})
	return list
}

// A board of a day, week, month or season has what the gains of each player say, from which it is not made: it follows
// the players of the last hours. When the period is over it does not change any more.
func TestGainBoardsOfAMonth(t *testing.T) {
	t.Parallel()
	w := newEmpty(t)
	players := playMonth(t, w)
	compare := func(metric, period string, at time.Time, over map[string]any, final bool) {
		t.Helper()
		want := slices.DeleteFunc(w.gains(t, players, metric, over), func(g gainOnBoard) bool { return g.Gained <= 0 })
		var data struct {
			GainBoard struct {
				Final   bool
				Entries struct {
					Nodes []struct {
						Gained float64
						Player struct{ UUID string }
					}
				}
			}
		}
		w.ask(t, `query($metric: HistoryMetric!, $period: Period!, $at: DateTime!) {
			gainBoard(kind: PLAYER, metric: $metric, period: $period, at: $at) {
				final entries(first: 100) { nodes { gained player { uuid } } } } }`,
			map[string]any{"metric": metric, "period": period, "at": at.Format(time.RFC3339)}, &data)
		got := []gainOnBoard{}
		for _, e := range data.GainBoard.Entries.Nodes {
			if e.Player.UUID != "" { // not restricted
				got = append(got, gainOnBoard{e.Player.UUID, e.Gained})
			}
		}
		if data.GainBoard.Final != final {
			t.Errorf("%s in the %s of %s: final is %v", metric, period, at, !final)
		}
		if d := gocmp.Diff(want, got); d != "" {
			t.Errorf("%s in the %s of %s: %s", metric, period, at, d)
		}
	}
	now := time.Now().UTC()
	for _, metric := range []string{"WARS", "PLAYTIME"} {
		for _, period := range []string{"DAY", "WEEK", "MONTH", "SEASON"} {
			compare(metric, period, now, map[string]any{"current": period}, false)
		}
		compare(metric, "DAY", now.AddDate(0, 0, -1), map[string]any{"previous": "DAY"}, true)
		compare(metric, "WEEK", now.AddDate(0, 0, -7), map[string]any{"previous": "WEEK"}, true)
		compare(metric, "SEASON", now.AddDate(0, 0, -12), map[string]any{"previous": "SEASON"}, true)
		for ago := 2; ago < 36; ago += 3 { // on the first day nothing was known before
			of := now.AddDate(0, 0, -ago)
			day := of.Truncate(24 * time.Hour)
			compare(metric, "DAY", of, map[string]any{"between": map[string]any{
				"from": day.Format(time.RFC3339), "to": day.Add(23 * time.Hour).Format(time.RFC3339),
			}}, true)
		}
	}
}

// Hidden players have their positions, so that there are no gaps, and nothing leads to them.
func TestPagesOfGainBoards(t *testing.T) {
	t.Parallel()
	w := newEmpty(t)
	players := playMonth(t, w)
	type entry struct {
		Position         int
		PreviousPosition *int
		Restricted       bool
		Player           struct{ UUID string }
	}
	type page struct {
		TotalCount int
		PageInfo   shownPage
		Nodes      []entry
	}
	read := func(arguments string, values ...any) page {
		var data struct{ GainBoard struct{ Entries page } }
		w.ask(t, `{ gainBoard(kind: PLAYER, metric: WARS, period: SEASON) { entries(`+fmt.Sprintf(arguments, values...)+`) {
			totalCount pageInfo { hasNextPage endCursor }
			nodes { position previousPosition restricted player { uuid } } } } }`, nil, &data)
		return data.GainBoard.Entries
	}
	hides := func(uuid string) bool {
		return slices.IndexFunc(players, func(p *model.Player) bool { return p.UUID == uuid })%6 == 0
	}
	var seen []string // players by position, empty for hidden ones
	p := read("first: 2")
	for {
		for _, e := range p.Nodes {
			seen = append(seen, e.Player.UUID)
			if e.Position != len(seen) || hides(e.Player.UUID) || e.Restricted != (e.Player.UUID == "") ||
				e.Restricted && e.PreviousPosition != nil {
				t.Errorf("entry %d is %+v", len(seen), e)
			}
		}
		if !p.PageInfo.HasNextPage {
			break
		}
		p = read("first: 2, after: %q", *p.PageInfo.EndCursor)
	}
	if len(seen) != p.TotalCount || len(seen) < 20 || !slices.Contains(seen, "") {
		t.Errorf("got %d of %d entries: %v", len(seen), p.TotalCount, seen)
	}
	for i, of := range players {
		if empty := read("first: 0, around: %q", of.UUID); empty.PageInfo.HasNextPage && i%6 == 0 || len(empty.Nodes) > 0 {
			t.Errorf("no entry around player %d: got %+v", i, empty)
		}
		list := read("first: 3, around: %q", of.UUID).Nodes
		found := slices.ContainsFunc(list, func(e entry) bool { return e.Player.UUID == of.UUID })
		if found != slices.Contains(seen, of.UUID) || i%6 == 0 && len(list) > 0 {
			t.Errorf("around player %d: got %v", i, list)
		}
	}
	for query, want := range map[string]string{
		`{gainBoard(kind: GUILD, metric: CAVES) {final}}`:                                                            "has no metric CAVES",
		`{gainBoard(kind: PLAYER, metric: WARS) {entries(around: "` + players[1].UUID + `", last: 1) {totalCount}}}`: "around with first only",
	} {
		if err := refused(t, w.exec, query); !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %s", query, err.Error())
		}
	}
	var past struct{ GainBoard *struct{ Final bool } }
	w.ask(t, `{gainBoard(kind: PLAYER, metric: WARS, at: "2020-01-01T00:00:00Z") {final}}`, nil, &past)
	if past.GainBoard != nil {
		t.Error("a board of 2020")
	}
}
