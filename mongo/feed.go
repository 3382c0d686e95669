package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
)

// Feed collects what happened in the game until Store.Feed writes it, many events with few
// commands. Each method is one event: it changes the records it is given and notes the
// same change for the store, so that what the game holds and what the store holds stay
// alike. Counters grow by $inc, so that several writers may count at once; levels, lists
// and other whole values are the game's own truth and are set.
//
// A feed never touches what others own: ranking and previousRanking belong to the jobs,
// rules to the player. The records must not change between an event and the writing. The
// zero Feed is empty and ready; it is not for use by several goroutines at once.
type Feed struct {
	newPlayers    []*model.Player
	newCharacters []*model.Character
	newGuilds     []*model.Guild

	players, characters, guilds, territories changes
	renames                                  []driver.WriteModel
}

// Fed tells what became of a feed.
type Fed struct {
	// Written are the records added or found and changed, Missing the changes whose record
	// the store does not hold (any more).
	Written, Missing int64
	// Commands is how many commands it took.
	Commands int
}

// Feed writes what a feed collected: new records first, then a bulk of changes for each
// collection. After an error some of it may be written: the game reads the records again,
// since a feed that is written twice counts twice.
func (s *Store) Feed(ctx context.Context, f *Feed) (Fed, error) {
	var fed Fed
	if err := feedNew(ctx, s, players, f.newPlayers, &fed); err != nil {
		return fed, err
	}
	if err := feedNew(ctx, s, characters, f.newCharacters, &fed); err != nil {
		return fed, err
	}
	if len(f.newGuilds) > 0 {
		fed.Commands, fed.Written = fed.Commands+2, fed.Written+int64(len(f.newGuilds))
		if err := s.InsertGuilds(ctx, f.newGuilds); err != nil {
			return fed, err
		}
	}
	for _, family := range []struct {
		collection, key string
		changes         *changes
	}{
		{players, "_id", &f.players}, {characters, "_id", &f.characters}, {guilds, "_id", &f.guilds}, {
			territories, "name",
			&f.territories,
		},
	} {
		for _, wave := range family.changes.waves(family.key) {
			if err := s.feedBulk(ctx, family.collection, wave, &fed); err != nil {
				return fed, err
			}
		}
	}
	return fed, s.feedBulk(ctx, players, f.renames, &fed)
}

func feedNew[T any](ctx context.Context, s *Store, collection string, records []*T, fed *Fed) error {
	if len(records) == 0 {
		return nil
	}
	fed.Commands++
	fed.Written += int64(len(records))
	return insert(ctx, s.db.Collection(collection), records)
}

// feedBulk sends changes of different records; their order does not matter.
func (s *Store) feedBulk(ctx context.Context, collection string, writes []driver.WriteModel, fed *Fed) error {
	if len(writes) == 0 {
		return nil
	}
	ctx, cancel := patient(ctx)
	defer cancel()
	fed.Commands++
	done, err := s.db.Collection(collection).BulkWrite(ctx, writes, options.BulkWrite().SetOrdered(false))
	if err != nil {
		return said(err)
	}
	fed.Written += done.MatchedCount
	fed.Missing += max(int64(len(writes))-done.MatchedCount, 0)
	return nil
}

// renameMembers changes the guild's name in every player that refers to it.
func (f *Feed) renameMembers(g *model.Guild) {
	f.renames = append(f.renames, driver.NewUpdateManyModel().SetFilter(bson.D{{Key: "guild.uuid", Value: g.UUID}}).
		SetUpdate(bson.D{{Key: "$set", Value: bson.D{{Key: "guild.name", Value: g.Name}, {
			Key:   "guild.prefix",
			Value: g.Prefix,
		}}}}))
}
