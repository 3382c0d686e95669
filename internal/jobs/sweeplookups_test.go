package jobs_test

import (
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
	"gamedata/internal/jobs"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// A sweep adds a lookup that was lost and removes an unused one.
func TestSweepRepairsLookups(t *testing.T) {
	store, server := mongotest.Open(t)
	p := &model.Player{UUID: mongotest.UUID(1), Username: "Salted", Party: "p"}
	if err := store.InsertPlayers(t.Context(), []*model.Player{p}); err != nil {
		t.Fatal(err)
	}
	mongotest.AgeLookups(t, server)
	lookups := server.Database(t).Collection(mongo.PlayerLookups)
	if _, err := lookups.DeleteOne(t.Context(), bson.D{{Key: "_id", Value: "party\tp\t" + p.UUID}}); err != nil {
		t.Fatal(err)
	}
	if _, err := lookups.InsertOne(t.Context(), bson.D{{Key: "_id", Value: "address\ta\t" + p.UUID}}); err != nil {
		t.Fatal(err)
	}
	if check, err := store.CheckLookups(t.Context()); err != nil || check.Missing != 1 || check.Example != p.UUID {
		t.Errorf("before: got %+v, %v, want one missing", check, err)
	}
	r, err := jobs.Sweep(t.Context(), store, time.Now(), jobs.Options{})
	if err != nil || r.Lookups != 2 {
		t.Errorf("got %+v, %v, want 2 lookups", r, err)
	}
	if missing, unused := mongotest.CompareLookups(t, server); len(missing)+len(unused) > 0 {
		t.Errorf("%q are missing, %q are left over", missing, unused)
	}
}
