package faults

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/internal/app/apptest"
	"gamedata/internal/jobs"
	"gamedata/mongo"
	"gamedata/mongo/conn"
)

// A record that a game server wrote wrongly is left out of lists, boards and jobs: only its own endpoints fail.
// It is logged once with its collection and id, and counted.
func TestMalformedRecords(t *testing.T) {
	t.Parallel()
	svc := apptest.OpenStore(t, apptest.DemoDir(t), apptest.Now)
	var log bytes.Buffer
	var counted sync.Map // by collection and id
	svc.Start(mongo.Options{Options: conn.Options{
		Timeout: time.Minute, ServerSelectionTimeout: time.Second, Log: slog.New(slog.NewTextHandler(&log, nil)),
		OnMalformed: func(collection, id string) { counted.Store(collection+" "+id, true) },
	}})
	db := database(t, svc)
	var character, guild struct {
		ID string `bson:"_id"`
	}
	brindle := apptest.CastUUID("Brindle")
	for collection, find := range map[string]struct {
		filter bson.M
		into   any
	}{"characters": {bson.M{"owner": brindle}, &character}, "guilds": {bson.M{"name": "Mossbound Company"}, &guild}} {
		if err := db.Collection(collection).FindOne(t.Context(), find.filter).Decode(find.into); err != nil {
			t.Fatal(err)
		}
	}
	paths := endpointsOf(t, svc)
	for _, c := range []struct{ collection, id, field, own string }{
		{"players", brindle, "username", "Brindle"},
		{"players", brindle, "rules", "Brindle"},
		{"players", brindle, "guild", "Brindle"},
		{"players", brindle, "globalData.wars", "Brindle"},
		{"players", brindle, "previousRanking", "Brindle"},
		{"characters", character.ID, "level", character.ID},
		{"characters", character.ID, "type", character.ID},
		{"guilds", guild.ID, "level", "Mossbound"},
	} {
		t.Run(c.collection+" "+c.field, func(t *testing.T) {
			records := db.Collection(c.collection)
			var before bson.M
			if err := records.FindOne(t.Context(), bson.M{"_id": c.id}).Decode(&before); err != nil {
				t.Fatal(err)
			}
			spoilt := any(7.5)
			if c.field == "level" || c.field == "type" { // neither a number nor a class
				spoilt = "many"
			}
			if _, err := records.UpdateByID(t.Context(), c.id, bson.M{"$set": bson.M{c.field: spoilt}}); err != nil {
				t.Fatal(err)
			}
			defer func() {
				if _, err := records.ReplaceOne(t.Context(), bson.M{"_id": c.id}, before); err != nil {
					t.Error(err)
				}
			}()
			svc.Advance(25 * time.Hour) // nothing cached can be served
			failed := false
			for _, path := range paths {
				res := svc.Handle(path)
				own := strings.Contains(path, c.own) || strings.Contains(path, c.id) || c.collection == "guilds" &&
					strings.Contains(path, "/guild/prefix/MOSS")
				switch {
				case res.Code == 503 || res.Code == 500 && !own:
					t.Errorf("%s: %d %.200s", path, res.Code, res.Body)
				case res.Code == 500:
					failed = true
				}
			}
			if !failed {
				t.Error("the record's own endpoint does not fail")
			}
			if _, ok := counted.Load(c.collection + " " + c.id); !ok {
				t.Error("not counted")
			}
			bad, err := svc.Store.Export.Malformed(t.Context())
			if err != nil || len(bad) != 1 || !strings.Contains(bad[0].Error(), c.id) {
				t.Errorf("doctor would list %v, %v", bad, err)
			}
			if n := strings.Count(log.String(), "id="+c.id); n != 1 {
				t.Errorf("logged %d times, want once:\n%s", n, log.String())
			}
			if !slices.Contains([]string{"globalData.wars", "guild", "level"}, c.field) {
				return // jobs do not read it
			}
			for _, full := range []bool{true, false} {
				if _, err := jobs.Refresh(t.Context(), svc.Store, svc.Clock(), jobs.Options{Full: full}); err != nil {
					t.Errorf("refresh: %v", err)
				}
			}
			if _, err := jobs.Ranks(t.Context(), svc.Store, svc.Clock(), jobs.Options{}); err != nil {
				t.Errorf("ranks: %v", err)
			}
		})
	}
}

// database returns the records of a service, for changes that no store allows.
func database(t *testing.T, svc *apptest.Service) *driver.Database {
	t.Helper()
	client, err := driver.Connect(options.Client().ApplyURI(svc.Server.URI()).SetDialer(svc))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Disconnect(context.Background()) })
	return client.Database("gamedata")
}

// endpointsOf returns a path of each endpoint without a body, for each name of the demo world that they need, and all
// leaderboards.
func endpointsOf(t *testing.T, svc *apptest.Service) []string {
	t.Helper()
	paths := []string{
		"/v3/player", "/v3/player?identifier=uuid", "/v3/guild/list/guild", "/v3/guild/list/territory", "/v3/guild/seasons",
		"/v3/leaderboards/types", "/v3/search/brin", "/v3/search/moss", "/v3/player/Brindle", "/v3/player/Brindle?fullResult",
		"/v3/player/Salted?fullResult", "/v3/player/Brindle/characters", "/v3/player/Salted/characters",
		"/v3/player/" + apptest.CastUUID("Brindle"), "/v3/guild/" + url.PathEscape("Mossbound Company"), "/v3/guild/prefix/MOSS",
		"/v3/guild/" + url.PathEscape("Lantern Row"), "/v3/player/whoami", "/v3/classes",
	}
	list, err := svc.Store.Characters.ByOwner(t.Context(), []string{apptest.CastUUID("Brindle")})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list[0] {
		paths = append(paths, "/v3/player/Brindle/characters/"+c.UUID, "/v3/player/Brindle/characters/"+c.UUID+"/abilities")
	}
	for _, name := range apptest.Decode[[]string](t, svc.Handle("/v3/leaderboards/types").Body.Bytes()) {
		paths = append(paths, "/v3/leaderboards/"+name)
	}
	if len(paths) < 60 {
		t.Fatal(fmt.Sprint("too few endpoints: ", paths))
	}
	return paths
}

// A territory with a level that no enum has is left out of the lists of territories.
func TestMalformedTerritory(t *testing.T) {
	t.Parallel()
	svc := apptest.NewService(t)
	const list = "/v3/guild/list/territory"
	const query = "/graphql?query={territories(first:1000){totalCount,nodes{name,treasury}}}"
	all := apptest.Decode[map[string]any](t, svc.Request("GET", list, "").Body)
	records := database(t, svc).Collection("territories")
	var spoilt struct{ Name string }
	if err := records.FindOneAndUpdate(t.Context(), bson.M{}, bson.M{"$set": bson.M{"treasury": "SOLID"}}).
		Decode(&spoilt); err != nil {
		t.Fatal(err)
	}
	svc.Advance(time.Hour)
	left := apptest.Decode[map[string]any](t, svc.Request("GET", list, "").Body)
	if _, found := left[spoilt.Name]; found || len(left) != len(all)-1 {
		t.Errorf("got %d territories of %d, with the malformed one: %v", len(left), len(all), found)
	}
	got := svc.Request("GET", query, "")
	if !bytes.Contains(got.Body, fmt.Appendf(nil, `"totalCount":%d`, len(all)-1)) ||
		bytes.Contains(got.Body, []byte("errors")) {
		t.Errorf("got %.300s", got.Body)
	}
}
