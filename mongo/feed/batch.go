// Package feed is the write API for game servers. A Batch collects what happened in the game and
// writes it to the store, many events with few commands.
package feed

import (
	"context"
	"errors"
	"slices"
	"time"

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
// A batch never writes fields that others own: ranking and previousRanking belong to the jobs. The
// records must not change between an event and Write. The zero Batch is ready to use; it is not safe for
// concurrent use.
type Batch struct {
	// At is the time of what happens without one of its own; the time of writing when zero.
	At time.Time

	newPlayers    []*model.Player
	newCharacters []*model.Character
	newGuilds     []*model.Guild

	players, characters, guilds, territories changes
	renames                                  []driver.WriteModel

	deletedPlayers, disbanded []string // uuids
	deletedCharacters         []bson.D // filters

	unfriended   []driver.WriteModel // of friends of deleted players
	formerGuilds []*model.FormerGuild
	linkCodes    []*model.LinkCode
	purged       []string // uuids of players
	events       []mongo.NewEvent
}

// Result reports what Write did.
type Result struct {
	// Written is the number of records inserted, updated or deleted, Missing the number of changes and
	// deletions whose record is not in the store.
	Written, Missing int64
	// Commands is the number of commands sent.
	Commands int
}

// Write writes the batch: deletions first, so that names and uuids can be used again, then new records,
// then a bulk of updates for each collection, then entries of the event log. After an error part of it may be written.
// The game then reads its records again: a batch that is written twice counts twice.
func (b *Batch) Write(ctx context.Context, store *mongo.Store) (Result, error) {
	var r Result
	for _, step := range b.deletions() {
		if err := r.write(ctx, store, step); err != nil {
			return r, err
		}
	}
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
		if err := r.write(ctx, store, step); err != nil {
			return r, err
		}
	}
	if err := b.purge(ctx, store); err != nil || len(b.events) == 0 {
		return r, err
	}
	r.Commands += 2 // it reads the latest event first
	return r, store.AppendEvents(ctx, b.events...)
}

// bulk is new records of a collection, or updates and deletions.
type bulk struct {
	collection string
	inserts    []any
	writes     []driver.WriteModel
	// references: the writes change whatever refers to a record, so that nothing is missing when they match
	// no record.
	references bool
}

// deletions returns the writes before the new records, in order. What refers to a record is changed before
// it is deleted, so that repeating the event completes a deletion that was interrupted.
func (b *Batch) deletions() []bulk {
	var characters, players, guilds []driver.WriteModel
	var accounts, codes, owned, playerStandings, former, members, guildStandings []driver.WriteModel
	pending := bson.D{{Key: "$set", Value: bson.D{{Key: "pending", Value: true}}}}
	for _, uuid := range b.deletedPlayers {
		accounts = append(accounts, driver.NewUpdateManyModel().SetFilter(bson.D{{Key: "profiles", Value: uuid}}).
			SetUpdate(bson.D{{Key: "$pull", Value: bson.D{{Key: "profiles", Value: uuid}}}}))
		codes = append(codes, driver.NewDeleteManyModel().SetFilter(bson.D{{Key: "player", Value: uuid}}))
		owned = append(owned, driver.NewDeleteManyModel().SetFilter(bson.D{{Key: "owner", Value: uuid}}))
		playerStandings = append(playerStandings, driver.NewUpdateManyModel().SetFilter(byID(uuid)).SetUpdate(pending))
		players = append(players, driver.NewDeleteOneModel().SetFilter(byID(uuid)))
	}
	for _, filter := range b.deletedCharacters {
		characters = append(characters, driver.NewDeleteOneModel().SetFilter(filter))
	}
	for _, g := range b.formerGuilds {
		former = append(former, driver.NewDeleteManyModel().SetFilter(byID(g.UUID)))
	}
	for _, uuid := range b.disbanded {
		members = append(members, driver.NewUpdateManyModel().SetFilter(bson.D{{Key: "guild.uuid", Value: uuid}}).
			SetUpdate(bson.D{
				{Key: "$set", Value: bson.D{{Key: "guild", Value: nil}}},
				{Key: "$unset", Value: bson.D{{Key: "membership", Value: ""}}},
			}))
		guildStandings = append(guildStandings, driver.NewUpdateManyModel().SetFilter(byID(uuid)).SetUpdate(pending))
		guilds = append(guilds, driver.NewDeleteOneModel().SetFilter(byID(uuid)))
	}
	return []bulk{
		{collection: mongo.Players, writes: b.unfriended, references: true},
		{collection: mongo.Accounts, writes: accounts, references: true},
		{collection: mongo.LinkCodes, writes: codes, references: true},
		{collection: mongo.Characters, writes: owned, references: true},
		{collection: mongo.PlayerStandings, writes: playerStandings, references: true},
		{collection: mongo.Players, writes: players},
		{collection: mongo.Characters, writes: characters},
		{collection: mongo.FormerGuilds, writes: former, references: true},
		{collection: mongo.FormerGuilds, inserts: anys(b.formerGuilds)},
		{collection: mongo.Players, writes: members, references: true},
		{collection: mongo.GuildStandings, writes: guildStandings, references: true},
		{collection: mongo.Guilds, writes: guilds},
	}
}

// player returns the changes of a player.
func (b *Batch) player(p *model.Player) *change {
	c := b.players.at(p.UUID, byID(p.UUID))
	// Totals show when a player plays, so they are hidden like the last join.
	c.shared = p.Rules.Share("lastJoin")
	return c
}

// character returns the changes of a character.
func (b *Batch) character(c *model.Character) *change {
	return b.characters.at(c.UUID, ofOwner(c.Owner, c.UUID))
}

// guild returns the changes of a guild by its uuid.
func (b *Batch) guild(uuid string) *change { return b.guilds.at(uuid, byID(uuid)) }

// territory returns the changes of a territory.
func (b *Batch) territory(t *model.Territory) *change {
	return b.territories.at(t.Name, bson.D{{Key: "name", Value: t.Name}})
}

func byID(id string) bson.D { return bson.D{{Key: "_id", Value: id}} }

// ofOwner selects a character by all of its shard key.
func ofOwner(owner, uuid string) bson.D {
	return bson.D{{Key: "owner", Value: owner}, {Key: "_id", Value: uuid}}
}

// updates returns all writes after the new records, in order.
func (b *Batch) updates() []bulk {
	var out []bulk
	for _, c := range []struct {
		collection string
		changes    *changes
	}{
		{mongo.Players, &b.players},
		{mongo.Characters, &b.characters},
		{mongo.Guilds, &b.guilds},
		{mongo.Territories, &b.territories},
	} {
		for _, writes := range c.changes.bulks() {
			out = append(out, bulk{collection: c.collection, writes: writes})
		}
	}
	var codes []driver.WriteModel
	for _, c := range b.linkCodes {
		codes = append(codes, driver.NewDeleteManyModel().SetFilter(byID(c.Digest)))
	}
	return append(out,
		bulk{collection: mongo.Players, writes: b.renames, references: true},
		bulk{collection: mongo.LinkCodes, writes: codes, references: true},
		bulk{collection: mongo.LinkCodes, inserts: anys(b.linkCodes)},
	)
}

// purge purges what must not be served from caches any longer.
func (b *Batch) purge(ctx context.Context, store *mongo.Store) error {
	if err := store.PurgePlayers(ctx, b.purged); err != nil {
		return err
	}
	return store.PurgeGuilds(ctx, b.disbanded)
}

// journalEntry returns the writes of the batch as a journal entry.
func (b *Batch) journalEntry(number int64, keys []*mongo.FeedKey) ([]byte, error) {
	entry := mongo.NewJournalEntry(number)
	var errs []error
	for _, step := range slices.Concat(b.deletions(), []bulk{
		{collection: mongo.Players, inserts: anys(b.newPlayers)},
		{collection: mongo.Characters, inserts: anys(b.newCharacters)},
		{collection: mongo.Guilds, inserts: anys(b.newGuilds)},
	}, b.updates()) {
		errs = append(errs, entry.Insert(step.collection, step.inserts...), entry.Update(step.collection, step.writes))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	entry.Purge(b.purged, b.disbanded)
	if err := entry.Record(b.events); err != nil {
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

func (r *Result) write(ctx context.Context, store *mongo.Store, step bulk) error {
	if len(step.inserts) > 0 {
		r.inserted(len(step.inserts), 1)
		if err := store.InsertRecords(ctx, step.collection, step.inserts); err != nil {
			return err
		}
	}
	if len(step.writes) == 0 {
		return nil
	}
	r.Commands++
	matched, err := store.BulkUpdate(ctx, step.collection, step.writes)
	if err != nil {
		return err
	}
	r.Written += matched
	if !step.references {
		r.Missing += max(int64(len(step.writes))-matched, 0)
	}
	return nil
}

// renameMembers changes the guild's name in every stored player that refers to it.
func (b *Batch) renameMembers(g *model.Guild) {
	set := bson.D{{Key: "guild.name", Value: g.Name}, {Key: "guild.prefix", Value: g.Prefix}}
	b.renames = append(b.renames, driver.NewUpdateManyModel().
		SetFilter(bson.D{{Key: "guild.uuid", Value: g.UUID}}).
		SetUpdate(bson.D{{Key: "$set", Value: set}}))
}
