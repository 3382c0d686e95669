package mongo

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readconcern"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"

	"gamedata/graph/model"
)

// What writes of accounts and credentials refuse.
var (
	// ErrNotFound: the record to change is not in the store.
	ErrNotFound = errors.New("there is none")
	// ErrTaken: another record has the name, or the player.
	ErrTaken = errors.New("it is taken")
	// ErrFull: the account holds as many as it may.
	ErrFull = errors.New("there is no room for another")
)

// majority is a collection whose reads may not be out of date: credentials and accounts come
// from the primary, as the majority has them (DESIGN §6). Writes wait for the majority anyway.
func (s *Store) majority(collection string) *collection {
	return s.db.Collection(collection, options.Collection().SetReadPreference(readpref.Primary()).SetReadConcern(readconcern.Majority()))
}

// InsertAccount adds an account. ErrTaken when another has its name, case ignored, or one of
// its players or tokens.
func (s *Store) InsertAccount(ctx context.Context, a *model.Account) error {
	a.NameFold = Fold(a.Name)
	return insertError(s.majority(Accounts).InsertOne(ctx, a))
}

func insertError(_ *driver.InsertOneResult, err error) error {
	if driver.IsDuplicateKeyError(err) {
		return ErrTaken
	}
	return translateError(err)
}

// SetPassword replaces the password hash of an account; ErrNotFound when there is no such one.
func (s *Store) SetPassword(ctx context.Context, account, hash string) error {
	r, err := s.majority(Accounts).UpdateOne(ctx, bson.D{{Key: "_id", Value: account}},
		bson.D{{Key: "$set", Value: bson.D{{Key: "password", Value: hash}}}})
	if err == nil && r.MatchedCount == 0 {
		return ErrNotFound
	}
	return translateError(err)
}

// AccountsByID reads accounts in the order of their ids; nil where none has one.
func (s *Store) AccountsByID(ctx context.Context, ids []string) ([]*model.Account, error) {
	found, err := find[model.Account](ctx, s.majority(Accounts), bson.D{{Key: "_id", Value: in(ids)}})
	if err != nil {
		return nil, err
	}
	return inKeyOrder(ids, found, func(a *model.Account) string { return a.ID }), nil
}

// AccountsByName reads accounts in the order of their names, case ignored; nil where none has
// one.
func (s *Store) AccountsByName(ctx context.Context, names []string) ([]*model.Account, error) {
	folded := foldAll(names)
	found, err := find[model.Account](ctx, s.majority(Accounts), bson.D{{Key: "nameFold", Value: in(folded)}})
	if err != nil {
		return nil, err
	}
	return inKeyOrder(folded, found, func(a *model.Account) string { return a.NameFold }), nil
}

// LinkProfile links a player to an account. Linking him again changes nothing. ErrTaken when
// another account has him, ErrFull when the account has model.MaxProfiles players.
func (s *Store) LinkProfile(ctx context.Context, account, player string) error {
	r, err := s.majority(Accounts).UpdateOne(ctx,
		bson.D{{Key: "_id", Value: account}, shorterThan("profiles", model.MaxProfiles)},
		bson.D{{Key: "$addToSet", Value: bson.D{{Key: "profiles", Value: player}}}})
	switch {
	case driver.IsDuplicateKeyError(err):
		return ErrTaken
	case err != nil:
		return translateError(err)
	case r.MatchedCount > 0:
		return nil
	}
	a, err := s.account(ctx, account)
	if err == nil && !slices.Contains(a.Profiles, player) {
		err = ErrFull
	}
	return err
}

// shorterThan matches records whose list has fewer than n entries.
func shorterThan(list string, n int) bson.E {
	return bson.E{Key: list + "." + strconv.Itoa(n-1), Value: bson.D{{Key: "$exists", Value: false}}}
}

// UnlinkProfile takes a player from an account. ErrNotFound when the account does not have him.
func (s *Store) UnlinkProfile(ctx context.Context, account, player string) error {
	r, err := s.majority(Accounts).UpdateOne(ctx, bson.D{{Key: "_id", Value: account}, {Key: "profiles", Value: player}},
		bson.D{{Key: "$pull", Value: bson.D{{Key: "profiles", Value: player}}}})
	if err == nil && r.MatchedCount == 0 {
		return ErrNotFound
	}
	return translateError(err)
}

// account is one account; ErrNotFound when there is none.
func (s *Store) account(ctx context.Context, id string) (*model.Account, error) {
	found, err := s.AccountsByID(ctx, []string{id})
	if err == nil && found[0] == nil {
		err = ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return found[0], nil
}
