package loaders_test

import (
	"errors"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/internal/demo"
	"gamedata/internal/demo/seed"
	"gamedata/internal/jobs"
	"gamedata/loaders"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// A malformed standing fails the ranking of one player only.
func TestMalformedStandingFailsAlone(t *testing.T) {
	store, server := mongotest.Open(t)
	now := time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)
	mongotest.Must(t, demo.Create(t.Context(), store, seed.Options{Players: 60, Seed: 1, Now: now}))
	mongotest.Value(jobs.Refresh(t.Context(), store, now, jobs.Options{Full: true}))(t)
	malformed, other := seed.Cast[0].UUID, seed.Cast[2].UUID
	mongotest.Value(server.Database(t).Collection("playerStandings").UpdateByID(t.Context(), malformed,
		bson.M{"$set": bson.M{"entries": "many"}}))(t)
	ctx := loaders.New(store, loaders.Options{}).Attach(t.Context(), nil)
	rankings, errs := loaders.From(ctx).PlayerRanking.LoadMany(ctx, []string{malformed, other})()
	if len(errs) != 2 || !errors.As(errs[0], new(*mongo.MalformedError)) || errs[1] != nil ||
		len(rankings[1].Positions) < 20 {
		t.Errorf("got %+v, %v", rankings, errs)
	}
}
