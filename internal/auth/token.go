package auth

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// TokenDeletionInterval is the minimum time between two deletions of tokens of one account.
const TokenDeletionInterval = 2 * time.Minute

// How long after its creation a token can expire. An expired one makes room for another, so a shorter time would be a
// way around TokenDeletionInterval.
const (
	minTokenLifetime = time.Hour
	maxTokenLifetime = 5 * 366 * 24 * time.Hour
)

// Errors about API tokens. Their texts are shown to users.
var (
	ErrNoToken           = errors.New("the account has no token of that name")
	ErrTokenNameTaken    = errors.New("the account has a token of that name")
	ErrTokenLimit        = fmt.Errorf("an account has at most %d tokens: delete one first", model.MaxTokens)
	ErrInvalidExpiry     = errors.New("a token expires at least an hour and at most five years after its creation")
	ErrInvalidTokenValue = errors.New("this is not an API token: create one with gamedata token make")
	ErrTokenTaken        = errors.New("another account has this API token")
)

// Tokens are the API tokens of accounts.
type Tokens struct {
	*base
	accounts *Accounts
}

// NewTokenValue returns a new value for an API token.
func NewTokenValue() string { return newSecret(apiToken) }

// Create creates an API token and returns its value, which cannot be retrieved later. Name and expiry cannot be
// changed; nil is no expiry. Tokens of the account that have expired are deleted.
func (ts *Tokens) Create(ctx context.Context, account, name, description string, public bool,
	expires *time.Time,
) (value string, t *model.APIToken, err error) {
	err = errors.Join(validateName(name), validateDescription(description), ts.validateExpiry(expires))
	if err != nil {
		return "", nil, err
	}
	value = NewTokenValue()
	t = &model.APIToken{
		Key: newID(), Name: name, Description: description, Prefix: visiblePrefix(value), Public: public,
		Digest: ts.digest(value), CreatedAt: ts.now().UTC(), ExpiresAt: expires,
	}
	if err := tokenError(ts.store.Tokens.Add(ctx, account, t)); err != nil {
		return "", nil, err
	}
	return value, t, nil
}

func (ts *Tokens) validateExpiry(expires *time.Time) error {
	if expires == nil {
		return nil
	}
	if lifetime := expires.Sub(ts.now()); lifetime < minTokenLifetime || lifetime > maxTokenLifetime {
		return ErrInvalidExpiry
	}
	return nil
}

// Expired reports whether a token has expired.
func (ts *Tokens) Expired(t *model.APIToken) bool { return t.ExpiredAt(ts.now()) }

// Change stores a token's description and whether it is public, that is, acts as a guest.
func (ts *Tokens) Change(ctx context.Context, account string, t *model.APIToken) error {
	defer ts.cache.invalidateAccount(account)
	if err := validateDescription(t.Description); err != nil {
		return err
	}
	return replaceNotFound(ts.store.Tokens.Update(ctx, account, t), ErrNoToken)
}

// Of returns the tokens of an account in the order of their creation.
func (ts *Tokens) Of(ctx context.Context, account string) ([]*model.APIToken, error) {
	owner, err := ts.accounts.ByID(ctx, account)
	if err != nil {
		return nil, err
	}
	return owner.Tokens, nil
}

// Edit changes a token of an account by its id; nil keeps a property.
func (ts *Tokens) Edit(ctx context.Context, account, id string, description *string,
	public *bool,
) (*model.APIToken, error) {
	tokens, err := ts.Of(ctx, account)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(tokens, func(t *model.APIToken) bool { return t.Key == id })
	if i < 0 {
		return nil, ErrNoToken
	}
	t := tokens[i]
	if description != nil {
		t.Description = *description
	}
	if public != nil {
		t.Public = *public
	}
	return t, ts.Change(ctx, account, t)
}

// Delete deletes a token of an account. It returns *mongo.TooSoonError within interval of the last
// deletion; for users that is TokenDeletionInterval.
func (ts *Tokens) Delete(ctx context.Context, account, id string, interval time.Duration) error {
	defer ts.cache.invalidateAccount(account)
	return replaceNotFound(ts.store.Tokens.Delete(ctx, account, id, ts.now().UTC(), interval), ErrNoToken)
}

// Ensure makes value the named API token of an account, creating both if needed; the token's
// previous value becomes invalid. It returns false if nothing had to change.
func (ts *Tokens) Ensure(ctx context.Context, account, name, value string) (changed bool, err error) {
	if secretKind(value) != apiToken {
		return false, ErrInvalidTokenValue
	}
	holder, err := ts.accounts.ensure(ctx, account)
	if err != nil {
		return false, err
	}
	used, err := ts.store.Accounts.ByToken(ctx, []string{ts.digest(value)})
	switch {
	case err != nil:
		return false, err
	case used[0] != nil && used[0].ID != holder.ID:
		return false, ErrTokenTaken
	case used[0] != nil:
		return false, nil
	}
	if i := slices.IndexFunc(holder.Tokens, func(t *model.APIToken) bool { return t.Name == name }); i >= 0 {
		t := *holder.Tokens[i]
		t.Digest, t.Prefix = ts.digest(value), visiblePrefix(value)
		return true, ts.Change(ctx, holder.ID, &t)
	}
	err = ts.store.Tokens.Add(ctx, holder.ID, &model.APIToken{
		Key: newID(), Name: name, Description: "given to the service at its start",
		Prefix: visiblePrefix(value), Digest: ts.digest(value), CreatedAt: ts.now().UTC(),
	})
	if errors.Is(err, mongo.ErrTaken) { // another instance starts at the same time
		return ts.Ensure(ctx, account, name, value)
	}
	return true, tokenError(err)
}

func tokenError(err error) error {
	switch {
	case errors.Is(err, mongo.ErrNotFound):
		return ErrNoAccount
	case errors.Is(err, mongo.ErrTaken):
		return ErrTokenNameTaken
	case errors.Is(err, mongo.ErrFull):
		return ErrTokenLimit
	}
	return err
}
