package simulator

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
	"gamedata/mongo"
)

// DefaultPlayers is the default maximum number of simulated players.
const DefaultPlayers = 2000

// maxGuilds bounds the guilds without territory in a world.
const maxGuilds = 200

// batchSize is how many players one command reads.
const batchSize = 250

// ErrEmpty is returned for a store without players that can be simulated.
var ErrEmpty = errors.New("the store has no players to simulate")

// Load reads a world from a store: territories, their holders and other guilds, and up to o.Players players.
func Load(ctx context.Context, store *mongo.Store, o Options) (*World, error) {
	var s Setting
	var err error
	if s.Territories, err = store.Territories.Records(ctx); err != nil {
		return nil, err
	}
	if s.Seasons, err = mongo.Seasons.Read(ctx, store); err != nil {
		return nil, err
	}
	if s.Guilds, err = loadGuilds(ctx, store, s.Territories); err != nil {
		return nil, err
	}
	if s.Players, err = choosePlayers(ctx, store, cmp.Or(o.Players, DefaultPlayers)); err != nil {
		return nil, err
	}
	joined, err := store.Players.EstimateCount(ctx)
	if err != nil {
		return nil, err
	}
	s.Joined = int(joined)
	s.NewcomerEvery = seed.NewcomerEvery(len(s.Players))
	source := Source{Players: store.Players.ByID, Characters: store.Characters.ByOwner}
	w, err := NewWorld(ctx, source, o.Seed, o.Start.UTC().Truncate(time.Millisecond), s)
	if err != nil {
		return nil, err
	}
	if len(w.players) == 0 {
		return nil, ErrEmpty
	}
	return w, nil
}

// loadGuilds reads the guilds that hold territories, then other guilds by uuid.
func loadGuilds(ctx context.Context, store *mongo.Store, territories []*model.Territory) ([]*model.Guild, error) {
	others, err := store.Scores.UUIDsAfter(ctx, mongo.RankedGuilds, "", maxGuilds)
	if err != nil {
		return nil, err
	}
	uuids := slices.AppendSeq(others, maps.Keys(model.TerritoryCounts(territories)))
	slices.Sort(uuids)
	found, err := store.Guilds.ByID(ctx, slices.Compact(uuids))
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(found, func(g *model.Guild) bool { return g == nil }), nil
}

// choosePlayers returns the uuids of the players to simulate: the cast, players who are online, then any.
func choosePlayers(ctx context.Context, store *mongo.Store, limit int) ([]string, error) {
	var cast []string
	for _, m := range seed.Cast {
		cast = append(cast, m.UUID)
	}
	online, err := store.Players.OnlineUUIDs(ctx)
	if err != nil {
		return nil, err
	}
	others, err := store.Scores.UUIDsAfter(ctx, mongo.RankedPlayers, "", limit)
	chosen := map[string]bool{}
	for _, uuid := range slices.Concat(cast, online, others) {
		if len(chosen) < limit {
			chosen[uuid] = true
		}
	}
	return slices.Sorted(maps.Keys(chosen)), err
}
