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

// Save adds a query to those of an account, or replaces the one of its name. ErrFull when the account has
// model.MaxSavedQueries, however many are added concurrently.
func (s *SavedQueryStore) Save(ctx context.Context, account string, q *model.SavedQuery) error {
	replaced, err := s.replace(ctx, account, q.Name, q)
	if err != nil || replaced {
		return err
	}
	_, err = s.db.Collection(SavedQueries).UpdateOne(ctx,
		bson.D{
			{Key: "_id", Value: account},
			shorterThan("queries", model.MaxSavedQueries),
			{Key: "queries.name", Value: bson.D{{Key: "$ne", Value: q.Name}}},
		},
		bson.D{{Key: "$push", Value: bson.D{{Key: "queries", Value: q}}}}, options.UpdateOne().SetUpsert(true))
	if !conn.IsDuplicateKey(err) {
		return err
	}
	// The record exists and did not match: it is full, or has the name by now.
	if replaced, err = s.replace(ctx, account, q.Name, q); err == nil && !replaced {
		err = ErrFull
	}
	return err
}

// Rename gives a query that an account saved another name. ErrNotFound when the account has none of the name,
// ErrTaken when another has the new one.
func (s *SavedQueryStore) Rename(ctx context.Context, account, name, newName string) (*model.SavedQuery, error) {
	queries, err := s.Of(ctx, account)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(queries, func(q *model.SavedQuery) bool { return q.Name == name })
	switch {
	case at < 0:
		return nil, ErrNotFound
	case name == newName:
		return queries[at], nil
	case slices.ContainsFunc(queries, func(q *model.SavedQuery) bool { return q.Name == newName }):
		return nil, ErrTaken
	}
	renamed := *queries[at]
	renamed.Name = newName
	replaced, err := s.replace(ctx, account, name, &renamed)
	if err == nil && !replaced {
		err = ErrNotFound
	}
	return &renamed, err
}

// replace replaces the query of a name; false if there is none.
func (s *SavedQueryStore) replace(ctx context.Context, account, name string, q *model.SavedQuery) (bool, error) {
	found, err := find[savedQueries](ctx, s.db.Collection(SavedQueries), bson.D{{Key: "_id", Value: account}})
	if err != nil || len(found) == 0 {
		return false, err
	}
	at := slices.IndexFunc(found[0].Queries, func(old *model.SavedQuery) bool { return old.Name == name })
	if at < 0 {
		return false, nil
	}
	path := "queries." + strconv.Itoa(at)
	filter := bson.D{{Key: "_id", Value: account}, {Key: path + ".name", Value: name}}
	if q.Name != name {
		filter = append(filter, bson.E{Key: "queries.name", Value: bson.D{{Key: "$ne", Value: q.Name}}})
	}
	// If the query has moved in the list since, the update matches nothing.
	r, err := s.db.Collection(SavedQueries).UpdateOne(ctx, filter,
		bson.D{{Key: "$set", Value: bson.D{{Key: path, Value: q}}}})
	if err != nil {
		return false, err
	}
	return r.MatchedCount > 0, nil
}

// Delete deletes a query that an account saved. ErrNotFound when it has none of the name.
func (s *SavedQueryStore) Delete(ctx context.Context, account, name string) error {
	return matchError(s.db.Collection(SavedQueries).UpdateOne(ctx,
		bson.D{{Key: "_id", Value: account}, {Key: "queries.name", Value: name}},
		bson.D{{Key: "$pull", Value: bson.D{{Key: "queries", Value: bson.D{{Key: "name", Value: name}}}}}}))
}

// DeleteOf deletes all queries that an account saved.
func (s *SavedQueryStore) DeleteOf(ctx context.Context, account string) error {
	return s.db.Collection(SavedQueries).DeleteMany(ctx, bson.D{{Key: "_id", Value: account}})
}
