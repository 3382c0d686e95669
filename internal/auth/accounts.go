// Package auth manages user accounts and their credentials: passwords, sessions, API tokens, OAuth2
// applications and grants, and the players linked to an account. A secret is returned once, when it
// is created; the store holds digests only.
//
// Access rules belong to resolvers, HTTP to httpapi and auth/oauth.
package auth

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"gamedata/graph/model"
	"gamedata/internal/ratelimit"
	"gamedata/mongo"
)

// Operator is the account of the bootstrap token. Signing up with this name is rejected.
const Operator = "operator"

// Options of Accounts; the zero value is usable.
type Options struct {
	// Pepper keys all digests. It is stored outside the database, so nobody can test guessed secrets against a copy of
	// the database. Changing it invalidates every credential.
	Pepper string
	// Now is the clock for expiry; the store's clock if nil.
	Now func() time.Time
	// Throttle counts password attempts; nil counts them in this process.
	Throttle ratelimit.Counters
	// PrivateWebhooks lets webhooks have private addresses and plain http.
	PrivateWebhooks bool
	// Log receives errors that callers do not see; slog.Default() if nil.
	Log *slog.Logger
}

// Accounts manages accounts and their passwords; each kind of belonging has a field. It is safe for concurrent use.
type Accounts struct {
	*base
	throttle  ratelimit.Counters
	passwords hasher

	Credentials  *Credentials
	Sessions     *Sessions
	Devices      *Devices
	Tokens       *Tokens
	FeedTokens   *FeedTokens
	Applications *Applications
	Grants       *Grants
	Players      *Players
	Webhooks     *Webhooks
	Competitions *Competitions
	Usage        *Usage
}

// base holds the state that all parts of Accounts share.
type base struct {
	store   *mongo.Store
	pepper  []byte
	digests sync.Pool // of hash.Hash: keying an HMAC takes as long as a digest
	now     func() time.Time
	log     *slog.Logger
	cache   *credentialCache
}

// New returns the accounts of a store.
func New(store *mongo.Store, o Options) *Accounts {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Throttle == nil {
		o.Throttle = ratelimit.New(ratelimit.Options{Now: o.Now})
	}
	if o.Now == nil {
		o.Now = store.Now
	}
	b := &base{store: store, pepper: []byte(o.Pepper), now: o.Now, log: o.Log, cache: newCredentialCache()}
	a := &Accounts{
		base: b, throttle: o.Throttle, passwords: hasher{semaphore.NewWeighted(maxHashing)},
		Credentials: &Credentials{base: b}, FeedTokens: &FeedTokens{b}, Applications: &Applications{b},
		Webhooks: &Webhooks{b, o.PrivateWebhooks}, Competitions: &Competitions{b}, Usage: newUsage(b),
	}
	a.Sessions, a.Devices, a.Tokens, a.Players = &Sessions{b, a}, &Devices{b, a}, &Tokens{b, a}, &Players{b, a}
	a.Grants = &Grants{b, a.Applications, semaphore.NewWeighted(maxExchanges)}
	return a
}

// Errors about accounts and names. Their texts are shown to users.
var (
	ErrNoAccount          = errors.New("there is no such account")
	ErrNoPlayer           = errors.New("there is no such player")
	ErrAccountNameTaken   = errors.New("another account has that name")
	ErrInvalidName        = errors.New("a name has 1 to 40 characters, none that is invisible and no space at its ends")
	ErrInvalidDescription = errors.New("a description has at most 200 characters and no control characters")
)

// Create creates an account without a password.
func (a *Accounts) Create(ctx context.Context, name string) (*model.Account, error) {
	return a.create(ctx, name, "")
}

func (a *Accounts) create(ctx context.Context, name, passwordHash string) (*model.Account, error) {
	if err := validateName(name); err != nil {
		return nil, err
	}
	account := &model.Account{ID: newID(), Name: name, Password: passwordHash, Created: a.now().UTC()}
	err := a.store.Accounts.Insert(ctx, account)
	if errors.Is(err, mongo.ErrTaken) {
		err = ErrAccountNameTaken
	}
	if err != nil {
		return nil, err
	}
	return account, nil
}

// SignUp creates an account with a password.
func (a *Accounts) SignUp(ctx context.Context, name, password string) (*model.Account, error) {
	if mongo.Fold(name) == Operator {
		return nil, ErrAccountNameTaken
	}
	if err := errors.Join(validateName(name), validatePassword(password)); err != nil {
		return nil, err
	}
	hash, err := a.passwords.hash(ctx, normalPassword(password))
	if err != nil {
		return nil, err
	}
	return a.create(ctx, name, hash)
}

// ByName returns the account with a name, ignoring case, or ErrNoAccount.
func (a *Accounts) ByName(ctx context.Context, name string) (*model.Account, error) {
	accounts, err := a.store.Accounts.ByName(ctx, []string{name})
	return first(accounts, err, ErrNoAccount)
}

// ByID returns the account with an id, or ErrNoAccount.
func (a *Accounts) ByID(ctx context.Context, id string) (*model.Account, error) {
	accounts, err := a.store.Accounts.ByID(ctx, []string{id})
	return first(accounts, err, ErrNoAccount)
}

// first returns the result of a store lookup by one key, or the error missing.
func first[T any](found []*T, err, missing error) (*T, error) {
	switch {
	case err != nil:
		return nil, err
	case found[0] == nil:
		return nil, missing
	}
	return found[0], nil
}

// insertOneOf inserts an account's record at a random free place below most; concurrent calls rarely try the same one.
// It returns full if no place is free. Records without a place count too.
func insertOneOf[T any](ctx context.Context, most int, full error, account string,
	of func(context.Context, string) ([]T, error), place func(T) *int, insert func(place int) error,
) error {
	for {
		taken, err := of(ctx, account)
		if err != nil {
			return err
		}
		places, used := most, map[int]bool{}
		for _, t := range taken {
			if at := place(t); at == nil {
				places--
			} else {
				used[*at] = true
			}
		}
		free := slices.DeleteFunc(rand.Perm(max(places, 0)), func(n int) bool { return used[n] })
		if len(free) == 0 || len(taken) >= most {
			return full
		}
		err = insert(free[0])
		if !errors.Is(err, mongo.ErrTaken) {
			return err
		}
	}
}

// replaceNotFound returns err, or replacement if err is the store's ErrNotFound.
func replaceNotFound(err, replacement error) error {
	if errors.Is(err, mongo.ErrNotFound) {
		return replacement
	}
	return err
}

// editAccount changes an account. It returns the errors of change, ErrNoAccount, and mongo.ErrTaken when one of the
// players is linked to another account.
func (b *base) editAccount(ctx context.Context, id string, change func(*model.Account) error) error {
	defer b.cache.invalidateAccount(id)
	return replaceNotFound(b.store.Accounts.Edit(ctx, id, change), ErrNoAccount)
}

// ensure returns the account with a name, creating it if needed.
func (a *Accounts) ensure(ctx context.Context, name string) (*model.Account, error) {
	account, err := a.ByName(ctx, name)
	if !errors.Is(err, ErrNoAccount) {
		return account, err
	}
	account, err = a.Create(ctx, name)
	if errors.Is(err, ErrAccountNameTaken) { // another instance starts at the same time
		return a.ByName(ctx, name)
	}
	return account, err
}

// Delete deletes an account for its user, who must know the password (errors as for confirmPassword), together with its
// sessions, API tokens, webhooks, competitions, applications with their grants, and the user's own grants. Its name and
// its players are free afterwards.
//
// The account goes last, so the user can repeat a failed deletion; a final step deletes whatever was added meanwhile.
func (a *Accounts) Delete(ctx context.Context, account, password string) error {
	defer a.cache.invalidateAccount(account)
	err := a.confirmPassword(ctx, account, password)
	if err == nil {
		err = a.deleteBelongings(ctx, account)
	}
	if err == nil {
		err = replaceNotFound(a.store.Accounts.Delete(ctx, account), ErrNoAccount)
	}
	if err == nil {
		err = a.deleteBelongings(ctx, account)
	}
	if err == nil {
		err = a.store.Sessions.DeleteOf(ctx, account, "")
	}
	return err
}

// deleteBelongings deletes an account's applications, grants to other applications, webhooks and competitions.
func (a *Accounts) deleteBelongings(ctx context.Context, account string) error {
	apps, err := a.Applications.Of(ctx, account)
	if err != nil {
		return err
	}
	for _, app := range apps {
		if err := a.Applications.Delete(ctx, app.ClientID); err != nil && !errors.Is(err, ErrNoApplication) {
			return err
		}
	}
	if err := a.store.Grants.RevokeOf(ctx, account); err != nil {
		return err
	}
	if err := a.store.Webhooks.DeleteOf(ctx, account); err != nil {
		return err
	}
	return a.store.Competitions.DeleteOf(ctx, account)
}
