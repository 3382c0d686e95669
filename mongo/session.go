package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
)

// SessionsByDigest reads sessions in the order of the digests of their secrets; nil where none
// has one. One that has expired may still be there.
func (s *Store) SessionsByDigest(ctx context.Context, digests []string) ([]*model.Session, error) {
	found, err := find[model.Session](ctx, s.majority(Sessions), bson.D{{Key: "_id", Value: in(digests)}})
	if err != nil {
		return nil, err
	}
	return inKeyOrder(digests, found, func(x *model.Session) string { return x.Digest }), nil
}

// InsertSession adds a session.
func (s *Store) InsertSession(ctx context.Context, x *model.Session) error {
	return insertError(s.majority(Sessions).InsertOne(ctx, x))
}

// DeleteSessions ends sessions by the digests of their secrets.
func (s *Store) DeleteSessions(ctx context.Context, digests []string) error {
	_, err := s.majority(Sessions).DeleteMany(ctx, bson.D{{Key: "_id", Value: in(digests)}})
	return translateError(err)
}

// DeleteSessionsOf ends all sessions of an account.
func (s *Store) DeleteSessionsOf(ctx context.Context, account string) error {
	_, err := s.majority(Sessions).DeleteMany(ctx, bson.D{{Key: "account", Value: account}})
	return translateError(err)
}

// AccessTokensByDigest reads OAuth2 access tokens in the order of the digests of their values;
// nil where none has one. One that has expired may still be there.
func (s *Store) AccessTokensByDigest(ctx context.Context, digests []string) ([]*model.AccessToken, error) {
	found, err := find[model.AccessToken](ctx, s.majority(AccessTokens), bson.D{{Key: "_id", Value: in(digests)}})
	if err != nil {
		return nil, err
	}
	return inKeyOrder(digests, found, func(t *model.AccessToken) string { return t.Digest }), nil
}

// InsertAccessToken adds an access token.
func (s *Store) InsertAccessToken(ctx context.Context, t *model.AccessToken) error {
	return insertError(s.majority(AccessTokens).InsertOne(ctx, t))
}

// AccessTokensByAccount reads the access tokens that each account gave applications, those of
// one application beside each other. Some may have expired.
func (s *Store) AccessTokensByAccount(ctx context.Context, ids []string) ([][]*model.AccessToken, error) {
	found, err := find[model.AccessToken](ctx, s.majority(AccessTokens), bson.D{{Key: "account", Value: in(ids)}},
		sortedBy("app", "_id"))
	if err != nil {
		return nil, err
	}
	return groupedByKey(ids, found, func(t *model.AccessToken) string { return t.Account }), nil
}

// DeleteAccessTokens revokes access tokens by the digests of their values.
func (s *Store) DeleteAccessTokens(ctx context.Context, digests []string) error {
	_, err := s.majority(AccessTokens).DeleteMany(ctx, bson.D{{Key: "_id", Value: in(digests)}})
	return translateError(err)
}

// RevokeGrant revokes every access token that one user gave one application, and every
// authorization code. The codes go first: who redeems one now finds it gone afterwards.
func (s *Store) RevokeGrant(ctx context.Context, account, app string) error {
	for _, c := range []string{AuthCodes, AccessTokens} {
		if _, err := s.majority(c).DeleteMany(ctx, bson.D{
			{Key: "account", Value: account},
			{Key: "app", Value: app},
		}); err != nil {
			return translateError(err)
		}
	}
	return nil
}
