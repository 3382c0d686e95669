package mongo

import (
	"context"
	"errors"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/graph/model"
)

func (s *Store) applications() *collection { return s.majority(Applications) }

// InsertApplication adds an OAuth2 application; ErrTaken when another has its client id, or its
// place among those of the account.
func (s *Store) InsertApplication(ctx context.Context, a *model.Application) error {
	return insertError(s.applications().InsertOne(ctx, a))
}

// ApplicationsByID reads applications in the order of their client ids; nil where none has one.
func (s *Store) ApplicationsByID(ctx context.Context, ids []string) ([]*model.Application, error) {
	return findInOrder(ctx, s.applications(), "_id", ids, func(a *model.Application) string { return a.ClientID })
}

// ApplicationsByAccount reads the applications that each account registered.
func (s *Store) ApplicationsByAccount(ctx context.Context, ids []string) ([][]*model.Application, error) {
	return findGrouped(ctx, s.applications(), "account", ids, func(a *model.Application) string { return a.Account },
		sortedBy("_id"))
}

// UpdateApplication replaces name, redirect URIs and scopes of an application. ErrNotFound when the
// account that it names does not have it.
func (s *Store) UpdateApplication(ctx context.Context, a *model.Application) error {
	return matchError(s.applications().UpdateOne(ctx,
		bson.D{{Key: "_id", Value: a.ClientID}, {Key: "account", Value: a.Account}},
		bson.D{{Key: "$set", Value: bson.D{
			{Key: "name", Value: a.Name}, {Key: "redirectURIs", Value: a.RedirectURIs}, {Key: "scopes", Value: a.Scopes},
		}}}))
}

// SetApplicationSecret replaces the digest of the secret of a private application. ErrNotFound when
// the account has no such application.
func (s *Store) SetApplicationSecret(ctx context.Context, account, id, digest string) error {
	return matchError(s.applications().UpdateOne(ctx,
		bson.D{
			{Key: "_id", Value: id},
			{Key: "account", Value: account},
			{Key: "secretDigest", Value: bson.D{{Key: "$exists", Value: true}}},
		},
		bson.D{{Key: "$set", Value: bson.D{{Key: "secretDigest", Value: digest}}}}))
}

// DeleteApplication deletes an application and its access tokens. ErrNotFound when none has the client
// id.
func (s *Store) DeleteApplication(ctx context.Context, id string) error {
	// The application goes first: a token without an application is rejected.
	r, err := s.applications().DeleteOne(ctx, bson.D{{Key: "_id", Value: id}})
	if err != nil {
		return translateError(err)
	}
	if err := deleteAll(ctx, s.accessTokens(), bson.D{{Key: "app", Value: id}}); err != nil {
		return err
	}
	if r.DeletedCount == 0 {
		return ErrNotFound
	}
	return nil
}

func (s *Store) authCodes() *collection { return s.majority(AuthCodes) }

// InsertAuthCode adds an authorization code.
func (s *Store) InsertAuthCode(ctx context.Context, c *model.AuthCode) error {
	return insertError(s.authCodes().InsertOne(ctx, c))
}

// AuthCodesByDigest reads authorization codes in the order of their digests; nil where none has one.
// Used and expired codes may be among them.
func (s *Store) AuthCodesByDigest(ctx context.Context, digests []string) ([]*model.AuthCode, error) {
	return findInOrder(ctx, s.authCodes(), "_id", digests, func(c *model.AuthCode) string { return c.Digest })
}

// RedeemAuthCode redeems, by its digest, a code that has not expired at now for the access token t,
// which is not stored here. Of concurrent callers, on all instances, one succeeds; the others get
// ErrNotFound. The record stays as long as the token is valid.
func (s *Store) RedeemAuthCode(ctx context.Context, digest string, now time.Time, t *model.AccessToken) error {
	err := s.authCodes().FindOneAndUpdate(ctx,
		bson.D{
			{Key: "_id", Value: digest},
			{Key: "used", Value: bson.D{{Key: "$exists", Value: false}}},
			{Key: "expires", Value: bson.D{{Key: "$gt", Value: now}}},
		},
		bson.D{{Key: "$set", Value: bson.D{
			{Key: "used", Value: now}, {Key: "token", Value: t.Digest}, {Key: "forget", Value: t.Expires},
		}}}).Err()
	if errors.Is(err, driver.ErrNoDocuments) {
		return ErrNotFound
	}
	return translateError(err)
}

func (s *Store) accessTokens() *collection { return s.majority(AccessTokens) }

// InsertAccessToken adds an access token.
func (s *Store) InsertAccessToken(ctx context.Context, t *model.AccessToken) error {
	return insertError(s.accessTokens().InsertOne(ctx, t))
}

// AccessTokensByDigest reads access tokens in the order of the digests of their values; nil where none
// has one. Expired tokens may be among them.
func (s *Store) AccessTokensByDigest(ctx context.Context, digests []string) ([]*model.AccessToken, error) {
	return findInOrder(ctx, s.accessTokens(), "_id", digests, func(t *model.AccessToken) string { return t.Digest })
}

// AccessTokensByAccount reads the access tokens that each account granted, sorted by application.
// Expired tokens may be among them.
func (s *Store) AccessTokensByAccount(ctx context.Context, ids []string) ([][]*model.AccessToken, error) {
	return findGrouped(ctx, s.accessTokens(), "account", ids, func(t *model.AccessToken) string { return t.Account },
		sortedBy("app", "_id"))
}

// DeleteAccessTokens deletes access tokens by the digests of their values.
func (s *Store) DeleteAccessTokens(ctx context.Context, digests []string) error {
	return deleteAll(ctx, s.accessTokens(), bson.D{{Key: "_id", Value: in(digests)}})
}

// RevokeAccessToken deletes an access token by the digest of its value, if it was issued to the application. It reports
// whether there was one.
func (s *Store) RevokeAccessToken(ctx context.Context, digest, app string) (bool, error) {
	r, err := s.accessTokens().DeleteOne(ctx, bson.D{{Key: "_id", Value: digest}, {Key: "app", Value: app}})
	if err != nil {
		return false, translateError(err)
	}
	return r.DeletedCount > 0, nil
}

// RevokeGrant deletes the authorization codes and access tokens that an account granted an
// application.
func (s *Store) RevokeGrant(ctx context.Context, account, app string) error {
	return s.revoke(ctx, bson.D{{Key: "account", Value: account}, {Key: "app", Value: app}})
}

// RevokeGrantsOf deletes the authorization codes and access tokens that an account granted any application.
func (s *Store) RevokeGrantsOf(ctx context.Context, account string) error {
	return s.revoke(ctx, bson.D{{Key: "account", Value: account}})
}

// revoke deletes the codes first, so that one redeemed meanwhile is found missing afterwards.
func (s *Store) revoke(ctx context.Context, filter bson.D) error {
	if err := deleteAll(ctx, s.authCodes(), filter); err != nil {
		return err
	}
	return deleteAll(ctx, s.accessTokens(), filter)
}
