package mongo

import (
	"context"
	"errors"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// SchemaVersion is that of the records' forms. It rises when a record that was written before
// could be read wrongly.
const SchemaVersion = 1

// exported are the collections that tell about the game: those an export holds. The last ones
// are the leaderboards, which are written together.
var exported = []string{
	Players, Characters, Guilds, Territories, Seasons,
	Items, Recipes, ItemSets, AbilityTrees, AbilityMaps, Aspects, Classes, LookupNumbers,
	MapMarkers, GatheringNodes, WorldEvents, LootPools, QuestSummary, Discoveries,
	Articles, Videos, LatestNews, Versions, Marks,
	Boards, BoardPages, PlayerStandings, GuildStandings,
}

// derived are exported collections that a store may have without telling of any game.
var derived = []string{Versions, Marks, Boards, BoardPages, PlayerStandings, GuildStandings}

// withheld are fields that an export leaves empty: the address that a player came from.
var withheld = map[string]string{Players: "address"}

// Exported names the collections of an export, Leaderboards those of them that are written
// together, at the end.
func Exported() []string { return slices.Clone(exported) }

// Leaderboards names the exported collections that may only be read together while no
// leaderboard is refreshed.
func Leaderboards() []string { return []string{Boards, BoardPages, PlayerStandings, GuildStandings} }

// exportBatch is how many records one command reads; it bounds the memory of an export.
const exportBatch = 500

// Export reads every record of a collection in the order of its ids and gives it away. A record
// is good until each returns. What is written meanwhile may be in it or not.
func (s *Store) Export(ctx context.Context, collection string, each func(bson.Raw) error) error {
	filter := bson.D{}
	for {
		page, err := s.exportPage(ctx, collection, filter)
		if err != nil {
			return err
		}
		for _, record := range page {
			if record, err = withhold(collection, record); err == nil {
				err = each(record)
			}
			if err != nil {
				return err
			}
		}
		if len(page) < exportBatch {
			return nil
		}
		filter = bson.D{{Key: "_id", Value: bson.D{{Key: "$gt", Value: page[len(page)-1].Lookup("_id")}}}}
	}
}

func (s *Store) exportPage(ctx context.Context, collection string, filter bson.D) ([]bson.Raw, error) {
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	return read(ctx, s.db.Collection(collection), func(ctx context.Context, c *driver.Collection) (*driver.Cursor, error) {
		return c.Find(ctx, filter, options.Find().SetSort(bson.D{{Key: "_id", Value: 1}}).SetLimit(exportBatch))
	}, all[bson.Raw])
}

// withhold empties the field of a record that an export may not tell.
func withhold(collection string, record bson.Raw) (bson.Raw, error) {
	field := withheld[collection]
	if value, err := record.LookupErr(field); field == "" || err != nil || value.Type != bson.TypeString {
		return record, nil
	}
	var d bson.D
	if err := bson.Unmarshal(record, &d); err != nil {
		return nil, err
	}
	for i := range d {
		if d[i].Key == field {
			d[i].Value = ""
		}
	}
	return bson.Marshal(d)
}

// NonEmptyCollection names an exported collection that holds something, but for those that a service
// fills by itself; empty when none does.
func (s *Store) NonEmptyCollection(ctx context.Context) (string, error) {
	for _, name := range exported {
		if slices.Contains(derived, name) {
			continue
		}
		err := s.db.Collection(name).FindOne(ctx, bson.D{}).Err()
		switch {
		case err == nil:
			return name, nil
		case !errors.Is(err, driver.ErrNoDocuments):
			return "", translateError(err)
		}
	}
	return "", nil
}

// InsertRaw adds records of an export to a collection as they are.
func (s *Store) InsertRaw(ctx context.Context, collection string, records []bson.D) error {
	if len(records) == 0 {
		return nil
	}
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	_, err := s.db.Collection(collection).InsertMany(ctx, records, options.InsertMany().SetOrdered(false))
	return translateError(err)
}

// ClearExported takes every record of the exported collections away.
func (s *Store) ClearExported(ctx context.Context) error {
	for _, name := range exported {
		if err := s.clear(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) clear(ctx context.Context, name string) error {
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	_, err := s.db.Collection(name).DeleteMany(ctx, bson.D{})
	return translateError(err)
}

// DeleteMark forgets a fact kept by Mark.
func (s *Store) DeleteMark(ctx context.Context, key string) error {
	_, err := s.db.Collection(Marks).DeleteOne(ctx, bson.D{{Key: "_id", Value: key}})
	return translateError(err)
}

// RaiseEpoch has every later holder of a lease get a higher epoch than one that was given
// elsewhere. Whoever holds the lease now loses it.
func (s *Store) RaiseEpoch(ctx context.Context, lease string, epoch int64) error {
	_, err := s.db.Collection(Leases).UpdateOne(ctx, bson.D{{Key: "_id", Value: lease}}, bson.D{
		{Key: "$max", Value: bson.D{{Key: "epoch", Value: epoch}}},
		{Key: "$set", Value: bson.D{{Key: "holder", Value: ""}, {Key: "until", Value: time.Unix(0, 0)}}},
	}, options.UpdateOne().SetUpsert(true))
	return translateError(err)
}
