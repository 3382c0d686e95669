package jobs

import (
	"context"
	"time"

	"gamedata/mongo"
)

// State is what the jobs know of each other and of themselves, kept in the store.
type State struct {
	// RefreshedAt is the moment of the last refresh, FullAt that of the last full one, RanksAt
	// that of the last Ranks, SweptAt that of the last Sweep; zero before the first.
	RefreshedAt, FullAt, RanksAt, SweptAt time.Time
	// Unfinished says that a full refresh began and did not end: the next one is full again.
	Unfinished bool
}

const stateKey = "leaderboards"

// ReadState reads how far the jobs are.
func ReadState(ctx context.Context, store *mongo.Store) (State, error) {
	var s State
	_, err := store.ReadMark(ctx, stateKey, &s)
	return s, err
}
