package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
)

// Seasons reads all seasons by number, those that are not enabled included.
func (s *Store) Seasons(ctx context.Context) ([]*model.GuildSeason, error) {
	return content[model.GuildSeason](ctx, s, seasons, "_id")
}

// PutSeasons replaces seasons by number, or adds them.
func (s *Store) PutSeasons(ctx context.Context, list []*model.GuildSeason) error {
	if len(list) == 0 {
		return nil
	}
	ctx, cancel := patient(ctx)
	defer cancel()
	writes := make([]driver.WriteModel, len(list))
	for i, record := range list {
		writes[i] = driver.NewReplaceOneModel().SetFilter(bson.D{{Key: "_id", Value: record.Number}}).SetReplacement(record).SetUpsert(true)
	}
	if _, err := s.db.Collection(seasons).BulkWrite(ctx, writes, options.BulkWrite().SetOrdered(false)); err != nil {
		return said(err)
	}
	return s.raiseVersion(ctx, seasons)
}
