package feed_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"gamedata/internal/feed"
	"gamedata/mongo/mongotest"
)

// The example of every event can be applied.
func TestExamples(t *testing.T) {
	for _, k := range feed.Events {
		t.Run(k.Name, func(t *testing.T) {
			store, _ := mongotest.Open(t)
			storeGame(t, store)
			play(t, store, example(t, k.Name)...)
		})
	}
	for name := range examples {
		if !slices.ContainsFunc(feed.Events, func(k feed.Kind) bool { return k.Name == name }) {
			t.Errorf("there is an example of %s, which is no event", name)
		}
	}
}

// Records that are missing and fields that are wrong are errors of the event, not of the others.
func TestRejectedEvents(t *testing.T) {
	const salted, okapi, moss = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000003",
		"00000000-0000-4000-8000-000000000051"
	for _, c := range []struct {
		name, fields string
		code         feed.Code
		field        string
	}{
		{"NoSuchEvent", `{}`, feed.Invalid, "event"},
		{"PlayerLeft", `{}`, feed.Invalid, "player"},
		{"PlayerLeft", `[]`, feed.Invalid, ""},
		{"PlayerLeft", `{"player": "Salted"}`, feed.Invalid, "player"},
		{"PlayerLeft", `{"player": "` + salted + `", "why": "tired"}`, feed.Invalid, "why"},
		{"PlayerLeft", `{"player": "` + salted + `", "player": "` + okapi + `"}`, feed.Invalid, ""},
		{"PlayerLeft", `{"player": "00000000-0000-4000-8000-0000000000aa"}`, feed.Unknown, "player"},
		{"CharacterGained", `{"character": "00000000-0000-4000-8000-0000000000aa"}`, feed.Unknown, "character"},
		{"CharacterGained", `{"character": "00000000-0000-4000-8000-000000000101", "xp": -1}`, feed.Invalid, ""},
		{"PlayerMoved", `{"player": "` + salted + `", "location": {"x": 1, "y": 2, "z": 3}}`, feed.Conflict, "player"},
		{"PlayerAdded", `{"player": "` + salted + `", "username": "Salted"}`, feed.Conflict, "player"},
		{"PlayerJoined", `{"player": "` + okapi + `", "server": "EU1",
			"character": "00000000-0000-4000-8000-000000000101"}`, feed.Conflict, "character"},
		{"RankGiven", `{"player": "` + okapi + `", "rank": "CHIEF"}`, feed.Conflict, "player"},
		{"RankGiven", `{"player": "` + salted + `", "rank": "KING"}`, feed.Invalid, "rank"},
		{"GuildRenamed", `{"guild": "` + moss + `", "name": "LANTERN row", "prefix": "L"}`, feed.Conflict, "name"},
		{"GuildJoined", `{"player": "` + salted + `", "guild": "00000000-0000-4000-8000-000000000052",
			"rank": "RECRUIT"}`, feed.Conflict, "player"},
		{"SeasonRated", `{"guild": "` + moss + `", "season": 77, "rating": 1, "territories": 1}`, feed.Unknown, "season"},
		{"TerritoryCaptured", `{"territory": "Nowhere", "guild": "` + moss + `"}`, feed.Unknown, "territory"},
		{
			"AccessRulesSet", `{"player": "` + salted + `", "rules": {"mainAccess": "nobody"}}`,
			feed.Invalid, "rules.mainAccess",
		},
		{"AccessRulesSet", `{"player": "` + salted + `", "rules": {"access": "public"}}`, feed.Invalid, "rules"},
		{"LinkCodeCreated", `{"player": "` + salted + `", "code": "1234"}`, feed.Invalid, "code"},
		{"CharacterDied", `{"character": "00000000-0000-4000-8000-000000000101"}`, feed.Conflict, "character"},
		{
			"CharacterDeleted", `{"player": "` + okapi + `", "character": "00000000-0000-4000-8000-000000000101"}`,
			feed.Conflict, "character",
		},
		{"CharacterDeleted", `{"player": "00000000-0000-4000-8000-0000000000aa",
			"character": "00000000-0000-4000-8000-000000000101"}`, feed.Unknown, "player"},
		{"FeaturedStatsSet", `{"player": "` + salted + `", "stats": [{"stat": "playtime"}]}`, feed.Invalid, "stats"},
		{
			"SkillPointsSet", `{"character": "00000000-0000-4000-8000-000000000101", "points": {"agility": -1}}`,
			feed.Invalid, "points",
		},
		{"TerritoryProduced", `{"territory": "Field 1", "made": {"FISH": 1}}`, feed.Invalid, "made"},
	} {
		t.Run(fmt.Sprint(c.name, c.code, c.field), func(t *testing.T) {
			store, _ := mongotest.Open(t)
			g := storeGame(t, store)
			e, err := feed.Decode(c.name, []byte(c.fields))
			if err == nil {
				outcomes := try(t, store, e, decode(t, "PartyLeft", `{"player": "`+okapi+`"}`))
				if outcomes[0].Err == nil || outcomes[1].Err != nil {
					t.Fatal(outcomes)
				}
				err = outcomes[0].Err
			}
			var wrong *feed.Error
			if !errors.As(err, &wrong) || wrong.Code != c.code || wrong.Field != c.field || wrong.Message == "" {
				t.Errorf("got %#v, want %s of %q", err, c.code, c.field)
			}
			g.checkStore(t, store)
		})
	}
}
