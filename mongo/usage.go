package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
)

// What credentials are used for is kept in a record for each day, and one more for the last use:
// those of days are forgotten after a month, the other one after a year and a month.
const (
	usageDays = 31 * 24 * time.Hour
	usageLast = 400 * 24 * time.Hour
)

// usageRecord is one of them; the last use has no day.
type usageRecord struct {
	ID string `bson:"_id"`
	// Of is what is used: the id of an API token, a client id, or both parts of a grant.
	Of      string           `bson:"of"`
	Charged map[string]int64 `bson:"charged,omitempty"` // by bucket
	Used    *time.Time       `bson:"used,omitempty"`
	Forget  time.Time        `bson:"forget"`
}

// Used is what one credential was used for since it was told last.
type UsageDelta struct {
	Credential string
	Last       time.Time
	Charged    map[string]int64 // by bucket
}

// AddUsage adds up what several instances saw: one bulk write, in which counts are added and the
// latest last use stays.
func (s *Store) AddUsage(ctx context.Context, list []UsageDelta) error {
	if len(list) == 0 {
		return nil
	}
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	writes := make([]driver.WriteModel, 0, 2*len(list))
	put := func(id string, u UsageDelta, update bson.D, forget time.Duration) {
		update = append(update, bson.E{Key: "$setOnInsert", Value: bson.D{{Key: "of", Value: u.Credential}}})
		latest := bson.D{{Key: "forget", Value: u.Last.Add(forget)}}
		if len(update) == 1 {
			latest = append(latest, bson.E{Key: "used", Value: u.Last})
		}
		update = append(update, bson.E{Key: "$max", Value: latest})
		writes = append(writes, driver.NewUpdateOneModel().SetUpsert(true).SetFilter(bson.D{{
			Key:   "_id",
			Value: id,
		}}).SetUpdate(update))
	}
	for _, u := range list {
		put(u.Credential, u, nil, usageLast)
		sums := bson.D{}
		for bucket, n := range u.Charged {
			sums = append(sums, bson.E{Key: "charged." + bucket, Value: n})
		}
		put(u.Credential+" "+u.Last.UTC().Format(time.DateOnly), u, bson.D{{Key: "$inc", Value: sums}}, usageDays)
	}
	_, err := s.db.Collection(Usage).BulkWrite(ctx, writes, options.BulkWrite().SetOrdered(false))
	return translateError(err)
}

// UsageOf reads what credentials were used for in the last month, in the order of their ids;
// a zero Usage where one was not.
func (s *Store) UsageOf(ctx context.Context, ids []string) ([]*model.Usage, error) {
	found, err := find[usageRecord](ctx, s.db.Collection(Usage), bson.D{{Key: "of", Value: in(ids)}})
	if err != nil {
		return nil, err
	}
	out := make([]*model.Usage, len(ids))
	for i, list := range groupedByKey(ids, found, func(r *usageRecord) string { return r.Of }) {
		out[i] = &model.Usage{Charged: map[string]int64{}}
		for _, r := range list {
			for bucket, n := range r.Charged {
				out[i].Charged[bucket] += n
			}
			if r.Used != nil {
				out[i].LastUsed = r.Used
			}
		}
	}
	return out, nil
}
