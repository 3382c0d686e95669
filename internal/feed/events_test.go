package feed_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gamedata/internal/feed"
	"gamedata/mongo/mongotest"
)

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
		{"PartyJoined", `{"player": "` + salted + `", "party": ""}`, feed.Invalid, "party"},
		{"PlayerLeft", `{"player": "Salted"}`, feed.Invalid, "player"},
		{"PlayerLeft", `{"player": "` + salted + `", "why": "tired"}`, feed.Invalid, "why"},
		{"PlayerLeft", `{"player": "` + salted + `", "player": "` + okapi + `"}`, feed.Invalid, ""},
		{"PlayerLeft", `{"player": "00000000-0000-4000-8000-0000000000aa"}`, feed.Unknown, "player"},
		{"CharacterGained", `{"character": "00000000-0000-4000-8000-0000000000aa"}`, feed.Unknown, "character"},
		{"CharacterGained", `{"character": "00000000-0000-4000-8000-000000000101", "xp": -1}`, feed.Invalid, "xp"},
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
			feed.Invalid, "points.agility",
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

// Texts have no characters that are not printed, wherever they stand in an event, and messages name no type of the
// program.
func TestMessages(t *testing.T) {
	const player, character = `"player": "00000000-0000-4000-8000-000000000001"`,
		`"character": "00000000-0000-4000-8000-000000000101"`
	const moss = `"guild": "00000000-0000-4000-8000-000000000051"`
	const noName = " is no name: 1 to 64 characters, none that is invisible and no space at its ends"
	for fields, want := range map[[2]string]string{
		{"NicknameSet", `{` + player + `, "nickname": "a\u0000b"}`}:  "nickname has characters that are not printed",
		{"NicknameSet", `{` + player + `, "nickname": "a\u202eb"}`}:  "nickname has characters that are not printed",
		{"PlayerRenamed", `{` + player + `, "username": "X\ufffe"}`}: "username has characters that are not printed",
		{"PlayerRenamed", `{` + player + `, "username": " X"}`}:      `" X"` + noName,
		{"GuildRenamed", `{` + moss + `, "name": "` + strings.Repeat("x", 65) + `", "prefix": "X"}`}: `"` +
			strings.Repeat("x", 65) + `"` + noName,
		{"NicknameSet", `{` + player + `, "nickname": "a", "zz": 1}`}: "there is no field zz",
		{"Zzz", `{}`}: `there is no event "Zzz"`,
		{"PlayerCreated", `{}`}: `there is no event "PlayerCreated". ` +
			`Did you mean "PlayerAdded", "PlayerMoved", or "PlayerRanked"?`,
		{"NicknameSet", `{` + player + `, "nickname": 5}`}:  "nickname has the wrong type",
		{"NicknameSet", `{` + player + `, "nickname": `}:    "the fields are not a JSON object",
		{"NicknameSet", `[]`}:                               "the fields are not a JSON object",
		{"NicknameSet", `{` + player + `, ` + player + `}`}: "a field is listed twice",
		{"NicknameSet", `{"player": "Salted"}`}:             `player: "Salted" is not a uuid`,
		{"BannerSet", `{` + moss + `, "banner": {"base": "RED", "tier": 1, "structure": "x",
			"layers": [{"colour": "\n", "pattern": "y"}]}}`}: "banner.layers.colour has characters that are not printed",
		{
			"CharacterGained", `{` + character + `, "practised": [{"profession": 5}]}`,
		}: "practised.0.profession has the wrong type",
		{"CharacterGained", `{` + character + `, "xp": 99999999999999999999}`}:         "xp is out of range",
		{"WeeklyProgressed", `{` + player + `, "completed": true, "streak": "three"}`}: "streak has the wrong type",
		{
			"PlayerJoined", `{` + player + `, "at": "yesterday"}`,
		}: "at is not a time such as 2026-03-20T12:00:00Z",
	} {
		t.Run(fmt.Sprint(fields), func(t *testing.T) {
			_, err := feed.Decode(fields[0], []byte(fields[1]))
			if err == nil || err.Error() != want {
				t.Errorf("got %v, want %s", err, want)
			}
		})
	}
}
