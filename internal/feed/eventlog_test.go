package feed_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/internal/feed"
	"gamedata/mongo/mongotest"
)

// What the example of each event of the feed writes to the event log; the others write nothing.
var logged = map[string][]model.EventData{
	"PlayerJoined": {&model.PlayerCameOnline{Player: salted, World: new("EU37"), Guild: new(moss)}},
	"WorldEntered": {&model.PlayerChangedWorld{Player: salted, To: new("EU2"), Guild: new(moss)}},
	"CharacterAdded": {&model.CharacterCreated{
		Player: salted, Character: "00000000-0000-4000-8000-000000000105", Class: "ARCHER",
	}},
	"CharacterGained": {&model.CharacterLevelChanged{Player: salted, Character: dusk, From: 12, To: 13}},
	"CharacterDied":   {&model.CharacterDied{Player: salted, Character: dusk, Level: 12}},
	"GuildAdded": {&model.GuildCreated{Guild: model.EventGuild{
		UUID: "00000000-0000-4000-8000-000000000057", Name: "Tidewatch", Prefix: "TIDE",
	}}},
	"PlayerRenamed":   {&model.PlayerRenamed{Player: salted, From: "Salted", To: "Salted2"}},
	"GuildProgressed": {&model.GuildLevelChanged{Guild: moss, From: 3, To: 4}},
	"GuildJoined":     {&model.GuildMemberJoined{Guild: moss, Player: okapi, Rank: "RECRUIT"}},
	"GuildLeft":       {&model.GuildMemberLeft{Guild: moss, Player: salted}},
	"RankGiven":       {&model.GuildMemberRankChanged{Guild: moss, Player: salted, From: "OWNER", To: "CHIEF"}},
	"GuildDisbanded":  {&model.GuildDisbanded{Guild: mossbound}},
	"PlayerDeleted":   {&model.GuildMemberLeft{Guild: moss, Player: salted}},
	"WarWon":          {&model.WarFinished{Guild: moss, Players: []string{salted}}},
	"RaidCompleted": {&model.RaidFinished{
		Raid: "The Canyon Colossus", Guild: new(moss), Players: []string{salted},
	}},
	"TerritoryCaptured": {&model.TerritoryCaptured{
		Territory: "Field 0", From: &lanternRow, To: &mossbound, HeldSeconds: new(int64(0)),
	}},
	"TerritoryFreed": {&model.TerritoryCaptured{Territory: "Field 0", From: &lanternRow, HeldSeconds: new(int64(0))}},
	"AccessRulesSet": {&model.AccessRulesChanged{Player: salted, Rules: []string{"mainAccess", "onlineStatus"}}},
}

const (
	salted = "00000000-0000-4000-8000-000000000001"
	okapi  = "00000000-0000-4000-8000-000000000003"
	dusk   = "00000000-0000-4000-8000-000000000101"
	moss   = "00000000-0000-4000-8000-000000000051"
)

var (
	mossbound  = model.EventGuild{UUID: moss, Name: "Mossbound", Prefix: "MOSS"}
	lanternRow = model.EventGuild{UUID: "00000000-0000-4000-8000-000000000052", Name: "Lantern Row", Prefix: "LNRW"}
)

func TestEventLog(t *testing.T) {
	for _, k := range feed.Events {
		t.Run(k.Name, func(t *testing.T) {
			store, _ := mongotest.Open(t)
			storeGame(t, store)
			apply(t, store, prepare[k.Name]...)
			before := len(mongotest.Events(t, store))
			event := feed.Sent{Key: "test/1", Event: decode(t, k.Name, examples[k.Name])}
			for range 2 { // the second time it is a duplicate
				if _, err := newFeed(store).Apply(t.Context(), []feed.Sent{event}); err != nil {
					t.Fatal(err)
				}
			}
			events := mongotest.Events(t, store)[before:]
			var data []model.EventData
			for _, e := range events {
				data = append(data, mongotest.Recorded(e))
				if !e.At.Equal(feedTime) {
					t.Errorf("%s happened at %s", e.Type(), e.At)
				}
			}
			if diff := cmp.Diff(logged[k.Name], data); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Of a batch, the log has what changed, in order, and nothing of what is rejected or changes nothing.
func TestEventLogOfABatch(t *testing.T) {
	store, _ := mongotest.Open(t)
	storeGame(t, store)
	join := `{"player": "` + salted + `", "server": "EU1", "character": "` + dusk + `"}`
	enter := `{"character": "` + dusk + `", "server": "%s"}`
	try(t, store, decodeAll(t, [][2]string{
		{"PlayerLeft", `{"player": "` + salted + `"}`}, // offline already
		{"PlayerJoined", join},
		{"PlayerJoined", join},
		{"WorldEntered", fmt.Sprintf(enter, "EU1")},
		{"WorldEntered", fmt.Sprintf(enter, "EU2")},
		{"PlayerMoved", `{"player": "` + okapi + `", "location": {"x": 1, "y": 2, "z": 3}}`}, // rejected
		{"CharacterGained", `{"character": "` + dusk + `", "xp": 5}`},
		{"GuildLeft", `{"player": "` + okapi + `"}`}, // in no guild
		{"GuildProgressed", `{"guild": "` + moss + `", "level": 3, "xpPercent": 99}`},
		{"CharacterDeleted", `{"player": "` + salted + `", "character": "` + dusk + `"}`},
		{"PlayerDeleted", `{"player": "` + salted + `"}`},
		{"GuildDisbanded", `{"guild": "` + lanternRow.UUID + `"}`},
		{"GuildDisbanded", `{"guild": "` + lanternRow.UUID + `"}`},
	})...)
	guild := new(moss)
	want := []model.EventData{
		&model.PlayerCameOnline{Player: salted, World: new("EU1"), Guild: guild},
		&model.PlayerChangedWorld{Player: salted, From: new("EU1"), To: new("EU2"), Guild: guild},
		&model.PlayerChangedWorld{Player: salted, From: new("EU2"), Guild: guild},
		&model.PlayerWentOffline{Player: salted, Guild: guild},
		&model.GuildMemberLeft{Guild: moss, Player: salted},
	}
	for i := range 3 {
		want = append(want, &model.TerritoryCaptured{
			Territory: fmt.Sprint("Field ", i), From: &lanternRow, HeldSeconds: new(int64(3600 * i)),
		})
	}
	want = append(want, &model.GuildDisbanded{Guild: lanternRow})
	if diff := cmp.Diff(want, mongotest.EventData(t, store)); diff != "" {
		t.Error(diff)
	}
}
