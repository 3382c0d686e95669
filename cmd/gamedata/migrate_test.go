package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/internal/app/apptest"
	"gamedata/mongo"
	"gamedata/mongo/embedded"
	"gamedata/mongo/mongotest"
)

// inDatabase calls do with the database of an embedded store that no other process has open.
func inDatabase(t *testing.T, dir string, do func(context.Context, *driver.Database)) {
	t.Helper()
	server, err := embedded.Open(dir, embedded.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	client, err := driver.Connect(options.Client().ApplyURI(server.URI()).SetDialer(server))
	if err != nil {
		t.Fatal(err)
	}
	do(t.Context(), client.Database("gamedata"))
	if err := client.Disconnect(t.Context()); err != nil {
		t.Error(err)
	}
	if err := server.Close(); err != nil {
		t.Error(err)
	}
}

// doctor and export of a store without indexes create nothing; the doctor names the missing indexes and the command
// that builds them, also beside a service, which starts without the indexes of large collections.
func TestMigrate(t *testing.T) {
	dir := apptest.Dir(t)
	inDatabase(t, dir, func(ctx context.Context, db *driver.Database) {
		players := make([]bson.D, 20_001)
		for n := range players {
			players[n] = bson.D{{Key: "_id", Value: mongotest.UUID(n)}, {Key: "username", Value: "P"}}
		}
		for n := range 3 {
			players[n] = append(players[n], bson.E{Key: "nameFold", Value: "p"})
		}
		if _, err := db.Collection(mongo.Players).InsertMany(ctx, players); err != nil {
			t.Fatal(err)
		}
	})
	const missing = "players(online, _id) is missing"
	prints := func(code int, text string, args ...string) {
		t.Helper()
		expect(t, code, text, append(args, "--data-dir", dir)...)
	}
	prints(1, missing, "doctor", "--listen", "127.0.0.1:0")
	prints(1, "run gamedata migrate", "doctor", "--listen", "127.0.0.1:0")
	prints(0, "exported 20001 records", "export", filepath.Join(t.TempDir(), "export"))
	prints(0, missing, "migrate", "--dry-run")
	inDatabase(t, dir, func(ctx context.Context, db *driver.Database) {
		names, err := db.ListCollectionNames(ctx, bson.D{})
		if err != nil || len(names) != 1 {
			t.Errorf("reading created collections: %v, %v", names, err)
		}
		if specs, err := db.Collection(mongo.Players).Indexes().ListSpecifications(ctx); err != nil || len(specs) != 1 {
			t.Errorf("reading created indexes: %v, %v", specs, err)
		}
	})

	p := apptest.Start(t, "--data-dir", dir, "--leaderboard-refresh", "0")
	if res := apptest.Get(t, p.Base+"/readyz"); !res.Has("degraded") || !res.Has(missing) ||
		!res.Has("run gamedata migrate") {
		t.Errorf("readiness: %s", res.Body)
	}
	if log := p.Stderr.String(); !strings.Contains(log, missing) {
		t.Errorf("the log does not name the missing indexes: %s", log)
	}
	prints(0, "players(online, _id): built in", "migrate")
	prints(0, "all indexes exist", "migrate")
	prints(0, "all indexes exist", "migrate", "--dry-run")
	prints(0, "complete", "doctor", "--listen", "127.0.0.1:0")
}
