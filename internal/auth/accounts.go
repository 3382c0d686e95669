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
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/sync/singleflight"

	"gamedata/graph/model"
	"gamedata/internal/ratelimit"
	"gamedata/mongo"
)

// Operator is the account of the bootstrap token. Signing up with this name is rejected.
const Operator = "operator"

// Options of Accounts; the zero value is usable.
type Options struct {
	// Pepper is the key of all digests, stored outside the database so that a copy of the database
	// cannot be used to test guessed secrets. Changing it invalidates every credential.
	Pepper string
	// Now is the clock that decides what has expired; time.Now if nil.
	Now func() time.Time
	// Throttle counts password attempts; counters of this process if nil.
	Throttle ratelimit.Counters
	// Log receives errors that callers do not see; slog.Default() if nil.
	Log *slog.Logger
}

// Accounts manages accounts and credentials. It is safe for concurrent use.
type Accounts struct {
	store       *mongo.Store
	pepper      []byte
	digests     sync.Pool // of hash.Hash: keying an HMAC takes as long as a digest
	now         func() time.Time
	log         *slog.Logger
	credentials *credentialCache
	flight      singleflight.Group
	throttle    ratelimit.Counters
	usage       *usageBuffer

	exchanging, hashing chan struct{} // semaphores
}

// New returns the accounts of a store.
func New(store *mongo.Store, o Options) *Accounts {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Throttle == nil {
		o.Throttle = ratelimit.New(ratelimit.Options{Now: o.Now})
	}
	return &Accounts{
		store: store, pepper: []byte(o.Pepper), now: o.Now, log: o.Log, credentials: newCredentialCache(),
		usage: newUsageBuffer(), throttle: o.Throttle,
		exchanging: make(chan struct{}, maxExchanges), hashing: make(chan struct{}, maxHashing),
	}
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

// AccountByName returns the account with a name, ignoring case, or ErrNoAccount.
func (a *Accounts) AccountByName(ctx context.Context, name string) (*model.Account, error) {
	accounts, err := a.store.Accounts.ByName(ctx, []string{name})
	return first(accounts, err, ErrNoAccount)
}

// AccountByID returns the account with an id, or ErrNoAccount.
func (a *Accounts) AccountByID(ctx context.Context, id string) (*model.Account, error) {
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

// replaceNotFound returns err, or replacement if err is the store's ErrNotFound.
func replaceNotFound(err, replacement error) error {
	if errors.Is(err, mongo.ErrNotFound) {
		return replacement
	}
	return err
}

// ensureAccount returns the account with a name, creating it if needed.
func (a *Accounts) ensureAccount(ctx context.Context, name string) (*model.Account, error) {
	account, err := a.AccountByName(ctx, name)
	if !errors.Is(err, ErrNoAccount) {
		return account, err
	}
	account, err = a.Create(ctx, name)
	if errors.Is(err, ErrAccountNameTaken) { // another instance starts at the same time
		return a.AccountByName(ctx, name)
	}
	return account, err
}

const (
	maxName        = 40  // characters
	maxDescription = 200 // characters
)

// validateName rejects names that look like another name: no invisible characters, no direction
// marks, no space at the ends.
func validateName(s string) error {
	if s == "" || strings.TrimSpace(s) != s || !printable(s, maxName) || strings.ContainsFunc(s, invisible) {
		return ErrInvalidName
	}
	return nil
}

func invisible(r rune) bool {
	return !unicode.IsGraphic(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

func validateDescription(s string) error {
	if !printable(s, maxDescription) {
		return ErrInvalidDescription
	}
	return nil
}

// printable reports whether s is UTF-8 of at most max characters without control characters.
func printable(s string, max int) bool {
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= max && !strings.ContainsFunc(s, unicode.IsControl)
}
