package auth

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gamedata/graph/model"
)

// TokenDeletionInterval is the minimum time between two deletions of tokens of one account.
const TokenDeletionInterval = 2 * time.Minute

// How long after its creation a token can expire. An expired token can be replaced at once, so a shorter time would
// circumvent TokenDeletionInterval.
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

// Tokens manages the API tokens of accounts.
type Tokens struct {
	*base
	accounts *Accounts
}

// NewTokenValue returns a new value for an API token.
func NewTokenValue() string { return newSecret(apiToken) }

// Create creates an API token and returns its value, which cannot be retrieved later. Name and expiry cannot be
// changed; nil means no expiry. Create deletes the account's expired tokens.
func (ts *Tokens) Create(ctx context.Context, account, name, description string, public bool,
	expires *time.Time,
) (value string, t *model.APIToken, err error) {
	err = errors.Join(validateName(name), validateDescription(description), ts.validateExpiry(expires))
	if err != nil {
		return "", nil, err
	}
	value = NewTokenValue()
	t = ts.newToken(value, name, description)
	t.Public, t.ExpiresAt = public, expires
	if err := ts.editAccount(ctx, account, func(a *model.Account) error { return ts.add(a, t) }); err != nil {
		return "", nil, err
	}
	return value, t, nil
}

func (ts *Tokens) newToken(value, name, description string) *model.APIToken {
	return &model.APIToken{
		Key: newID(), Name: name, Description: description, Prefix: visiblePrefix(value), Digest: ts.digest(value),
		CreatedAt: ts.now().UTC(),
	}
}

// add adds a token to an account and removes its expired tokens.
func (ts *Tokens) add(a *model.Account, t *model.APIToken) error {
	a.Tokens = slices.DeleteFunc(a.Tokens, ts.Expired)
	switch {
	case slices.ContainsFunc(a.Tokens, func(other *model.APIToken) bool { return other.Name == t.Name }):
		return ErrTokenNameTaken
	case len(a.Tokens) >= model.MaxTokens:
		return ErrTokenLimit
	}
	a.Tokens = append(a.Tokens, t)
	return nil
}

// indexOfToken returns the index of a token of an account, or ErrNoToken.
func indexOfToken(a *model.Account, id string) (int, error) {
	at := slices.IndexFunc(a.Tokens, func(t *model.APIToken) bool { return t.Key == id })
	if at < 0 {
		return 0, ErrNoToken
	}
	return at, nil
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

// Of returns the tokens of an account in the order of their creation.
func (ts *Tokens) Of(ctx context.Context, account string) ([]*model.APIToken, error) {
	owner, err := ts.accounts.ByID(ctx, account)
	if err != nil {
		return nil, err
	}
	return owner.Tokens, nil
}

// Edit changes the description of a token of an account, and whether it is public, that is, acts as a guest; nil keeps
// a property.
func (ts *Tokens) Edit(ctx context.Context, account, id string, description *string, public *bool) (
	t *model.APIToken, err error,
) {
	err = ts.editAccount(ctx, account, func(a *model.Account) error {
		at, err := indexOfToken(a, id)
		if err != nil {
			return err
		}
		t = a.Tokens[at]
		setIfGiven(&t.Description, description)
		setIfGiven(&t.Public, public)
		return validateDescription(t.Description)
	})
	return t, err
}

// Delete deletes a token of an account. It returns *WaitError within interval of the last deletion; users get
// TokenDeletionInterval.
func (ts *Tokens) Delete(ctx context.Context, account, id string, interval time.Duration) error {
	return ts.editAccount(ctx, account, func(a *model.Account) error {
		at, err := indexOfToken(a, id)
		if err != nil {
			return err
		}
		now := ts.now().UTC()
		if a.TokenDeleted != nil {
			if wait := a.TokenDeleted.Add(interval).Sub(now); wait > 0 {
				return &WaitError{"another token was deleted a short while ago", wait}
			}
		}
		a.Tokens, a.TokenDeleted = slices.Delete(a.Tokens, at, at+1), &now
		return nil
	})
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
	return true, ts.editAccount(ctx, holder.ID, func(a *model.Account) error {
		t := ts.newToken(value, name, "given to the service at its start")
		for _, old := range a.Tokens {
			if old.Name == name {
				old.Digest, old.Prefix = t.Digest, t.Prefix
				return nil
			}
		}
		return ts.add(a, t)
	})
}
