// Package auth knows users and their credentials: it makes secrets, tells whom one
// belongs to, and keeps the rules of SPEC §5 about accounts, API tokens, applications and
// linked players. The store sees digests only, and people see a secret once.
//
// What a viewer may see is decided by resolvers, how credentials travel by door: HTTP may
// not enter here.
package auth

import (
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/sync/singleflight"

	"gamedata/internal/ratelimit"
	"gamedata/mongo"
)

// Options of Accounts; the zero value is usable.
type Options struct {
	// Pepper goes into every digest and is kept outside the store, so that a copy of the
	// store cannot even tell whether a secret is right. With another one nothing that was
	// issued before is accepted any more.
	Pepper string
	// Now is the clock that decides what has expired; time.Now when nil.
	Now func() time.Time
	// Throttle counts tries with passwords; counters of this process when nil.
	Throttle ratelimit.Counters
	// Log takes what callers are not told; slog.Default() when nil.
	Log *slog.Logger
}

// Accounts is safe for concurrent use.
type Accounts struct {
	store  *mongo.Store
	pepper []byte
	// digests are made ready for the pepper, which takes as long as a digest.
	digests sync.Pool
	now     func() time.Time
	log     *slog.Logger
	known   *memory
	flight  singleflight.Group

	throttle ratelimit.Counters
	used     *uses

	exchanging, hashing chan struct{} // as many as may be at once
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
		store: store, pepper: []byte(o.Pepper), now: o.Now, log: o.Log, known: newMemory(),
		used: newUses(), throttle: o.Throttle, exchanging: make(chan struct{}, exchanges), hashing: make(chan struct{},
			hashers),
	}
}

// Refusals that people are told. They wrap nothing: the sentence is the answer.
var (
	ErrNoAccount          = errors.New("there is no such account")
	ErrNoPlayer           = errors.New("there is no such player")
	ErrInvalidName        = errors.New("a name has 1 to 40 characters, none that is invisible and no space at its ends")
	ErrInvalidDescription = errors.New("a description has at most 200 characters and no control characters")
)

const (
	maxName        = 40  // characters
	maxDescription = 200 // characters
)

// validateName lets no name pass for another: what nobody sees, or turns the text around, tells two
// names apart that look the same.
func validateName(s string) error {
	if s == "" || strings.TrimSpace(s) != s || !plain(s, maxName) || strings.ContainsFunc(s, invisible) {
		return ErrInvalidName
	}
	return nil
}

func invisible(r rune) bool {
	return !unicode.IsGraphic(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

func validateDescription(s string) error {
	if !plain(s, maxDescription) {
		return ErrInvalidDescription
	}
	return nil
}

func plain(s string, most int) bool {
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= most && !strings.ContainsFunc(s, unicode.IsControl)
}
