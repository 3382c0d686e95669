package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
)

// RankingRecord is what a record knows of its positions, and whether it was in use lately.
type RankingRecord struct {
	UUID            string                `bson:"_id"`
	Online          bool                  `bson:"online"`
	LastJoin        *time.Time            `bson:"lastJoin"`
	Ranking         []*model.RankPosition `bson:"ranking"`
	PreviousRanking []*model.RankPosition `bson:"previousRanking"`
}

// NextRankings reads the positions of the players or guilds behind a uuid, in order.
func (s *Store) NextRankings(ctx context.Context, of Ranked, after string, limit int) ([]*RankingRecord, error) {
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	return find[RankingRecord](ctx, s.db.Collection(string(of)), idAfter(after), options.Find().
		SetProjection(projection("online", "lastJoin", "ranking", "previousRanking")).SetSort(bson.D{{
		Key:   "_id",
		Value: 1,
	}}).SetLimit(int64(limit)))
}

// Ranking is new positions of a player or guild. A nil list stays as it is.
type Ranking struct {
	UUID              string
	Current, Previous []*model.RankPosition
}

// PutRankings writes positions into the records of players or guilds; whoever is gone is
// left out.
func (s *Store) PutRankings(ctx context.Context, of Ranked, list []Ranking) error {
	if len(list) == 0 {
		return nil
	}
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	writes := make([]driver.WriteModel, len(list))
	for i, r := range list {
		set := bson.D{}
		if r.Current != nil {
			set = append(set, bson.E{Key: "ranking", Value: r.Current})
		}
		if r.Previous != nil {
			set = append(set, bson.E{Key: "previousRanking", Value: r.Previous})
		}
		writes[i] = driver.NewUpdateOneModel().SetFilter(bson.D{{Key: "_id", Value: r.UUID}}).SetUpdate(bson.D{{
			Key:   "$set",
			Value: set,
		}})
	}
	_, err := s.db.Collection(string(of)).BulkWrite(ctx, writes, options.BulkWrite().SetOrdered(false))
	return translateError(err)
}
