package mongo

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
)

// The API tokens of an account stand in its record, so that how many there are and when one
// was deleted is decided by one conditional write, on every instance.

// TooSoonError refuses a deletion that comes too soon after another.
type TooSoonError struct {
	// Wait is how long it takes until the next one passes.
	Wait time.Duration
}

// Seconds is the wait in whole seconds, which are enough.
func (e *TooSoonError) Seconds() int { return int((e.Wait + time.Second - 1) / time.Second) }

func (e *TooSoonError) Error() string {
	return fmt.Sprintf("another token was deleted a short while ago, wait %d seconds", e.Seconds())
}

// AccountsByToken reads the accounts that hold API tokens, in the order of the digests; nil
// where no token has one.
func (s *Store) AccountsByToken(ctx context.Context, digests []string) ([]*model.Account, error) {
	found, err := find[model.Account](ctx, s.majority(Accounts), bson.D{{Key: "tokens.digest", Value: in(digests)}})
	if err != nil {
		return nil, err
	}
	out := make([]*model.Account, len(digests))
	for i, d := range digests {
		at := slices.IndexFunc(found, func(a *model.Account) bool {
			return slices.ContainsFunc(a.Tokens, func(t *model.APIToken) bool { return t.Digest == d })
		})
		if at >= 0 {
			out[i] = found[at]
		}
	}
	return out, nil
}

// AddToken gives an account an API token. ErrFull when it has model.MaxTokens, however many
// are added at once; ErrTaken when one of them has the name.
func (s *Store) AddToken(ctx context.Context, account string, t *model.APIToken) error {
	r, err := s.majority(Accounts).UpdateOne(ctx,
		bson.D{{Key: "_id", Value: account}, shorterThan("tokens", model.MaxTokens), {
			Key:   "tokens.name",
			Value: bson.D{{Key: "$ne", Value: t.Name}},
		}},
		bson.D{{Key: "$push", Value: bson.D{{Key: "tokens", Value: t}}}})
	if err != nil || r.MatchedCount > 0 {
		return translateError(err)
	}
	a, err := s.account(ctx, account)
	switch {
	case err != nil:
		return err
	case slices.ContainsFunc(a.Tokens, func(other *model.APIToken) bool { return other.Name == t.Name }):
		return ErrTaken
	}
	return ErrFull
}

// UpdateToken sets what may change of an API token: description, Public Mode, and with
// another digest its value. ErrNotFound when the account does not have it.
func (s *Store) UpdateToken(ctx context.Context, account string, t *model.APIToken) error {
	a, err := s.account(ctx, account)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(a.Tokens, func(other *model.APIToken) bool { return other.ID == t.ID })
	if at < 0 {
		return ErrNotFound
	}
	place := "tokens." + strconv.Itoa(at) + "."
	// Should the token have moved since, the write matches nothing.
	r, err := s.majority(Accounts).UpdateOne(ctx, bson.D{{Key: "_id", Value: account}, {Key: place + "id", Value: t.ID}},
		bson.D{{Key: "$set", Value: bson.D{
			{Key: place + "description", Value: t.Description},
			{
				Key:   place + "public",
				Value: t.Public,
			},
			{Key: place + "digest", Value: t.Digest},
			{Key: place + "prefix", Value: t.Prefix},
		}}})
	if err == nil && r.MatchedCount == 0 {
		return ErrNotFound
	}
	return translateError(err)
}

// DeleteToken takes an API token from an account at the moment now. Of those deleted within
// one pause only the first is: the others get *TooSoonError. ErrNotFound when the account does not
// have the token.
func (s *Store) DeleteToken(ctx context.Context, account, id string, now time.Time, pause time.Duration) error {
	rested := bson.A{
		bson.D{{Key: "tokenDeleted", Value: bson.D{{Key: "$exists", Value: false}}}},
		bson.D{{Key: "tokenDeleted", Value: bson.D{{Key: "$lte", Value: now.Add(-pause)}}}},
	}
	r, err := s.majority(Accounts).UpdateOne(ctx,
		bson.D{{Key: "_id", Value: account}, {Key: "tokens.id", Value: id}, {Key: "$or", Value: rested}},
		bson.D{
			{Key: "$pull", Value: bson.D{{Key: "tokens", Value: bson.D{{Key: "id", Value: id}}}}},
			{Key: "$set", Value: bson.D{{Key: "tokenDeleted", Value: now}}},
		})
	if err != nil || r.MatchedCount > 0 {
		return translateError(err)
	}
	a, err := s.account(ctx, account)
	switch {
	case err != nil:
		return err
	case a.TokenDeleted == nil || !slices.ContainsFunc(a.Tokens, func(t *model.APIToken) bool { return t.ID == id }):
		return ErrNotFound
	}
	return &TooSoonError{Wait: max(time.Millisecond, a.TokenDeleted.Add(pause).Sub(now))}
}
