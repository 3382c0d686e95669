package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
)

// ApplicationStore reads and writes OAuth2 applications by their client ids.
type ApplicationStore struct {
	accountTable[model.Application]
}

// Delete deletes an application and its access tokens. ErrNotFound when the client id is unknown.
func (s *ApplicationStore) Delete(ctx context.Context, id string) error {
	// The application goes first: a token without an application is rejected.
	existed, err := s.any.records().DeleteOne(ctx, withID(id))
	if err != nil {
		return err
	}
	if err := s.store.Grants.any.records().DeleteMany(ctx, bson.D{{Key: "app", Value: id}}); err != nil {
		return err
	}
	if !existed {
		return ErrNotFound
	}
	return nil
}

// CodeStore reads and writes OAuth2 authorization codes by their digests. Used and expired codes may be among them.
type CodeStore struct{ plainTable[model.AuthCode] }

// Redeem redeems the code with a digest, unless it has expired at now, for the access token t, which it does not store.
// Of concurrent callers on all instances only one succeeds; the others get ErrNotFound. The record stays as long as the
// token is valid.
func (s *CodeStore) Redeem(ctx context.Context, digest string, now time.Time, t *model.AccessToken) error {
	valid, err := s.any.records().FindOneAndUpdate(ctx,
		append(withID(digest), bson.E{Key: "used", Value: bson.D{{Key: "$exists", Value: false}}}, notExpired(now)),
		bson.D{{Key: "$set", Value: bson.D{
			{Key: "used", Value: now}, {Key: "token", Value: t.Digest}, {Key: "forget", Value: t.Expires},
		}}}, &bson.Raw{}, nil)
	if err == nil && !valid {
		return ErrNotFound
	}
	return err
}

// GrantStore reads and writes OAuth2 access tokens by their digests. Expired tokens may be among them.
type GrantStore struct {
	accountTable[model.AccessToken]
}

// RevokeToken deletes an access token by the digest of its value, if it was issued to the application. It reports
// whether there was one.
func (s *GrantStore) RevokeToken(ctx context.Context, digest, app string) (bool, error) {
	return s.any.records().DeleteOne(ctx, append(withID(digest), bson.E{Key: "app", Value: app}))
}

// Revoke deletes the authorization codes and access tokens that an account granted an
// application.
func (s *GrantStore) Revoke(ctx context.Context, account, app string) error {
	return s.revoke(ctx, append(ofAccount(account), bson.E{Key: "app", Value: app}))
}

// RevokeOf deletes the authorization codes and access tokens that an account granted any application.
func (s *GrantStore) RevokeOf(ctx context.Context, account string) error {
	return s.revoke(ctx, ofAccount(account))
}

// revoke deletes the codes first, so that a concurrent redemption finds its code missing.
func (s *GrantStore) revoke(ctx context.Context, filter bson.D) error {
	if err := s.store.Codes.any.records().DeleteMany(ctx, filter); err != nil {
		return err
	}
	return s.any.records().DeleteMany(ctx, filter)
}
