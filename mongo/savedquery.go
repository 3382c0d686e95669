package mongo

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
	"gamedata/mongo/conn"
)

// The queries that an account saved are one record, so that one conditional write enforces their number and that
// names are unique.

// savedQueries is the record of an account.
type savedQueries struct {
	Account string              `bson:"_id"`
	Queries []*model.SavedQuery `bson:"queries"`
}

// Of reads the queries that an account saved, by name.
func (s *SavedQueryStore) Of(ctx context.Context, account string) ([]*model.SavedQuery, error) {
	found, err := find[savedQueries](ctx, s.db.Collection(SavedQueries), bson.D{{Key: "_id", Value: account}})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	queries := found[0].Queries
	slices.SortFunc(queries, func(a, b *model.SavedQuery) int { return strings.Compare(Fold(a.Name), Fold(b.Name)) })
	return queries, nil
}

// Add adds a query to those of an account. ErrTaken when one of them has the name, ErrFull when the account has
// model.MaxSavedQueries, however many are added concurrently.
func (s *SavedQueryStore) Add(ctx context.Context, account string, q *model.SavedQuery) error {
	for {
		queries, err := s.Of(ctx, account)
		switch {
		case err != nil:
			return err
		case withName(queries, q.Name) >= 0:
			return ErrTaken
		case len(queries) >= model.MaxSavedQueries:
			return ErrFull
		}
		_, err = s.db.Collection(SavedQueries).UpdateOne(ctx,
			bson.D{{Key: "_id", Value: account}, shorterThan("queries", model.MaxSavedQueries), nameFree(q.Name)},
			bson.D{{Key: "$push", Value: bson.D{{Key: "queries", Value: q}}}}, options.UpdateOne().SetUpsert(true))
		if !conn.IsDuplicateKey(err) {
			return err
		}
		// The record does not match any more: it became full, or has the name by now.
	}
}

// Update replaces the query with the key of q. ErrNotFound when the account has none with it, ErrTaken when another one
// has the name.
func (s *SavedQueryStore) Update(ctx context.Context, account string, q *model.SavedQuery) error {
	found, err := find[savedQueries](ctx, s.db.Collection(SavedQueries), withID(account))
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return ErrNotFound
	}
	queries := found[0].Queries
	at := slices.IndexFunc(queries, func(old *model.SavedQuery) bool { return old.Key == q.Key })
	if at < 0 {
		return ErrNotFound
	}
	path := "queries." + strconv.Itoa(at)
	filter := bson.D{{Key: "_id", Value: account}, {Key: path + ".id", Value: q.Key}}
	if q.Name != queries[at].Name {
		if withName(queries, q.Name) >= 0 {
			return ErrTaken
		}
		filter = append(filter, nameFree(q.Name))
	}
	// If the query has moved in the list since, the update matches nothing.
	return matchError(s.db.Collection(SavedQueries).UpdateOne(ctx, filter,
		bson.D{{Key: "$set", Value: bson.D{{Key: path, Value: q}}}}))
}

// withName returns the index of the query of a name, -1 if there is none.
func withName(queries []*model.SavedQuery, name string) int {
	return slices.IndexFunc(queries, func(q *model.SavedQuery) bool { return q.Name == name })
}

// nameFree matches records without a query of a name.
func nameFree(name string) bson.E {
	return bson.E{Key: "queries.name", Value: bson.D{{Key: "$ne", Value: name}}}
}

// Delete deletes a query that an account saved. ErrNotFound when it has none with the key.
func (s *SavedQueryStore) Delete(ctx context.Context, account, key string) error {
	return matchError(s.db.Collection(SavedQueries).UpdateOne(ctx,
		bson.D{{Key: "_id", Value: account}, {Key: "queries.id", Value: key}},
		bson.D{{Key: "$pull", Value: bson.D{{Key: "queries", Value: bson.D{{Key: "id", Value: key}}}}}}))
}

// DeleteOf deletes all queries that an account saved.
func (s *SavedQueryStore) DeleteOf(ctx context.Context, account string) error {
	return s.db.Collection(SavedQueries).DeleteMany(ctx, bson.D{{Key: "_id", Value: account}})
}
