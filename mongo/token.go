package mongo

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/graph/model"
)

// The API tokens of an account are stored in its record, so that one conditional write enforces their
// number and the pause between deletions on all instances.

// TooSoonError is returned for a deletion that follows another too soon.
type TooSoonError struct {
	// Wait is the time until the next deletion is allowed.
	Wait time.Duration
}

// Seconds returns the wait in seconds, rounded up.
func (e *TooSoonError) Seconds() int { return int((e.Wait + time.Second - 1) / time.Second) }

func (e *TooSoonError) Error() string {
	return fmt.Sprintf("another token was deleted a short while ago, wait %d seconds", e.Seconds())
}

// ByToken reads the accounts that have API tokens, in the order of the tokens' digests; nil
// where no token has one.
func (s *AccountStore) ByToken(ctx context.Context, digests []string) ([]*model.Account, error) {
	found, err := find[model.Account](ctx, s.db.Collection(Accounts), bson.D{{Key: "tokens.digest", Value: in(digests)}})
	if err != nil {
		return nil, err
	}
	byDigest := map[string]*model.Account{}
	for _, a := range found {
		for _, t := range a.Tokens {
			byDigest[t.Digest] = a
		}
	}
	return each(digests, func(d string) *model.Account { return byDigest[d] }), nil
}

// Add adds an API token to an account and deletes those that have expired when it was created. ErrFull when the
// account has model.MaxTokens, however many are added concurrently; ErrTaken when one of them has the name.
func (s *TokenStore) Add(ctx context.Context, account string, t *model.APIToken) error {
	if _, err := s.deleteExpired(ctx, bson.D{{Key: "_id", Value: account}}, t.CreatedAt); err != nil {
		return err
	}
	r, err := s.db.Collection(Accounts).UpdateOne(ctx,
		bson.D{
			{Key: "_id", Value: account},
			shorterThan("tokens", model.MaxTokens),
			{Key: "tokens.name", Value: bson.D{{Key: "$ne", Value: t.Name}}},
		},
		bson.D{{Key: "$push", Value: bson.D{{Key: "tokens", Value: t}}}})
	if err != nil || r.MatchedCount > 0 {
		return err
	}
	a, err := s.store.Accounts.byID(ctx, account)
	switch {
	case err != nil:
		return err
	case slices.ContainsFunc(a.Tokens, func(other *model.APIToken) bool { return other.Name == t.Name }):
		return ErrTaken
	}
	return ErrFull
}

// Update replaces description, Public Mode, digest and prefix of an API token. ErrNotFound when
// the account does not have it.
func (s *TokenStore) Update(ctx context.Context, account string, t *model.APIToken) error {
	a, err := s.store.Accounts.byID(ctx, account)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(a.Tokens, func(other *model.APIToken) bool { return other.Key == t.Key })
	if at < 0 {
		return ErrNotFound
	}
	path := "tokens." + strconv.Itoa(at) + "."
	// If the token has moved in the list since, the update matches nothing.
	return matchError(s.db.Collection(Accounts).UpdateOne(ctx,
		bson.D{{Key: "_id", Value: account}, {Key: path + "id", Value: t.Key}},
		bson.D{{Key: "$set", Value: bson.D{
			{Key: path + "description", Value: t.Description},
			{Key: path + "public", Value: t.Public},
			{Key: path + "digest", Value: t.Digest},
			{Key: path + "prefix", Value: t.Prefix},
		}}}))
}

// Delete deletes an API token of an account at the time now. Within one pause only the first
// deletion succeeds, the others get *TooSoonError. ErrNotFound when the account does not have the
// token.
func (s *TokenStore) Delete(ctx context.Context, account, id string, now time.Time, pause time.Duration) error {
	pausePassed := bson.A{
		bson.D{{Key: "tokenDeleted", Value: bson.D{{Key: "$exists", Value: false}}}},
		bson.D{{Key: "tokenDeleted", Value: bson.D{{Key: "$lte", Value: now.Add(-pause)}}}},
	}
	r, err := s.db.Collection(Accounts).UpdateOne(ctx,
		bson.D{{Key: "_id", Value: account}, {Key: "tokens.id", Value: id}, {Key: "$or", Value: pausePassed}},
		bson.D{
			{Key: "$pull", Value: bson.D{{Key: "tokens", Value: bson.D{{Key: "id", Value: id}}}}},
			{Key: "$set", Value: bson.D{{Key: "tokenDeleted", Value: now}}},
		})
	if err != nil || r.MatchedCount > 0 {
		return err
	}
	a, err := s.store.Accounts.byID(ctx, account)
	switch {
	case err != nil:
		return err
	case a.TokenDeleted == nil || !slices.ContainsFunc(a.Tokens, func(t *model.APIToken) bool { return t.Key == id }):
		return ErrNotFound
	}
	return &TooSoonError{Wait: max(time.Millisecond, a.TokenDeleted.Add(pause).Sub(now))}
}

// DeleteExpired deletes the API tokens of all accounts that have expired at a time. It returns the number of
// accounts that had one.
func (s *TokenStore) DeleteExpired(ctx context.Context, at time.Time) (int, error) {
	return s.deleteExpired(ctx, nil, at)
}

func (s *TokenStore) deleteExpired(ctx context.Context, accounts bson.D, at time.Time) (int, error) {
	expired := bson.D{{Key: "$lte", Value: at}}
	r, err := s.db.Collection(Accounts).UpdateMany(ctx, append(accounts, bson.E{Key: "tokens.expires", Value: expired}),
		bson.D{{Key: "$pull", Value: bson.D{{Key: "tokens", Value: bson.D{{Key: "expires", Value: expired}}}}}})
	if err != nil {
		return 0, err
	}
	return int(r.ModifiedCount), nil
}

// Usage of a credential is stored in one record for each day, which is deleted after 31 days, and one
// for the last use, deleted after 400 days. That of a session, which ends earlier, has no charges and is deleted after
// 31 days.
const (
	usageDays = 31 * 24 * time.Hour
	usageLast = 400 * 24 * time.Hour
)

// usageRecord is one of them; that of the last use has no day in its id.
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

// AddUsage adds usage: it sums counts and keeps the latest last use. After an error the same batch can be added again:
// a record counts it once, because it stores the number of the last batch of each instance.
//
// It is one bulk write, and two more when a record is new.
func (s *TokenStore) AddUsage(ctx context.Context, b UsageBatch) error {
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

// UsageOf reads the usage of credentials in the last month, in the order of their ids; a zero Usage
// where there is none.
func (s *TokenStore) UsageOf(ctx context.Context, ids []string) ([]*model.Usage, error) {
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
