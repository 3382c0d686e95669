package resolvers_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/history"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

type shownGain struct {
	Metric, Unit                 string
	StartValue, EndValue, Gained float64
}

const (
	gainedGuild = "d1000000-0000-4000-8000-000000000000"
	veteranUUID = "d1000000-0000-4000-8000-000000000001" // a member for years
	recruitUUID = "d1000000-0000-4000-8000-000000000002" // joined the guild yesterday
	newbornUUID = "d1000000-0000-4000-8000-000000000003" // joined the game yesterday
	hiddenUUID  = "d1000000-0000-4000-8000-000000000004" // hides presence
)

// gainWorld is a guild with four members. today is the present day.
func gainWorld(t *testing.T) (w *world, today time.Time) {
	t.Helper()
	w = newEmpty(t)
	today = time.Now().UTC().Truncate(24 * time.Hour)
	yesterday, longAgo := today.Add(-12*time.Hour), today.AddDate(-2, 0, 0)
	mongotest.Must(t, w.store.Guilds.Put(t.Context(), []*model.Guild{{
		UUID: gainedGuild, Name: "Gainers", Prefix: "GAI", Level: 12, CreatedAt: longAgo, Captured: 9, Lost: 4,
	}}))
	var players []*model.Player
	for uuid, joined := range map[string]time.Time{
		veteranUUID: longAgo, recruitUUID: yesterday, newbornUUID: yesterday, hiddenUUID: longAgo,
	} {
		p := model.NewPlayer(uuid, "P"+uuid[35:])
		p.Guild = &model.GuildReference{UUID: gainedGuild, Name: "Gainers", Prefix: "GAI"}
		p.Membership = &model.Membership{JoinedAt: joined, Contributed: 1000}
		p.FirstJoinedAt, p.Totals = &longAgo, &model.PlayerTotals{Wars: 70}
		players = append(players, p)
		switch uuid {
		case newbornUUID:
			p.FirstJoinedAt = &yesterday
		case hiddenUUID:
			p.Rules[model.OnlineStatus] = model.Friend
		}
	}
	mongotest.Must(t, w.store.Players.Put(t.Context(), players))
	point := func(daysAgo int, wars, contributed float64) mongo.HistoryPoint {
		return mongo.HistoryPoint{At: today.AddDate(0, 0, -daysAgo), Values: map[string]float64{
			history.Wars: wars, history.Contributed: contributed,
		}}
	}
	points := map[string][]mongo.HistoryPoint{
		veteranUUID: {point(200, 10, 100), point(40, 20, 200), point(1, 65, 900)},
		recruitUUID: {point(100, 30, 5000), point(3, 50, 6000), point(1, 60, 400)},
		newbornUUID: {point(1, 69, 999)},
		hiddenUUID:  {point(40, 20, 200)},
	}
	mongotest.Must(t, w.store.History.Put(t.Context(), mongo.RecordedPlayer, points, 10_000*time.Hour))
	mongotest.Must(t, w.store.History.Put(t.Context(), mongo.RecordedGuild, map[string][]mongo.HistoryPoint{
		gainedGuild: {{At: today.AddDate(0, 0, -50), Values: map[string]float64{
			history.Level: 9, history.Members: 5, history.Captured: 2, history.Lost: 1,
		}}},
	}, 10_000*time.Hour))
	return w, today
}

// The gain of a player is the present value, or that at the end, without the last one before the beginning.
func TestGainsOfPlayers(t *testing.T) {
	w, today := gainWorld(t)
	const query = `query($uuid: UUID!, $over: GainSpan!) { player(by: {uuid: $uuid}) {
		gains(metrics: [WARS, CONTRIBUTED, MOBS_KILLED], over: $over) { metric unit startValue endValue gained } } }`
	between := func(from, to int) map[string]any {
		out := map[string]any{"from": today.AddDate(0, 0, -from).Format(time.RFC3339)}
		if to > 0 {
			out["to"] = today.AddDate(0, 0, -to).Format(time.RFC3339)
		}
		return map[string]any{"between": out}
	}
	for name, c := range map[string]struct {
		uuid string
		over map[string]any
		want []shownGain
	}{
		"today": {veteranUUID, map[string]any{"current": "DAY"}, []shownGain{
			{"WARS", "COUNT", 65, 70, 5}, {"CONTRIBUTED", "EXPERIENCE", 900, 1000, 100},
		}},
		"since long ago": {veteranUUID, between(30, 0), []shownGain{
			{"WARS", "COUNT", 20, 70, 50}, {"CONTRIBUTED", "EXPERIENCE", 200, 1000, 800},
		}},
		"in the past, from a point in another month": {veteranUUID, between(100, 20), []shownGain{
			{"WARS", "COUNT", 10, 20, 10}, {"CONTRIBUTED", "EXPERIENCE", 100, 200, 100},
		}},
		"before anything was recorded": {veteranUUID, between(250, 10), []shownGain{}},
		"contribution to another guild": {recruitUUID, between(5, 0), []shownGain{
			{"WARS", "COUNT", 30, 70, 40}, {"CONTRIBUTED", "EXPERIENCE", 0, 1000, 1000},
		}},
		"since the first join": {newbornUUID, between(5, 0), []shownGain{
			{"WARS", "COUNT", 0, 70, 70}, {"MOBS_KILLED", "COUNT", 0, 0, 0}, {"CONTRIBUTED", "EXPERIENCE", 0, 1000, 1000},
		}},
		"no season": {veteranUUID, map[string]any{"current": "SEASON"}, []shownGain{}},
		"hidden":    {hiddenUUID, between(30, 0), nil},
	} {
		var data struct{ Player struct{ Gains []shownGain } }
		w.ask(t, query, map[string]any{"uuid": c.uuid, "over": c.over}, &data)
		if d := cmp.Diff(c.want, data.Player.Gains); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}

	for message, over := range map[string]map[string]any{
		"between needs the time from which gains are counted.": {"between": map[string]any{"to": "2026-01-01T00:00:00Z"}},
		"from may not be after to, and must be before now.":    {"between": map[string]any{"from": "2126-01-01T00:00:00Z"}},
		"from and to may be at most 366 days apart.":           between(400, 0),
	} {
		got := refused(t, w.exec, query, map[string]any{"uuid": veteranUUID, "over": over})
		if got.Detail != message {
			t.Errorf("got %v, want %s", got, message)
		}
	}
}

// The gains of members begin when they join; who hides their history is left out. All are read together.
func TestGainsOfMembers(t *testing.T) {
	w, today := gainWorld(t)
	const query = `query($metric: HistoryMetric!, $from: DateTime!) { guild(by: {uuid: "` + gainedGuild + `"}) {
		memberGains(metric: $metric, over: {between: {from: $from}}) {
			totalCount nodes { member { uuid } gain { startValue gained } } } } }`
	type gain struct {
		Member struct{ UUID string }
		Gain   struct{ StartValue, Gained float64 }
	}
	for metric, want := range map[string][][3]any{
		"CONTRIBUTED": {{recruitUUID, 0., 1000.}, {newbornUUID, 0., 1000.}, {veteranUUID, 200., 800.}},
		"WARS":        {{newbornUUID, 0., 70.}, {veteranUUID, 20., 50.}, {recruitUUID, 50., 20.}},
	} {
		var data struct {
			Guild struct{ MemberGains struct{ Nodes []gain } }
		}
		vars := map[string]any{"metric": metric, "from": today.AddDate(0, 0, -30).Format(time.RFC3339)}
		if n := w.least(t, 6, query, vars, &data); n > 6 {
			t.Errorf("%s took %d commands", metric, n)
		}
		var got [][3]any
		for _, n := range data.Guild.MemberGains.Nodes {
			got = append(got, [3]any{n.Member.UUID, n.Gain.StartValue, n.Gain.Gained})
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", metric, d)
		}
	}
}

// A guild gains levels and members. What was not recorded at the beginning is left out.
func TestGainsOfGuilds(t *testing.T) {
	w, today := gainWorld(t)
	var data struct{ Guild struct{ Gains []shownGain } }
	w.ask(t, `query($from: DateTime!) { guild(by: {uuid: "`+gainedGuild+`"}) {
		gains(over: {between: {from: $from}}) { metric unit startValue endValue gained } } }`,
		map[string]any{"from": today.AddDate(0, 0, -30).Format(time.RFC3339)}, &data)
	want := []shownGain{
		{"LEVEL", "LEVELS", 9, 12, 3},
		{"MEMBERS", "COUNT", 5, 4, -1},
		{"CAPTURED", "COUNT", 2, 9, 7},
		{"LOST", "COUNT", 1, 4, 3},
	}
	if d := cmp.Diff(want, data.Guild.Gains); d != "" {
		t.Error(d)
	}
}

// A wrong argument fails its field and leaves the guild.
func TestGainsOfNothing(t *testing.T) {
	w, _ := gainWorld(t)
	r := run(t, w.exec, viewer.Viewer{}, `{ guild(by: {uuid: "`+gainedGuild+`"}) { name gains(metrics: [CAVES]) { gained }
		memberGains(metric: MEMBERS) { totalCount } } }`, nil)
	var got []string
	for _, e := range r.Errors {
		got = append(got, e.Message)
	}
	slices.Sort(got)
	want := []string{"A guild has no metric CAVES.", "A player has no metric MEMBERS."}
	data := `{"guild":{"name":"Gainers","gains":null,"memberGains":null}}`
	if d := cmp.Diff(want, got); d != "" || string(r.Data) != data {
		t.Errorf("%s %s", d, r.Data)
	}
}
