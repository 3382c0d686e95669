package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
)

// Insert adds an OAuth2 application; ErrTaken when another has its client id, or its
// place among those of the account.
func (s *ApplicationStore) Insert(ctx context.Context, a *model.Application) error {
	return insertError(s.db.Collection(Applications).InsertOne(ctx, a))
}

// ByID reads applications in the order of their client ids; nil where none has one.
func (s *ApplicationStore) ByID(ctx context.Context, ids []string) ([]*model.Application, error) {
	return findInOrder(ctx, s.db.Collection(Applications), "_id", ids,
		func(a *model.Application) string { return a.ClientID })
}

// ByAccount reads the applications that each account registered.
func (s *ApplicationStore) ByAccount(ctx context.Context, ids []string) ([][]*model.Application, error) {
	return findGrouped(ctx, s.db.Collection(Applications), "account", ids,
		func(a *model.Application) string { return a.Account }, sortedBy("_id"))
}

// Update replaces name, redirect URIs and scopes of an application. ErrNotFound when the
// account that it names does not have it.
func (s *ApplicationStore) Update(ctx context.Context, a *model.Application) error {
	return matchError(s.db.Collection(Applications).UpdateOne(ctx,
		bson.D{{Key: "_id", Value: a.ClientID}, {Key: "account", Value: a.Account}},
		bson.D{{Key: "$set", Value: bson.D{
			{Key: "name", Value: a.Name}, {Key: "redirectURIs", Value: a.RedirectURIs}, {Key: "scopes", Value: a.Scopes},
		}}}))
}

// SetSecret replaces the digest of the secret of a private application. ErrNotFound when
// the account has no such application.
func (s *ApplicationStore) SetSecret(ctx context.Context, account, id, digest string) error {
	return matchError(s.db.Collection(Applications).UpdateOne(ctx,
		bson.D{
			{Key: "_id", Value: id},
			{Key: "account", Value: account},
			{Key: "secretDigest", Value: bson.D{{Key: "$exists", Value: true}}},
		},
		bson.D{{Key: "$set", Value: bson.D{{Key: "secretDigest", Value: digest}}}}))
}

// Delete deletes an application and its access tokens. ErrNotFound when none has the client
// id.
func (s *ApplicationStore) Delete(ctx context.Context, id string) error {
	// The application goes first: a token without an application is rejected.
	existed, err := s.db.Collection(Applications).DeleteOne(ctx, bson.D{{Key: "_id", Value: id}})
	if err != nil {
		return err
	}
	if err := s.db.Collection(AccessTokens).DeleteMany(ctx, bson.D{{Key: "app", Value: id}}); err != nil {
		return err
	}
	if !existed {
		return ErrNotFound
	}
	return nil
}

// InsertCode adds an authorization code.
func (s *GrantStore) InsertCode(ctx context.Context, c *model.AuthCode) error {
	return insertError(s.db.Collection(AuthCodes).InsertOne(ctx, c))
}

// CodesByDigest reads authorization codes in the order of their digests; nil where none has one.
// Used and expired codes may be among them.
func (s *GrantStore) CodesByDigest(ctx context.Context, digests []string) ([]*model.AuthCode, error) {
	return findInOrder(ctx, s.db.Collection(AuthCodes), "_id", digests, func(c *model.AuthCode) string { return c.Digest })
}

// RedeemCode redeems, by its digest, a code that has not expired at now for the access token t,
// which is not stored here. Of concurrent callers, on all instances, one succeeds; the others get
// ErrNotFound. The record stays as long as the token is valid.
func (s *GrantStore) RedeemCode(ctx context.Context, digest string, now time.Time, t *model.AccessToken) error {
	valid, err := s.db.Collection(AuthCodes).FindOneAndUpdate(ctx,
		bson.D{
			{Key: "_id", Value: digest},
			{Key: "used", Value: bson.D{{Key: "$exists", Value: false}}},
			{Key: "expires", Value: bson.D{{Key: "$gt", Value: now}}},
		},
		bson.D{{Key: "$set", Value: bson.D{
			{Key: "used", Value: now}, {Key: "token", Value: t.Digest}, {Key: "forget", Value: t.Expires},
		}}}, &bson.Raw{}, nil)
	if err == nil && !valid {
		return ErrNotFound
	}
	return err
}

// InsertToken adds an access token.
func (s *GrantStore) InsertToken(ctx context.Context, t *model.AccessToken) error {
	return insertError(s.db.Collection(AccessTokens).InsertOne(ctx, t))
}

// TokensByDigest reads access tokens in the order of the digests of their values; nil where none
// has one. Expired tokens may be among them.
func (s *GrantStore) TokensByDigest(ctx context.Context, digests []string) ([]*model.AccessToken, error) {
	return findInOrder(ctx, s.db.Collection(AccessTokens), "_id", digests,
		func(t *model.AccessToken) string { return t.Digest })
}

// TokensByAccount reads the access tokens that each account granted, sorted by application.
// Expired tokens may be among them.
func (s *GrantStore) TokensByAccount(ctx context.Context, ids []string) ([][]*model.AccessToken, error) {
	return findGrouped(ctx, s.db.Collection(AccessTokens), "account", ids,
		func(t *model.AccessToken) string { return t.Account }, sortedBy("app", "_id"))
}

// DeleteTokens deletes access tokens by the digests of their values.
func (s *GrantStore) DeleteTokens(ctx context.Context, digests []string) error {
	return s.db.Collection(AccessTokens).DeleteMany(ctx, bson.D{{Key: "_id", Value: in(digests)}})
}

// RevokeToken deletes an access token by the digest of its value, if it was issued to the application. It reports
// whether there was one.
func (s *GrantStore) RevokeToken(ctx context.Context, digest, app string) (bool, error) {
	return s.db.Collection(AccessTokens).DeleteOne(ctx, bson.D{{Key: "_id", Value: digest}, {Key: "app", Value: app}})
}

// Revoke deletes the authorization codes and access tokens that an account granted an
// application.
func (s *GrantStore) Revoke(ctx context.Context, account, app string) error {
	return s.revoke(ctx, bson.D{{Key: "account", Value: account}, {Key: "app", Value: app}})
}

// RevokeOf deletes the authorization codes and access tokens that an account granted any application.
func (s *GrantStore) RevokeOf(ctx context.Context, account string) error {
	return s.revoke(ctx, bson.D{{Key: "account", Value: account}})
}

// revoke deletes the codes first, so that one redeemed meanwhile is found missing afterwards.
func (s *GrantStore) revoke(ctx context.Context, filter bson.D) error {
	if err := s.db.Collection(AuthCodes).DeleteMany(ctx, filter); err != nil {
		return err
	}
	return s.db.Collection(AccessTokens).DeleteMany(ctx, filter)
}
