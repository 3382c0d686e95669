// Package feed is the write API for game servers. A Batch collects what happened in the game and
// writes it to the store, many events with few commands.
package feed

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// Batch collects game events until Write. Each method is one event: it changes the records it is
// given and records the same change for the store, so that the game's copy and the stored one stay
// equal. Counters are written with $inc, so that several writers may count at once; levels, lists
// and other whole values belong to the game and are set.
//
// A batch never writes fields that others own: ranking and previousRanking belong to the jobs,
// rules to the player. The records must not change between an event and Write. The zero Batch is
// ready to use; it is not safe for concurrent use.
type Batch struct {
	newPlayers    []*model.Player
	newCharacters []*model.Character
	newGuilds     []*model.Guild

	players, characters, guilds, territories changes
	renames                                  []driver.WriteModel
}

// Result reports what Write did.
type Result struct {
	// Written is the number of records inserted or updated, Missing the number of changes whose
	// record is not in the store.
	Written, Missing int64
	// Commands is the number of commands sent.
	Commands int
}

// Write writes the batch: new records first, then a bulk of updates for each collection. After an
// error part of it may be written. The game then reads its records again: a batch that is written
// twice counts twice.
func (b *Batch) Write(ctx context.Context, store *mongo.Store) (Result, error) {
	var r Result
	if n := len(b.newPlayers); n > 0 {
		r.inserted(n, 1)
		if err := store.InsertPlayers(ctx, b.newPlayers); err != nil {
			return r, err
		}
	}
	if n := len(b.newCharacters); n > 0 {
		r.inserted(n, 1)
		if err := store.InsertCharacters(ctx, b.newCharacters); err != nil {
			return r, err
		}
	}
	if n := len(b.newGuilds); n > 0 {
		r.inserted(n, 2) // it looks up the names first
		if err := store.InsertGuilds(ctx, b.newGuilds); err != nil {
			return r, err
		}
	}
	for _, step := range b.updates() {
		if err := r.update(ctx, store, step.collection, step.writes); err != nil {
			return r, err
		}
	}
	return r, nil
}

// bulk is the writes of one command.
type bulk struct {
	collection string
	writes     []driver.WriteModel
}

// updates returns all writes after the new records, in order.
func (b *Batch) updates() []bulk {
	var out []bulk
	for _, c := range []struct {
		collection, key string
		changes         *changes
	}{
		{mongo.Players, "_id", &b.players},
		{mongo.Characters, "_id", &b.characters},
		{mongo.Guilds, "_id", &b.guilds},
		{mongo.Territories, "name", &b.territories},
	} {
		for _, writes := range c.changes.bulks(c.key) {
			out = append(out, bulk{c.collection, writes})
		}
	}
	return append(out, bulk{mongo.Players, b.renames})
}

// journalEntry returns the writes of the batch as a journal entry.
func (b *Batch) journalEntry(number int64, keys []*mongo.FeedKey) ([]byte, error) {
	entry := mongo.NewJournalEntry(number)
	errs := []error{
		entry.Insert(mongo.Players, anys(b.newPlayers)...),
		entry.Insert(mongo.Characters, anys(b.newCharacters)...),
		entry.Insert(mongo.Guilds, anys(b.newGuilds)...),
	}
	for _, step := range b.updates() {
		errs = append(errs, entry.Update(step.collection, step.writes))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return entry.Encode(keys)
}

func anys[T any](records []*T) []any {
	out := make([]any, len(records))
	for i, r := range records {
		out[i] = r
	}
	return out
}

func (r *Result) inserted(records, commands int) {
	r.Written += int64(records)
	r.Commands += commands
}

func (r *Result) update(ctx context.Context, store *mongo.Store, collection string,
	writes []driver.WriteModel,
) error {
	if len(writes) == 0 {
		return nil
	}
	r.Commands++
	matched, err := store.BulkUpdate(ctx, collection, writes)
	if err != nil {
		return err
	}
	r.Written += matched
	r.Missing += max(int64(len(writes))-matched, 0)
	return nil
}

// renameMembers changes the guild's name in every stored player that refers to it.
func (b *Batch) renameMembers(g *model.Guild) {
	set := bson.D{{Key: "guild.name", Value: g.Name}, {Key: "guild.prefix", Value: g.Prefix}}
	b.renames = append(b.renames, driver.NewUpdateManyModel().
		SetFilter(bson.D{{Key: "guild.uuid", Value: g.UUID}}).
		SetUpdate(bson.D{{Key: "$set", Value: set}}))
}
