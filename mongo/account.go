package mongo

import (
	"context"
	"slices"
	"strconv"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
	"gamedata/mongo/conn"
)

// Insert adds an account. ErrTaken when another has its name, case ignored, or one of its
// players or tokens.
func (s *AccountStore) Insert(ctx context.Context, a *model.Account) error {
	a.NameFold = Fold(a.Name)
	return insertError(s.db.Collection(Accounts).InsertOne(ctx, a))
}

// Delete deletes an account, which frees its name, its players and its API tokens; ErrNotFound when there is no
// such account.
func (s *AccountStore) Delete(ctx context.Context, account string) error {
	existed, err := s.db.Collection(Accounts).DeleteOne(ctx, bson.D{{Key: "_id", Value: account}})
	if err == nil && !existed {
		return ErrNotFound
	}
	return err
}

// SetPassword replaces the password hash of an account; ErrNotFound when there is no such account.
func (s *AccountStore) SetPassword(ctx context.Context, account, hash string) error {
	return matchError(s.db.Collection(Accounts).UpdateOne(ctx, bson.D{{Key: "_id", Value: account}},
		bson.D{{Key: "$set", Value: bson.D{{Key: "password", Value: hash}}}}))
}

// ByID reads accounts in the order of their ids; nil where none has one.
func (s *AccountStore) ByID(ctx context.Context, ids []string) ([]*model.Account, error) {
	return findInOrder(ctx, s.db.Collection(Accounts), "_id", ids, func(a *model.Account) string { return a.ID })
}

// ByName reads accounts in the order of their names, case ignored; nil where none has one.
func (s *AccountStore) ByName(ctx context.Context, names []string) ([]*model.Account, error) {
	return findInOrder(ctx, s.db.Collection(Accounts), "nameFold", foldAll(names),
		func(a *model.Account) string { return a.NameFold })
}

// byID reads one account; ErrNotFound when there is none.
func (s *AccountStore) byID(ctx context.Context, id string) (*model.Account, error) {
	found, err := s.ByID(ctx, []string{id})
	if err == nil && found[0] == nil {
		err = ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// LinkProfile links a player to an account; linking again changes nothing. ErrTaken when another
// account has the player, ErrFull when the account has model.MaxProfiles players.
func (s *AccountStore) LinkProfile(ctx context.Context, account, player string) error {
	r, err := s.db.Collection(Accounts).UpdateOne(ctx,
		bson.D{{Key: "_id", Value: account}, shorterThan("profiles", model.MaxProfiles)},
		bson.D{{Key: "$addToSet", Value: bson.D{{Key: "profiles", Value: player}}}})
	switch {
	case conn.IsDuplicateKey(err):
		return ErrTaken
	case err != nil:
		return err
	case r.MatchedCount > 0:
		return nil
	}
	a, err := s.byID(ctx, account)
	if err == nil && !slices.Contains(a.Profiles, player) {
		err = ErrFull
	}
	return err
}

// shorterThan matches records whose list has fewer than n entries.
func shorterThan(list string, n int) bson.E {
	return bson.E{Key: list + "." + strconv.Itoa(n-1), Value: bson.D{{Key: "$exists", Value: false}}}
}

// UnlinkProfile unlinks a player from an account. ErrNotFound when the account does not have the
// player.
func (s *AccountStore) UnlinkProfile(ctx context.Context, account, player string) error {
	return matchError(s.db.Collection(Accounts).UpdateOne(ctx,
		bson.D{{Key: "_id", Value: account}, {Key: "profiles", Value: player}},
		bson.D{{Key: "$pull", Value: bson.D{{Key: "profiles", Value: player}}}}))
}

// InsertLinkCode adds a code that links a player to an account.
func (s *AccountStore) InsertLinkCode(ctx context.Context, c *model.LinkCode) error {
	return insertError(s.db.Collection(LinkCodes).InsertOne(ctx, c))
}

// RedeemLinkCode redeems, by its digest, a code that has not expired at now and returns the player's
// uuid. Of concurrent callers one succeeds; the others get ErrNotFound.
func (s *AccountStore) RedeemLinkCode(ctx context.Context, digest string, now time.Time) (player string, err error) {
	var c model.LinkCode
	valid, err := s.db.Collection(LinkCodes).FindOneAndDelete(ctx,
		bson.D{{Key: "_id", Value: digest}, {Key: "expires", Value: bson.D{{Key: "$gt", Value: now}}}}, &c)
	if err == nil && !valid {
		return "", ErrNotFound
	}
	return c.Player, err
}

// ByDigest reads sessions in the order of the digests of their secrets; nil where none has
// one. Expired sessions may be among them.
func (s *SessionStore) ByDigest(ctx context.Context, digests []string) ([]*model.Session, error) {
	return findInOrder(ctx, s.db.Collection(Sessions), "_id", digests, func(x *model.Session) string { return x.Digest })
}

// Of reads the newest sessions of an account that have not expired at now, the newest first, at most limit.
func (s *SessionStore) Of(ctx context.Context, account string, now time.Time, limit int) ([]*model.Session, error) {
	return find[model.Session](ctx, s.db.Collection(Sessions),
		bson.D{{Key: "account", Value: account}, {Key: "expires", Value: bson.D{{Key: "$gt", Value: now}}}},
		options.Find().SetSort(bson.D{{Key: "created", Value: -1}, {Key: "_id", Value: 1}}).SetLimit(int64(limit)))
}

// Insert adds a session.
func (s *SessionStore) Insert(ctx context.Context, x *model.Session) error {
	return insertError(s.db.Collection(Sessions).InsertOne(ctx, x))
}

// Delete deletes sessions by the digests of their secrets.
func (s *SessionStore) Delete(ctx context.Context, digests []string) error {
	return s.db.Collection(Sessions).DeleteMany(ctx, bson.D{{Key: "_id", Value: in(digests)}})
}

// DeleteOf deletes the sessions of an account except that with a digest; all of them if it is empty.
func (s *SessionStore) DeleteOf(ctx context.Context, account, except string) error {
	return s.db.Collection(Sessions).DeleteMany(ctx,
		bson.D{{Key: "account", Value: account}, {Key: "_id", Value: bson.D{{Key: "$ne", Value: except}}}})
}
