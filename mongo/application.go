package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
)

// InsertApplication adds an OAuth2 application; ErrTaken when another has its client id, or its
// place among those of the account.
func (s *Store) InsertApplication(ctx context.Context, a *model.Application) error {
	return insertError(s.majority(Applications).InsertOne(ctx, a))
}

// ApplicationsByID reads applications in the order of their client ids; nil where none has one.
func (s *Store) ApplicationsByID(ctx context.Context, ids []string) ([]*model.Application, error) {
	found, err := find[model.Application](ctx, s.majority(Applications), bson.D{{Key: "_id", Value: in(ids)}})
	if err != nil {
		return nil, err
	}
	return inKeyOrder(ids, found, func(a *model.Application) string { return a.ID }), nil
}

// ApplicationsByAccount reads the applications that each account registered.
func (s *Store) ApplicationsByAccount(ctx context.Context, ids []string) ([][]*model.Application, error) {
	found, err := find[model.Application](ctx, s.majority(Applications), bson.D{{Key: "account", Value: in(ids)}},
		sortedBy("_id"))
	if err != nil {
		return nil, err
	}
	return groupedByKey(ids, found, func(a *model.Application) string { return a.Account }), nil
}

// UpdateApplication sets what may change of an application: name, redirect URIs and scopes.
// ErrNotFound when the account that it names does not have it.
func (s *Store) UpdateApplication(ctx context.Context, a *model.Application) error {
	r, err := s.majority(Applications).UpdateOne(ctx, bson.D{{Key: "_id", Value: a.ID}, {Key: "account", Value: a.Account}},
		bson.D{{Key: "$set", Value: bson.D{
			{Key: "name", Value: a.Name},
			{Key: "redirectURIs", Value: a.RedirectURIs},
			{Key: "scopes", Value: a.Scopes},
		}}})
	if err == nil && r.MatchedCount == 0 {
		return ErrNotFound
	}
	return translateError(err)
}

// SetApplicationSecret replaces the digest of the secret of a private application. ErrNotFound
// when the account has no such one.
func (s *Store) SetApplicationSecret(ctx context.Context, account, id, digest string) error {
	r, err := s.majority(Applications).UpdateOne(ctx,
		bson.D{{Key: "_id", Value: id}, {Key: "account", Value: account}, {Key: "secretDigest", Value: bson.D{{
			Key:   "$exists",
			Value: true,
		}}}},
		bson.D{{Key: "$set", Value: bson.D{{Key: "secretDigest", Value: digest}}}})
	if err == nil && r.MatchedCount == 0 {
		return ErrNotFound
	}
	return translateError(err)
}

// DeleteApplication ends an application and every access token it was given. ErrNotFound when
// there is none with the client id.
func (s *Store) DeleteApplication(ctx context.Context, id string) error {
	// The application goes first: a token whose application is gone is refused.
	r, err := s.majority(Applications).DeleteOne(ctx, bson.D{{Key: "_id", Value: id}})
	if err != nil {
		return translateError(err)
	}
	if _, err := s.majority(AccessTokens).DeleteMany(ctx, bson.D{{Key: "app", Value: id}}); err != nil {
		return translateError(err)
	}
	if r.DeletedCount == 0 {
		return ErrNotFound
	}
	return nil
}
