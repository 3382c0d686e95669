package seed

import (
	"context"
	"errors"
	"fmt"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// ErrInhabited says that a store holds players already: a demo world is only made in an
// empty one.
var ErrInhabited = errors.New("the store holds players already")

// batch is how many players go to the store at once; it bounds the memory of a run.
const batch = 1000

// MarkKey is the key under which a finished run leaves a Mark in the store.
const MarkKey = "seed"

// Mark tells how a store was seeded.
type Mark struct {
	Players int    `json:"players"`
	Seed    string `json:"seed"` // decimal: it may exceed what BSON holds
	At      string `json:"at"`   // date-time
}

// Run makes a demo world in an empty store: content, then players in batches, then the
// Mark under MarkKey. It fails with ErrInhabited when there are players. A run that fails
// on the way leaves what it wrote and no Mark.
func Run(ctx context.Context, store *mongo.Store, o Options) error {
	if err := o.check(); err != nil {
		return err
	}
	o.Now = o.moment()
	n, err := store.CountPlayers(ctx)
	if err != nil {
		return err
	}
	if n > 0 {
		return fmt.Errorf("%w: %d", ErrInhabited, n)
	}
	if err := putContent(ctx, store); err != nil {
		return err
	}
	if err := putPlayers(ctx, store, o); err != nil {
		return err
	}
	return store.Mark(ctx, MarkKey, Mark{Players: o.Players, Seed: fmt.Sprint(o.Seed), At: model.FormatDateTime(o.Now)})
}

func putContent(ctx context.Context, store *mongo.Store) error {
	for _, put := range []func() error{
		func() error { return store.PutItems(ctx, Items()) },
		func() error { return store.PutSets(ctx, Sets()) },
		func() error { return store.PutRecipes(ctx, Recipes()) },
		func() error { return store.PutClasses(ctx, Classes()) },
		func() error { return store.PutAbilityTrees(ctx, AbilityTrees()) },
		func() error { return store.PutAspectLists(ctx, Aspects()) },
	} {
		if err := put(); err != nil {
			return err
		}
	}
	return nil
}

func putPlayers(ctx context.Context, store *mongo.Store, o Options) error {
	players := make([]*model.Player, 0, batch)
	characters := make([]*model.Character, 0, 3*batch)
	done := 0
	flush := func() error {
		if err := errors.Join(store.InsertPlayers(ctx, players), store.InsertCharacters(ctx, characters)); err != nil {
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
		players, characters = append(players, p), append(characters, cs...)
		if len(players) == batch {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if len(players) > 0 {
		return flush()
	}
	return nil
}
