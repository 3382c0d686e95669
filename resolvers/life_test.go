package resolvers_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/feed"
	"gamedata/internal/jobs"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// feed applies events at a time, which must be accepted.
func (w *world) feed(t *testing.T, at time.Time, list ...feed.Event) {
	t.Helper()
	o := feed.Options{Now: func() time.Time { return at }}
	for i, o := range mongotest.Value(feed.New(w.store, o).Apply(t.Context(), feed.WithoutKeys(list...)))(t) {
		if o.Err != nil {
			t.Fatal(feed.NameOf(list[i]), o.Err)
		}
	}
}

// A player, a character and a guild that are deleted and added again with their uuids have no past: not before the next
// refresh, and not after it.
func TestOneLife(t *testing.T) {
	t.Parallel()
	w := newEmpty(t)
	const p, c, g = "a1000000-0000-4000-8000-000000000001", "a1000000-0000-4000-8000-000000000002",
		"a1000000-0000-4000-8000-000000000003"
	season := &model.GuildSeason{Number: 1, Enabled: true, StartsAt: time.Now().AddDate(0, 0, -9)}
	putSeason := func() {
		t.Helper()
		mongotest.Must(t, mongo.Seasons.Put(t.Context(), w.store, []*model.GuildSeason{season}))
	}
	work := func(full bool) {
		t.Helper()
		_, err := jobs.Refresh(t.Context(), w.store, time.Now(), jobs.Options{Full: full})
		if err == nil {
			_, err = jobs.History(t.Context(), w.store, time.Now(), jobs.Options{Full: full})
		}
		mongotest.Must(t, err)
	}
	query := fmt.Sprintf(`{
		player(by: {uuid: %[1]q}) { ranking { type } gains(over: {current: MONTH}) { gained }
			history { series { metric points { value } } } played { hours }
			events(first: 50) { __typename ... on CharacterLevelChanged { toLevel } } }
		guild(by: {uuid: %[2]q}) { ranking { type } gains(over: {current: MONTH}) { gained }
			history { series { metric points { value } } }
			captures(first: 5) { totalCount } memberEvents(first: 50) { __typename } }
		wars: leaderboard(by: {type: "warsCompletion"}) { entries(first: 9) { nodes { ... on PlayerEntry { name } } }
			around: entries(first: 9, around: %[1]q) { nodes { ... on PlayerEntry { score } } }
			history(by: {player: %[1]q}) { score } }
		season: leaderboard(by: {type: "guildSeason1"}) {
			entries(first: 9) { nodes { ... on GuildSeasonEntry { name guild { name } } } }
			history(by: {guild: %[2]q}) { score } }
		gainBoard(kind: PLAYER, metric: WARS, period: MONTH) { entries(first: 9) { nodes { player { username } } } }
	}`, p, g)
	ask := func() string {
		t.Helper()
		var data any
		w.ask(t, query, nil, &data)
		return strings.NewReplacer("map[", "{", "]", "}").Replace(fmt.Sprint(data))
	}
	putSeason()
	w.feed(t, time.Now(), &feed.PlayerAdded{Player: p, Username: "Old"}, &feed.GuildAdded{Guild: g, Name: "Elders", Prefix: "ELD"},
		&feed.GuildJoined{Player: p, Guild: g, Rank: "OWNER"}, &feed.CharacterAdded{Player: p, Character: c, Type: "MAGE"},
		&feed.CharacterGained{Character: c, Gain: feed.Gain{Level: 50, Hours: 900}},
		&feed.WarWon{Guild: g, Fighters: []feed.CharacterID{c}}, &feed.SeasonRated{Guild: g, Season: 1, Rating: 500})
	work(true)
	season.EndsAt = new(time.Now())
	putSeason()
	work(false)
	if got := ask(); !strings.Contains(got, "Old") || !strings.Contains(got, "toLevel:50") ||
		!strings.Contains(got, "guild:{name:Elders}") {
		t.Fatal("before: ", got)
	}
	again := []feed.Event{
		&feed.PlayerDeleted{Player: p}, &feed.GuildDisbanded{Guild: g},
		&feed.PlayerAdded{Player: p, Username: "New"}, &feed.GuildAdded{Guild: g, Name: "Fresh", Prefix: "FRE"},
		&feed.CharacterAdded{Player: p, Character: c, Type: "MAGE"},
	}
	check := func(when string) {
		t.Helper()
		got := ask()
		for _, past := range []string{
			"Left", "Joined", "toLevel", "score:", "gained:-", "hours:9", "value:900", "Old", "guild:{name", "warsCompletion",
			"guildSeason1", "username", "totalCount:1",
		} {
			if strings.Contains(got, past) {
				t.Errorf("%s: %s in %s", when, past, got)
			}
		}
		if !strings.Contains(got, "name:Elders") || strings.Count(got, "CharacterCreated") != 1 {
			t.Errorf("%s: the final standings lack the former guild, or the events the new character: %s", when, got)
		}
	}
	w.feed(t, time.Now(), again...)
	check("at once")
	work(false)
	check("after a refresh")
	work(true)
	check("after a full refresh")
	w.feed(t, time.Now(), again...)
	work(false)
	check("a third time")
}
