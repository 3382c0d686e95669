package mongo

import (
	"context"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/graph/model"
)

// UsageStore reads and writes the usage of credentials.
type UsageStore struct{ family }

// The usage of a credential has one record for each day, deleted after 31 days, and one for the last use, deleted after
// 400 days. A session ends earlier: its usage has no charges and is deleted after 31 days.
const (
	usageDays = 31 * 24 * time.Hour
	usageLast = 400 * 24 * time.Hour
)

// usageRecord counts the uses of one day, or holds the time of the last use; in this case its id has no day.
type usageRecord struct {
	ID string `bson:"_id"`
	// Of is the key of an API token, a client id, both parts of a grant, or the digest of a session.
	Of      string           `bson:"of"`
	Charged map[string]int64 `bson:"charged,omitempty"` // by bucket
	Used    *time.Time       `bson:"used,omitempty"`
	Forget  time.Time        `bson:"forget"`
}

// UsageDelta is the usage of a credential since it was last added; without charges, the last use of a session.
type UsageDelta struct {
	Credential string
	Last       time.Time
	Charged    map[string]int64 // by bucket
}

// UsageBatch is usage that an instance counted.
type UsageBatch struct {
	// Instance identifies the instance, by letters and digits. Number rises with each of its batches.
	Instance string
	Number   int64
	Usage    []UsageDelta
}

// Add adds usage: it sums counts and keeps the latest last use. After an error the same batch can be added again:
// a record counts it once, because it stores the number of the last batch of each instance.
//
// It takes one bulk write, and two more when a record is new.
func (s *UsageStore) Add(ctx context.Context, b UsageBatch) error {
	var latest, days, counts []driver.WriteModel
	mark := "batches." + b.Instance
	for _, u := range b.Usage {
		forget := u.Last.Add(usageLast)
		if len(u.Charged) == 0 {
			forget = u.Last.Add(usageDays)
		}
		of := bson.E{Key: "$setOnInsert", Value: bson.D{{Key: "of", Value: u.Credential}}}
		latest = append(latest, driver.NewUpdateOneModel().SetUpsert(true).SetFilter(withID(u.Credential)).SetUpdate(bson.D{
			of, {Key: "$max", Value: bson.D{{Key: "forget", Value: forget}, {Key: "used", Value: u.Last}}},
		}))
		if len(u.Charged) == 0 {
			continue
		}
		day := u.Credential + " " + u.Last.UTC().Format(time.DateOnly)
		expiry := bson.E{Key: "$max", Value: bson.D{{Key: "forget", Value: u.Last.Add(usageDays)}}}
		days = append(days,
			driver.NewUpdateOneModel().SetUpsert(true).SetFilter(withID(day)).SetUpdate(bson.D{of, expiry}))
		sums := bson.D{}
		for bucket, n := range u.Charged {
			sums = append(sums, bson.E{Key: "charged." + bucket, Value: n})
		}
		uncounted := bson.E{Key: mark, Value: bson.D{{Key: "$not", Value: bson.D{{Key: "$gte", Value: b.Number}}}}}
		counts = append(counts, driver.NewUpdateOneModel().SetFilter(append(withID(day), uncounted)).SetUpdate(bson.D{
			{Key: "$inc", Value: sums}, {Key: "$set", Value: bson.D{{Key: mark, Value: b.Number}}}, expiry,
		}))
	}
	matched, err := s.db.bulkUpdate(ctx, Usage, slices.Concat(latest, counts))
	if err != nil || matched == int64(len(latest)+len(counts)) {
		return err
	}
	if _, err := s.db.bulkUpdate(ctx, Usage, days); err != nil {
		return err
	}
	_, err = s.db.bulkUpdate(ctx, Usage, counts)
	return err
}

// Of reads the usage of credentials in the last month, in the order of their ids; a zero Usage
// where there is none.
func (s *UsageStore) Of(ctx context.Context, ids []string) ([]*model.Usage, error) {
	found, err := findGrouped(ctx, s.db.Collection(Usage), "of", ids, func(r *usageRecord) string { return r.Of })
	if err != nil {
		return nil, err
	}
	out := make([]*model.Usage, len(ids))
	for i, records := range found {
		out[i] = &model.Usage{Charged: map[string]int64{}}
		for _, r := range records {
			for bucket, n := range r.Charged {
				out[i].Charged[bucket] += n
			}
			if r.Used != nil {
				out[i].LastUsedAt = r.Used
			}
		}
	}
	return out, nil
}
