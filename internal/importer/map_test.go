package importer_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
	"gamedata/internal/importer"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

func readAndApply(t *testing.T, store *mongo.Store, field, data string, vars map[string]any) *importer.Import {
	t.Helper()
	i, err := importer.Read(field, json.RawMessage(data), vars)
	if err == nil {
		err = i.Apply(t.Context(), store)
	}
	if err != nil {
		t.Fatalf("%s: %v", field, err)
	}
	return i
}

func storedPlayer(t *testing.T, store *mongo.Store, n int) *model.Player {
	t.Helper()
	found := mongotest.Value(store.Players.ByID(t.Context(), []string{mongotest.UUID(n)}))(t)
	return found[0]
}

const (
	mill = `{"name":"Mill","guildUuid":"00000000-0000-4000-8000-000000000001","guildName":"Moss",
		"guildPrefix":"M","guildHeadquartersName":"Keep","hq":false,"linkNames":[],"resources":[],
		"location":{"start":{"x":1,"z":2},"end":{"x":3,"z":4}}}`
	keep = `{"name":"Keep","guildUuid":"00000000-0000-4000-8000-000000000001","guildName":"Moss",
		"guildPrefix":"M","guildHeadquartersName":"Keep","hq":true,"linkNames":[],"resources":[],
		"location":{"start":{"x":1,"z":2},"end":{"x":3,"z":4}}}`
)

// An import of the map is stored with its captures and the counters of the guilds, or not at all.
func TestMapImportIsWhole(t *testing.T) {
	store, server := mongotest.Open(t)
	_, err := server.Database(t).Collection(mongo.Guilds).InsertOne(t.Context(),
		bson.D{{Key: "_id", Value: mongotest.UUID(1)}, {Key: "captured", Value: "malformed"}})
	mongotest.Must(t, err, store.Territories.Put(t.Context(), []*model.Territory{
		{Name: "Mill", Guild: &model.TerritoryGuild{}},
	}))
	i := mongotest.Value(importer.Read("territories", json.RawMessage(`{"nodes":[`+mill+`,`+keep+`]}`), nil))(t)
	if err := i.Apply(t.Context(), store); err == nil {
		t.Error("a capture of a malformed guild was counted")
	}
	all, err := store.Territories.All(t.Context())
	if err != nil || len(all) != 1 || all[0].Guild.UUID != nil || len(mongotest.Events(t, store)) > 0 {
		t.Errorf("got the territories %+v, %v", all, err)
	}
}

// Territories that a recording lacks are deleted.
func TestImportTerritories(t *testing.T) {
	store, _ := mongotest.Open(t)
	mongotest.Must(t, store.Territories.Put(t.Context(), []*model.Territory{
		{Name: "Missing", Guild: &model.TerritoryGuild{}},
		{Name: "Mill", Guild: &model.TerritoryGuild{}},
	}))
	readAndApply(t, store, "territories", `{"refreshedAt":null,"nodes":[`+mill+`,`+keep+`]}`, nil)
	all, err := store.Territories.All(t.Context())
	if err != nil || len(all) != 2 || all[0].Name != "Keep" || all[1].Name != "Mill" || *all[1].Guild.Name != "Moss" ||
		all[1].Guild.Hq != nil {
		t.Errorf("got %+v, %v", all, err)
	}
}

func TestMapImportRejects(t *testing.T) {
	for name, c := range map[string]struct{ field, data, want string }{
		"headquarters elsewhere": {"territories", `{"nodes":[` + mill + `]}`, "guild.hq"},
		"headquarters not named": {
			"territories", `{"nodes":[` + strings.Replace(keep, `"guildHeadquartersName":"Keep"`,
				`"guildHeadquartersName":null`, 1) + `]}`,
			"guild.hq",
		},
		"headquarters without guild": {"territories", `{"nodes":[` + strings.Replace(mill,
			`"00000000-0000-4000-8000-000000000001"`, `null`, 1) + `]}`, "guild.hq"},
		"no location":   {"territories", `{"nodes":[{"name":"Mill"}]}`, "entry 1"},
		"no territory":  {"territories", `{"nodes":[null]}`, "entry 1"},
		"not a uuid":    {"territories", `{"nodes":[` + strings.Replace(keep, `-4000-`, `-`, 1) + `]}`, "uuid"},
		"two of a name": {"territories", `{"nodes":[` + keep + `,` + keep + `]}`, "entry 2"},
		"finer than milliseconds": {"territories", `{"nodes":[` + strings.Replace(keep, `"hq":true`,
			`"hq":true,"acquiredAt":"2026-03-19T20:14:09.310001Z"`, 1) + `]}`, "millisecond"},
		"schedule too fine": {
			"worldEvents", `{"nodes":[{"internalName":"a","startsAt":"2026-03-19T20:14:09.310001Z"}]}`,
			"millisecond",
		},
		"two events of a name": {"worldEvents", `{"nodes":[{"internalName":"a"},{"internalName":"a"}]}`, "entry 2"},
		"a raid among camps": {
			"lootPools", `{"nodes":[{"internalName":"a","type":"CAMP","lore":null},
				{"internalName":"b","type":"RAID","lore":null}]}`,
			"another type",
		},
		"another pool": {"lootPools", `{"nodes":[{"internalName":"a","type":"CAVE","rewards":[]}]}`, "type"},
		"two pools of a name": {
			"lootPools", `{"nodes":[{"internalName":"a","type":"CAMP"},{"internalName":"a","type":"RAID"}]}`,
			"entry 2",
		},
		"presence": {"playerLocations", `[]`, "at the time"},
	} {
		t.Run(name, func(t *testing.T) { checkRejected(t, c.field, c.data, c.want) })
	}
}

// A recorded start replaces the timetable, unless that agrees with it.
func TestImportWorldEvents(t *testing.T) {
	store, _ := mongotest.Open(t)
	begun := time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)
	hourly := func() *model.Timetable { return &model.Timetable{First: begun, EverySeconds: 3600} }
	place := []*model.WorldEventPlace{{}}
	mongotest.Must(t, mongo.WorldEvents.Put(t.Context(), store, []*model.WorldEvent{
		{InternalName: "a", Timetable: hourly()},
		{InternalName: "b", Timetable: hourly()},
		{InternalName: "c", Timetable: hourly()},
		{InternalName: "missing", Timetable: hourly()},
	}))
	readAndApply(
		t,
		store,
		"worldEvents",
		`{"nodes":[{"internalName":"d","places":[{}],"startsAt":"2026-03-20T05:00:00Z"},{"internalName":"c","places":[{}],
			"startsAt":"2026-03-20T05:30:00Z"},{"internalName":"b","places":[{}],"startsAt":"2026-03-20T05:00:00Z"},
			{"internalName":"a","places":[{}],"startsAt":null},{"internalName":"e","places":[{}],"startsAt":null}]}`,
		nil,
	)
	at := func(d time.Duration) *model.Timetable { return &model.Timetable{First: begun.Add(d)} }
	want := []*model.WorldEvent{
		{InternalName: "d", Places: place, Timetable: at(5 * time.Hour)},
		{
			InternalName: "c",
			Places:       place, Timetable: at(5*time.Hour + 30*time.Minute),
		},
		{InternalName: "b", Places: place, Timetable: hourly()},
		{InternalName: "a", Places: place, Timetable: hourly()},
		{InternalName: "e", Places: place},
	}
	got, err := mongo.WorldEvents.Read(t.Context(), store)
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Error(err, d)
	}
}
