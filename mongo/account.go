package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
)

// AccountStore reads and writes accounts with their API tokens.
type AccountStore struct{ plainTable[model.Account] }

// ByName reads accounts in the order of their names, case ignored; nil for an unknown name.
func (s *AccountStore) ByName(ctx context.Context, names []string) ([]*model.Account, error) {
	nameFold := func(a *model.Account) string { return a.NameFold }
	return findInOrder(ctx, s.any.records(), "nameFold", foldAll(names), nameFold)
}

// ByToken reads the accounts that have API tokens, in the order of the tokens' digests; nil for an unknown digest.
func (s *AccountStore) ByToken(ctx context.Context, digests []string) ([]*model.Account, error) {
	found, err := find[model.Account](ctx, s.any.records(), bson.D{{Key: "tokens.digest", Value: in(digests)}})
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

// DeleteExpiredTokens deletes the API tokens that have expired at a time, and returns how many accounts had any.
func (s *AccountStore) DeleteExpiredTokens(ctx context.Context, at time.Time) (int, error) {
	expired := bson.D{{Key: "$lte", Value: at}}
	r, err := s.any.records().UpdateMany(ctx, bson.D{{Key: "tokens.expires", Value: expired}},
		bson.D{{Key: "$pull", Value: bson.D{{Key: "tokens", Value: bson.D{{Key: "expires", Value: expired}}}}}})
	if err != nil {
		return 0, err
	}
	return int(r.ModifiedCount), nil
}

// LinkCodeStore reads and writes codes that link a player to an account.
type LinkCodeStore struct{ plainTable[model.LinkCode] }

// Redeem redeems the code with a digest, unless it has expired at now, and returns the player's uuid. Of concurrent
// callers only one succeeds; the others get ErrNotFound.
func (s *LinkCodeStore) Redeem(ctx context.Context, digest string, now time.Time) (player string, err error) {
	var c model.LinkCode
	valid, err := s.any.records().FindOneAndDelete(ctx, append(withID(digest), notExpired(now)), &c)
	if err == nil && !valid {
		return "", ErrNotFound
	}
	return c.Player, err
}

func notExpired(now time.Time) bson.E {
	return bson.E{Key: "expires", Value: bson.D{{Key: "$gt", Value: now}}}
}

// SessionStore reads and writes sign-in sessions by the digests of their secrets. A session read by id may have
// expired.
type SessionStore struct{ plainTable[model.Session] }

// Of reads the newest sessions of an account that have not expired at now, the newest first, at most limit.
func (s *SessionStore) Of(ctx context.Context, account string, now time.Time, limit int) ([]*model.Session, error) {
	return find[model.Session](ctx, s.any.records(), append(ofAccount(account), notExpired(now)),
		options.Find().SetSort(bson.D{{Key: "created", Value: -1}, {Key: "_id", Value: 1}}).SetLimit(int64(limit)))
}

// DeleteOf deletes the sessions of an account except one by its digest. An empty digest deletes all.
func (s *SessionStore) DeleteOf(ctx context.Context, account, except string) error {
	return s.any.records().DeleteMany(ctx, append(ofAccount(account), withID(bson.D{{Key: "$ne", Value: except}})...))
}
