package resolvers_test

import (
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/history"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

type shownHistory struct {
	Series []struct {
		Metric, Unit string
		Points       []shownPoint
	}
}

type shownPoint struct {
	At    time.Time
	Value float64
}

const playerHistory = `query($uuid: UUID!, $from: DateTime, $to: DateTime, $metrics: [HistoryMetric!],
	$interval: HistoryInterval! = DAY) {
	player(by: {uuid: $uuid}) { history(from: $from, to: $to, metrics: $metrics, interval: $interval) {
		series { metric unit points { at value } } } }
}`

// A year of a player is one command, and hidden from viewers who may not see the current numbers.
func TestPlayerHistory(t *testing.T) {
	w := newEmpty(t)
	const uuid = "d0000000-0000-4000-8000-000000000001"
	at := func(month time.Month, day int) time.Time { return time.Date(2026, month, day, 0, 0, 0, 0, time.UTC) }
	rules := model.UniformAccessRules(model.Public)
	put := func() {
		t.Helper()
		mongotest.Must(t, w.store.Players.Put(t.Context(), []*model.Player{{UUID: uuid, Username: "Old", Rules: rules}}))
	}
	put()
	points := []mongo.HistoryPoint{}
	for month := time.January; month <= time.December; month++ {
		for _, day := range []int{1, 2, 20} {
			points = append(points, mongo.HistoryPoint{At: at(month, day), Values: map[string]float64{
				history.Level: float64(100*int(month) + day), history.Playtime: 0.5 * float64(month),
			}})
		}
	}
	recorded := map[string][]mongo.HistoryPoint{uuid: points}
	mongotest.Must(t, w.store.History.Put(t.Context(), mongo.RecordedPlayer, recorded, time.Hour))
	var data struct {
		Player struct{ History *shownHistory }
	}
	vars := map[string]any{"uuid": uuid, "from": "2026-01-01T00:00:00Z", "to": "2026-12-31T00:00:00Z"}
	without := func(key string, v any) map[string]any {
		out := map[string]any{"uuid": uuid, "from": vars["from"], "to": vars["to"]}
		out[key] = v
		return out
	}
	// One command is for the player.
	if n := w.least(t, 2, playerHistory, vars, &data); n > 2 || len(data.Player.History.Series) != 2 ||
		len(data.Player.History.Series[0].Points) != 36 {
		t.Errorf("a year took %d commands and shows %+v", n, data.Player.History)
	}
	w.ask(t, playerHistory, without("interval", "MONTH"), &data)
	series := data.Player.History.Series
	if s := series[0]; s.Metric != "LEVEL" || s.Unit != "LEVELS" || len(s.Points) != 12 ||
		s.Points[1] != (shownPoint{at(time.February, 1), 220}) {
		t.Errorf("by month: %+v", s)
	}
	if s := series[1]; s.Metric != "PLAYTIME" || s.Unit != "HOURS" || s.Points[11] != (shownPoint{at(time.December, 1), 6}) {
		t.Errorf("by month: %+v", s)
	}
	w.ask(t, playerHistory, without("metrics", []any{"PLAYTIME"}), &data)
	if s := data.Player.History.Series; len(s) != 1 || s[0].Metric != "PLAYTIME" {
		t.Errorf("one metric: %+v", s)
	}

	for message, vars := range map[string]map[string]any{
		"A player has no metric MEMBERS.":             without("metrics", []any{"LEVEL", "MEMBERS"}),
		"from must be before to.":                     without("from", "2027-01-01T00:00:00Z"),
		"from and to may be at most 1830 days apart.": without("from", "2000-01-01T00:00:00Z"),
	} {
		if got := refused(t, w.exec, playerHistory, vars); got.Detail != message {
			t.Errorf("got %v, want %s", got, message)
		}
	}

	rules = model.UniformAccessRules(model.Friend)
	put()
	if w.ask(t, playerHistory, vars, &data); data.Player.History != nil {
		t.Errorf("hidden from guests: %+v", data.Player.History)
	}
}
