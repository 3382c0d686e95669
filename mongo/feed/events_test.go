package feed_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/feed"
	"gamedata/mongo/mongotest"
)

// Every exported method of Batch but Write is an event, and the other way round.
func TestEventsAreComplete(t *testing.T) {
	var methods, named []string
	for batch := reflect.TypeFor[*feed.Batch](); len(methods) < batch.NumMethod(); {
		methods = append(methods, batch.Method(len(methods)).Name)
	}
	methods = slices.DeleteFunc(methods, func(name string) bool { return name == "Write" })
	for _, k := range feed.Events {
		named = append(named, k.Name)
		if e := k.New(); reflect.TypeOf(e).Elem().Name() != k.Name {
			t.Errorf("%s decodes into %T", k.Name, e)
		}
	}
	slices.Sort(named)
	if !slices.Equal(methods, named) {
		t.Errorf("methods %v, events %v", methods, named)
	}
}

// The example of every event can be applied.
func TestExamples(t *testing.T) {
	for _, k := range feed.Events {
		t.Run(k.Name, func(t *testing.T) {
			store, _ := mongotest.Open(t)
			storeGame(t, store)
			e, err := feed.Decode(k.Name, []byte(k.Example))
			if err != nil {
				t.Fatal(err)
			}
			var events []feed.Event
			for _, before := range prepare[k.Name] {
				events = append(events, decode(t, before[0], before[1]))
			}
			applied, err := feed.Apply(t.Context(), store, append(events, e), options)
			if err != nil || applied.Missing > 0 || len(applied.Errors) != len(events)+1 {
				t.Fatal(applied, err)
			}
			for i, err := range applied.Errors {
				if err != nil {
					t.Errorf("event %d: %v", i, err)
				}
			}
		})
	}
}

var options = feed.Options{Now: feedTime, LinkCode: linkCode}

// linkCode is like that of package auth, without the pepper.
func linkCode(player, code string, at time.Time) (*model.LinkCode, error) {
	if len(code) != 14 {
		return nil, errors.New("the code wants 12 characters in three groups")
	}
	return &model.LinkCode{Digest: "digest of " + code, Player: player, Expires: at.Add(10 * time.Minute)}, nil
}

// prepare has events that must come before some examples.
var prepare = map[string][][2]string{
	"CharacterDied": {{"GamemodeSet", `{"character": "00000000-0000-4000-8000-000000000101", "gamemode": ["hardcore"]}`}},
	"WorldEntered":  {online},
	"PlayerMoved":   {online},
	"PartyJoined":   {online},
}

var online = [2]string{"PlayerJoined", `{"player": "00000000-0000-4000-8000-000000000001"}`}

func decode(t *testing.T, name, fields string) feed.Event {
	t.Helper()
	e, err := feed.Decode(name, []byte(fields))
	if err != nil {
		t.Fatal(name, err)
	}
	return e
}

func storeGame(t *testing.T, store *mongo.Store) *game {
	t.Helper()
	g := newGame()
	g.storeWithSeason(t, store)
	return g
}

// storeWithSeason stores the game and a season that runs.
func (g *game) storeWithSeason(t *testing.T, store *mongo.Store) {
	t.Helper()
	g.store(t, store)
	if err := mongo.Seasons.Put(t.Context(), store, []*model.GuildSeason{
		{Number: 4, InitDate: feedTime.AddDate(0, -1, 0), Enabled: true},
	}); err != nil {
		t.Fatal(err)
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
				applied, failure := feed.Apply(t.Context(), store, []feed.Event{
					e, decode(t, "PartyLeft", `{"player": "`+okapi+`"}`),
				}, options)
				if failure != nil || applied.Errors[0] == nil || applied.Errors[1] != nil {
					t.Fatal(applied, failure)
				}
				err = applied.Errors[0]
			}
			var wrong *feed.Error
			if !errors.As(err, &wrong) || wrong.Code != c.code || wrong.Field != c.field || wrong.Message == "" {
				t.Errorf("got %#v, want %s of %q", err, c.code, c.field)
			}
			g.checkStore(t, store)
		})
	}
}
