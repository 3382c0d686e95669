package auth

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// Errors about saved queries. Their texts are shown to users.
var (
	ErrInvalidQuery    = errors.New("a query and its variables have at most 20,000 bytes each, and the query is not empty")
	ErrNoSavedQuery    = errors.New("no query of that name is saved")
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

// Save saves a query of an account; it replaces one of the same name. It returns ErrInvalidName, ErrInvalidQuery
// or ErrSavedQueryLimit for what the user can correct.
func (s *SavedQueries) Save(ctx context.Context, account, name, query, variables string) (*model.SavedQuery, error) {
	if err := validateName(name); err != nil {
		return nil, err
	}
	if strings.TrimSpace(query) == "" || !validQuery(query) || !validQuery(variables) {
		return nil, ErrInvalidQuery
	}
	q := &model.SavedQuery{Name: name, Query: query, Variables: variables, SavedAt: s.now().UTC()}
	return q, savedQueryError(s.store.SavedQueries.Save(ctx, account, q))
}

// Rename gives a saved query of an account another name. It returns ErrInvalidName, ErrNoSavedQuery or
// ErrQueryNameTaken for what the user can correct.
func (s *SavedQueries) Rename(ctx context.Context, account, name, newName string) (*model.SavedQuery, error) {
	if err := validateName(newName); err != nil {
		return nil, err
	}
	q, err := s.store.SavedQueries.Rename(ctx, account, name, newName)
	return q, savedQueryError(err)
}

// Delete deletes a saved query of an account, or returns ErrNoSavedQuery.
func (s *SavedQueries) Delete(ctx context.Context, account, name string) error {
	return savedQueryError(s.store.SavedQueries.Delete(ctx, account, name))
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
