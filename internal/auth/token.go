package auth

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// TokenDeletionInterval is the least time between two deletions of tokens of one account (SPEC §5 rule 5).
const TokenDeletionInterval = 2 * time.Minute

// Refusals about API tokens.
var (
	ErrNoToken           = errors.New("the account has no token of that name")
	ErrTokenNameTaken    = errors.New("the account has a token of that name")
	ErrTokenLimit        = fmt.Errorf("an account has at most %d tokens: delete one first", model.MaxTokens)
	ErrInvalidTokenValue = errors.New("this is no API token: token make gives one")
	ErrTokenTaken        = errors.New("another account has this API token")
)

// NewTokenValue makes the value of an API token.
func NewTokenValue() string { return newSecret(apiToken) }

// CreateToken gives an account an API token and returns its value, which cannot be told
// again. The name cannot be changed later.
func (a *Accounts) CreateToken(ctx context.Context, account, name, description string, public bool) (value string,
	t *model.APIToken, err error,
) {
	if err := errors.Join(validateName(name), validateDescription(description)); err != nil {
		return "", nil, err
	}
	value = NewTokenValue()
	t = &model.APIToken{
		ID: newID(), Name: name, Description: description, Prefix: visiblePrefix(value), Public: public,
		Digest: a.digest(value), Created: a.now().UTC(),
	}
	if err := tokenError(a.store.AddToken(ctx, account, t)); err != nil {
		return "", nil, err
	}
	return value, t, nil
}

// ChangeToken sets the description of a token and whether it acts as a guest.
func (a *Accounts) ChangeToken(ctx context.Context, account string, t *model.APIToken) error {
	defer a.forget(account)
	if err := validateDescription(t.Description); err != nil {
		return err
	}
	err := a.store.UpdateToken(ctx, account, t)
	if errors.Is(err, mongo.ErrNotFound) {
		return ErrNoToken
	}
	return err
}

// EditToken changes a token of an account by its id; nil leaves a part as it is.
func (a *Accounts) EditToken(ctx context.Context, account, id string, description *string,
	public *bool,
) (*model.APIToken, error) {
	of, err := a.AccountByID(ctx, account)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(of.Tokens, func(t *model.APIToken) bool { return t.ID == id })
	if at < 0 {
		return nil, ErrNoToken
	}
	t := of.Tokens[at]
	if description != nil {
		t.Description = *description
	}
	if public != nil {
		t.Public = *public
	}
	return t, a.ChangeToken(ctx, account, t)
}

// DeleteToken takes a token from an account. Within pause of another deletion it is refused
// with *mongo.TooSoonError; TokenDeletionInterval is the rule for users.
func (a *Accounts) DeleteToken(ctx context.Context, account, id string, pause time.Duration) error {
	defer a.forget(account)
	err := a.store.DeleteToken(ctx, account, id, a.now().UTC(), pause)
	if errors.Is(err, mongo.ErrNotFound) {
		return ErrNoToken
	}
	return err
}

// EnsureToken sees to it that a value given by the operator is an API token of a name of an
// account, which is made when missing; another value of that token ends. It is false when
// everything was so already.
func (a *Accounts) EnsureToken(ctx context.Context, account, name, value string) (changed bool, err error) {
	if secretKind(value) != apiToken {
		return false, ErrInvalidTokenValue
	}
	holder, err := a.ensureAccount(ctx, account)
	if err != nil {
		return false, err
	}
	used, err := a.store.AccountsByToken(ctx, []string{a.digest(value)})
	switch {
	case err != nil:
		return false, err
	case used[0] != nil && used[0].ID != holder.ID:
		return false, ErrTokenTaken
	case used[0] != nil:
		return false, nil
	}
	if at := slices.IndexFunc(holder.Tokens, func(t *model.APIToken) bool { return t.Name == name }); at >= 0 {
		t := *holder.Tokens[at]
		t.Digest, t.Prefix = a.digest(value), visiblePrefix(value)
		return true, a.ChangeToken(ctx, holder.ID, &t)
	}
	err = a.store.AddToken(ctx, holder.ID, &model.APIToken{
		ID: newID(), Name: name,
		Description: "given to the service at its start",
		Prefix:      visiblePrefix(value), Digest: a.digest(value), Created: a.now().UTC(),
	})
	if errors.Is(err, mongo.ErrTaken) { // another instance starts at the same time
		return a.EnsureToken(ctx, account, name, value)
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

// newID makes the id of a record: 80 random bits, in lower case.
func newID() string { return strings.ToLower(rand.Text()[:16]) }
