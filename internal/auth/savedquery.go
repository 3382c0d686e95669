package auth

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// Errors about saved queries. Their texts are shown to users.
var (
	ErrInvalidQuery    = errors.New("a query and its variables have at most 20,000 bytes each, and the query is not empty")
	ErrNoSavedQuery    = errors.New("the account has no such saved query")
	ErrQueryNameTaken  = errors.New("another query is saved under that name")
	ErrSavedQueryLimit = errors.New("at most 50 queries can be saved; delete one first")
)

const maxQuery = 20_000 // bytes

// SavedQueries are the queries that users saved in the console.
type SavedQueries struct{ *base }

// Of returns the queries that an account saved, by name.
func (s *SavedQueries) Of(ctx context.Context, account string) ([]*model.SavedQuery, error) {
	return s.store.SavedQueries.Of(ctx, account)
}

// Create saves a query of an account. It returns ErrInvalidName, ErrInvalidQuery, ErrQueryNameTaken or
// ErrSavedQueryLimit for what the user can correct.
func (s *SavedQueries) Create(ctx context.Context, account, name, query, variables string) (*model.SavedQuery, error) {
	q := &model.SavedQuery{Key: newID(), Name: name, Query: query, Variables: variables, SavedAt: s.now().UTC()}
	if err := validateSavedQuery(q); err != nil {
		return nil, err
	}
	if err := s.store.SavedQueries.Add(ctx, account, q); err != nil {
		return nil, savedQueryError(err)
	}
	return q, nil
}

// Update changes a saved query of an account by its key; nil keeps a property. It returns ErrNoSavedQuery,
// ErrInvalidName, ErrInvalidQuery or ErrQueryNameTaken for what the user can correct.
func (s *SavedQueries) Update(ctx context.Context, account, key string, name, query, variables *string) (
	*model.SavedQuery, error,
) {
	queries, err := s.Of(ctx, account)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(queries, func(q *model.SavedQuery) bool { return q.Key == key })
	if at < 0 {
		return nil, ErrNoSavedQuery
	}
	q := queries[at]
	for property, value := range map[*string]*string{&q.Name: name, &q.Query: query, &q.Variables: variables} {
		if value != nil {
			*property = *value
		}
	}
	q.SavedAt = s.now().UTC()
	if err := validateSavedQuery(q); err != nil {
		return nil, err
	}
	if err := s.store.SavedQueries.Update(ctx, account, q); err != nil {
		return nil, savedQueryError(err)
	}
	return q, nil
}

// Delete deletes a saved query of an account by its key, or returns ErrNoSavedQuery.
func (s *SavedQueries) Delete(ctx context.Context, account, key string) error {
	return savedQueryError(s.store.SavedQueries.Delete(ctx, account, key))
}

func validateSavedQuery(q *model.SavedQuery) error {
	if err := validateName(q.Name); err != nil {
		return err
	}
	if strings.TrimSpace(q.Query) == "" || !validQuery(q.Query) || !validQuery(q.Variables) {
		return ErrInvalidQuery
	}
	return nil
}

func validQuery(s string) bool { return len(s) <= maxQuery && utf8.ValidString(s) }

func savedQueryError(err error) error {
	switch {
	case errors.Is(err, mongo.ErrNotFound):
		return ErrNoSavedQuery
	case errors.Is(err, mongo.ErrTaken):
		return ErrQueryNameTaken
	case errors.Is(err, mongo.ErrFull):
		return ErrSavedQueryLimit
	}
	return err
}
