package seed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// ErrInhabited says that a store holds players already: a demo world is only made in an
// empty one.
var ErrInhabited = errors.New("the store holds players already")

// batch is how many players go to the store at once; it bounds the memory of a run.
const batch = 1000

// MarkKey is the key under which a finished run leaves a Mark in the store; a run that has
// begun leaves one under begunKey.
const (
	MarkKey  = "seed"
	begunKey = "seedBegun"
)

// Mark tells how a store was seeded.
type Mark struct {
	Players int    `json:"players"`
	Seed    string `json:"seed"` // decimal: it may exceed what BSON holds
	At      string `json:"at"`   // date-time
}

// mark is the Mark of a run with these options.
func (o Options) mark() Mark {
	return Mark{Players: o.Players, Seed: fmt.Sprint(o.Seed), At: model.FormatDateTime(o.Now)}
}

// Run makes a demo world in an empty store: content, then players in batches, then their guilds, then the
// Mark under MarkKey. A run that was broken off is taken up again with its own options, so
// that the world becomes the one that was begun. It fails with ErrInhabited when the store
// holds players of another origin, or a finished world.
func Run(ctx context.Context, store *mongo.Store, o Options) error {
	if err := o.check(); err != nil {
		return err
	}
	o.Now = o.moment()
	again, err := begun(ctx, store, &o)
	if err != nil {
		return err
	}
	write := writer{store.InsertPlayers, store.InsertCharacters, store.InsertGuilds}
	if again {
		write = writer{store.PutPlayers, store.PutCharacters, store.PutGuilds}
	} else if err := store.SetMark(ctx, begunKey, o.mark()); err != nil {
		return err
	}
	if err := putContent(ctx, store, o); err != nil {
		return err
	}
	if err := store.PutTerritories(ctx, Territories(o)); err != nil {
		return err
	}
	guilds, err := putPlayers(ctx, write, o)
	if err != nil {
		return err
	}
	if err := putGuilds(ctx, write, guildRecords(o, guilds)); err != nil {
		return err
	}
	return store.SetMark(ctx, MarkKey, o.mark())
}

// begun tells whether a run was broken off here, and gives o its options. A store that
// somebody else's players live in, or a finished world, is ErrInhabited.
func begun(ctx context.Context, store *mongo.Store, o *Options) (bool, error) {
	var before, finished Mark
	done, err := store.ReadMark(ctx, MarkKey, &finished)
	if err != nil {
		return false, err
	}
	again, err := store.ReadMark(ctx, begunKey, &before)
	if err != nil {
		return false, err
	}
	n, err := store.CountPlayers(ctx)
	if err != nil {
		return false, err
	}
	switch {
	case done, n > 0 && !again:
		return false, fmt.Errorf("%w: %d", ErrInhabited, n)
	case !again:
		return false, nil
	}
	if o.Seed, err = strconv.ParseUint(before.Seed, 10, 64); err != nil {
		return false, err
	}
	o.Players = before.Players
	o.Now, err = time.Parse(time.RFC3339, before.At)
	return true, err
}

// Wanted tells whether a demo world belongs into a store: it is empty, or a run was broken
// off in it.
func Wanted(ctx context.Context, store *mongo.Store) (bool, error) {
	again, err := begun(ctx, store, &Options{})
	switch {
	case errors.Is(err, ErrInhabited):
		return false, nil
	case err != nil || again:
		return again, err
	}
	versions, err := store.Versions(ctx)
	return len(versions) == 0, err
}

// writer is how batches reach the store.
type writer struct {
	players    func(context.Context, []*model.Player) error
	characters func(context.Context, []*model.Character) error
	guilds     func(context.Context, []*model.Guild) error
}

func putContent(ctx context.Context, store *mongo.Store, o Options) error {
	for _, put := range []func() error{
		func() error { return store.PutItems(ctx, Items()) },
		func() error { return store.PutSets(ctx, Sets()) },
		func() error { return store.PutRecipes(ctx, Recipes()) },
		func() error { return store.PutClasses(ctx, Classes()) },
		func() error { return store.PutAbilityTrees(ctx, AbilityTrees()) },
		func() error { return store.PutAspectLists(ctx, Aspects()) },
		func() error { return store.PutMapMarkers(ctx, MapMarkers()) },
		func() error { return store.PutGatheringNodes(ctx, GatheringNodes()) },
		func() error { return store.PutWorldEvents(ctx, WorldEvents()) },
		func() error { return store.PutLootPools(ctx, LootPools()) },
		func() error { return store.PutQuestSummary(ctx, QuestSummary()) },
		func() error { return store.PutSeasons(ctx, Seasons(o.Now)) },
		func() error { return store.PutDiscoveries(ctx, Discoveries()) },
		func() error { return store.PutArticles(ctx, Articles(o)) },
		func() error { return store.PutVideos(ctx, Videos()) },
		func() error { return store.PutLatestNews(ctx, LatestNews()) },
	} {
		if err := put(); err != nil {
			return err
		}
	}
	return nil
}

// putPlayers stores the players and gives what they add up to for their guilds.
func putPlayers(ctx context.Context, write writer, o Options) (tallies, error) {
	guilds := tallies{}
	players := make([]*model.Player, 0, batch)
	characters := make([]*model.Character, 0, 3*batch)
	done := 0
	flush := func() error {
		if err := errors.Join(write.players(ctx, players), write.characters(ctx, characters)); err != nil {
			return err
		}
		done += len(players)
		players, characters = players[:0], characters[:0]
		if o.Progress != nil {
			o.Progress(done, o.Players)
		}
		return ctx.Err()
	}
	for p, cs := range Players(o) {
		guilds.add(p)
		players, characters = append(players, p), append(characters, cs...)
		if len(players) == batch {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	if len(players) > 0 {
		return guilds, flush()
	}
	return guilds, nil
}

func putGuilds(ctx context.Context, write writer, guilds []*model.Guild) error {
	for some := range slices.Chunk(guilds, batch) {
		if err := errors.Join(write.guilds(ctx, some), ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}
