package feed_test

import (
	"errors"
	"testing"
	"time"

	"gamedata/internal/feed"
	"gamedata/internal/jobs"
	"gamedata/mongo/mongotest"
)

// A time that the clock of a server cannot have is rejected, and one that is missing is the time of receipt.
func TestTimesHaveBounds(t *testing.T) {
	t.Parallel()
	store, _ := mongotest.Open(t)
	const uuid = "00000000-0000-4000-8000-00000000000"
	for i, c := range []struct{ at, code string }{
		{`"9999-12-31T00:00:00Z"`, feed.Invalid},
		{`"` + feedTime.Add(6*time.Minute).Format(time.RFC3339) + `"`, feed.Invalid},
		{`"` + feedTime.Add(4*time.Minute).Format(time.RFC3339) + `"`, ""},
		{`"0001-01-01T00:00:00Z"`, feed.Invalid},
		{`"1999-12-31T00:00:00Z"`, feed.Invalid},
		{`"2000-01-01T00:00:00Z"`, ""},
		{`null`, ""},
	} {
		e, err := feed.Decode("PlayerAdded", []byte(`{"player":"`+uuid+string(rune('1'+i))+`","username":"A","at":`+c.at+`}`))
		var got *feed.Error
		if !errors.As(err, &got) {
			got = try(t, store, e)[0].Err
		}
		if code := codeOf(got); code != c.code || got != nil && got.Field != "at" {
			t.Errorf("%s: %+v, want code %q", c.at, got, c.code)
		}
	}
}

func codeOf(e *feed.Error) string {
	if e == nil {
		return ""
	}
	return e.Code
}

// What is fed of a player who is offline is on the boards after the next refresh, which is no full one.
func TestOfflinePlayerIsRefreshed(t *testing.T) {
	t.Parallel()
	store, _ := mongotest.Open(t)
	refresh := func() {
		t.Helper()
		if _, err := jobs.Refresh(t.Context(), store, feedTime, jobs.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	count := func(board string) int {
		t.Helper()
		counts, err := store.Boards.Counts(t.Context(), []string{board})
		if err != nil {
			t.Fatal(err)
		}
		return counts[board]
	}
	refresh()
	const p, c, g = "00000000-0000-4000-8000-0000000000a1", "00000000-0000-4000-8000-0000000000a2",
		"00000000-0000-4000-8000-0000000000a3"
	play(t, store, &feed.PlayerAdded{Player: p, Username: "A"}, &feed.GuildAdded{Guild: g, Name: "G", Prefix: "G"},
		&feed.CharacterAdded{Player: p, Character: c, Type: "MAGE"})
	for _, step := range []struct {
		board string
		event feed.Event
	}{
		{"totalGlobalLevel", &feed.CharacterGained{Character: c, Gain: feed.Gain{Level: 33}}},
		{"warsCompletion", &feed.WarWon{Guild: g, Fighters: []feed.CharacterID{c}}},
		{"guildTotalRaids", &feed.RaidCompleted{
			Raid: "The Canyon Colossus", Guild: g,
			Raiders: []feed.RaidCompletedRaider{{Character: c}},
		}},
		{"colossusCompletion", &feed.RaidCompleted{
			Raid:    "The Canyon Colossus",
			Raiders: []feed.RaidCompletedRaider{{Character: c}},
		}},
		{"ironmanContent", &feed.GamemodeSet{Character: c, Gamemode: []string{"ironman"}}},
	} {
		play(t, store, step.event)
		refresh()
		if n := count(step.board); n != 1 {
			t.Errorf("%s: %d entries on %s", feed.NameOf(step.event), n, step.board)
		}
	}
	play(t, store, &feed.CharacterDeleted{Player: p, Character: c})
	refresh()
	if n := count("ironmanContent"); n != 0 {
		t.Errorf("%d entries of a deleted character", n)
	}
}
