package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
)

// Insert adds a competition; ErrTaken when another has its place among those of the account.
func (s *CompetitionStore) Insert(ctx context.Context, c *model.Competition) error {
	return insertError(s.db.Collection(Competitions).InsertOne(ctx, c))
}

// ByID reads competitions in the order of their ids; nil where none has one.
func (s *CompetitionStore) ByID(ctx context.Context, ids []string) ([]*model.Competition, error) {
	return findInOrder(ctx, s.db.Collection(Competitions), "_id", ids, func(c *model.Competition) string { return c.Key })
}

// Of reads the competitions of an account by their places.
func (s *CompetitionStore) Of(ctx context.Context, account string) ([]*model.Competition, error) {
	return find[model.Competition](ctx, s.db.Collection(Competitions), bson.D{{Key: "account", Value: account}},
		sortedBy("place"))
}

// Delete deletes a competition of an account; ErrNotFound when the account does not have it.
func (s *CompetitionStore) Delete(ctx context.Context, account, id string) error {
	existed, err := s.db.Collection(Competitions).DeleteOne(ctx,
		bson.D{{Key: "_id", Value: id}, {Key: "account", Value: account}})
	if err == nil && !existed {
		return ErrNotFound
	}
	return err
}

// DeleteOf deletes all competitions of an account.
func (s *CompetitionStore) DeleteOf(ctx context.Context, account string) error {
	return s.db.Collection(Competitions).DeleteMany(ctx, bson.D{{Key: "account", Value: account}})
}
