package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
)

// GuildDirectory reads every guild in short, by name. An index holds all it tells, so no
// record is read; and since there are tens of thousands, entries are read off the reply
// itself: the driver's decoder would take 4 KB for each.
func (s *Store) GuildDirectory(ctx context.Context) ([]*model.GuildListing, error) {
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	o := options.Find().SetBatchSize(100_000).
		SetProjection(bson.D{{Key: "_id", Value: 1}, {Key: "name", Value: 1}, {Key: "prefix", Value: 1}}).
		SetSort(bson.D{{Key: "name", Value: 1}, {Key: "prefix", Value: 1}, {Key: "_id", Value: 1}})
	return read(ctx, s.db.Collection(Guilds), func(ctx context.Context, c *driver.Collection) (*driver.Cursor, error) {
		return c.Find(ctx, bson.D{}, o)
	}, func(ctx context.Context, cursor *driver.Cursor) ([]*model.GuildListing, error) {
		out := []*model.GuildListing{}
		for cursor.Next(ctx) {
			text := func(field string) string { v, _ := cursor.Current.Lookup(field).StringValueOK(); return v }
			out = append(out, &model.GuildListing{UUID: text("_id"), Name: text("name"), Prefix: text("prefix")})
		}
		return out, cursor.Err()
	})
}
