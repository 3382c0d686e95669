package feed

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// Sent is an event as a sender sent it.
type Sent struct {
	// Key identifies the event among all events of all senders. An event that is sent again has the same key. One
	// without a key is applied each time.
	Key   string
	Event Event
}

// WithoutKeys returns events without keys, which are applied each time.
func WithoutKeys(events ...Event) []Sent {
	sent := make([]Sent, len(events))
	for i, e := range events {
		sent[i].Event = e
	}
	return sent
}

// Outcome is the result of applying an event.
type Outcome struct {
	// Err says why the event was rejected; nil if it was applied, now or before.
	Err *Error
	// Duplicate is true for an event that was decided before. Nothing was done this time.
	Duplicate bool
}

// Options configure New.
type Options struct {
	// Retention is how long keys are stored; a day when 0.
	Retention time.Duration
	// Now is the clock, which also dates events without a time; the store's clock if nil.
	Now func() time.Time
	// LinkCode returns the record of a player's link code, created at a time, or an error for the user if the code is
	// malformed. LinkCodeCreated requires it.
	LinkCode func(player, code string, at time.Time) (*model.LinkCode, error)
}

// Feed applies each event once, whichever instances receive it, however often it is sent and wherever a process stops:
// one transaction writes a batch of events with their keys. It is safe for concurrent use.
type Feed struct {
	store *mongo.Store
	o     Options
	queue queue
}

// New returns the feed of a store.
func New(store *mongo.Store, o Options) *Feed {
	if o.Now == nil {
		o.Now = store.Now
	}
	o.Retention = cmp.Or(o.Retention, 24*time.Hour)
	return &Feed{store: store, o: o}
}

// ExactlyOnce reports whether the store has transactions. Without them, an event is applied again if the process
// stopped while applying it.
func (f *Feed) ExactlyOnce() bool { return f.store.Transactional() }

// maxAttempts is how often a batch is tried with fresh records after another writer took a unique name or key.
const maxAttempts = 3

// Apply applies events in their order and returns the outcome of each. After an error all of them may be applied or
// none: send them again with their keys, and each is applied once. A batch that is too large for a transaction is
// applied in parts. Batches of several callers take turns.
func (f *Feed) Apply(ctx context.Context, events []Sent) ([]Outcome, error) {
	if len(events) == 0 {
		return nil, nil
	}
	return f.queue.wait(mongo.FromPrimary(ctx), events, f.apply)
}

// apply applies events in one transaction, or in parts.
func (f *Feed) apply(ctx context.Context, events []Sent) ([]Outcome, error) {
	// Keys and names are usually free, so they are read only after a conflict. Without transactions that is too late.
	careful := !f.store.Transactional()
	for attempt := 1; ; attempt++ {
		outcomes, err := f.attempt(ctx, events, careful)
		switch {
		case errors.Is(err, mongo.ErrTaken) && attempt < maxAttempts:
			careful = true
			continue
		case (errors.Is(err, mongo.ErrTaken) || errors.Is(err, mongo.ErrTooLarge) || errors.Is(err, errTwoLives)) &&
			len(events) > 1:
			return f.applyParts(ctx, events)
		}
		return outcomes, err
	}
}

func (f *Feed) applyParts(ctx context.Context, events []Sent) ([]Outcome, error) {
	half := len(events) / 2
	first, err := f.apply(ctx, events[:half])
	if err != nil {
		return nil, err
	}
	second, err := f.apply(ctx, events[half:])
	return append(first, second...), err
}

// attempt applies events in one transaction. If careful, it first reads which keys and names are taken.
func (f *Feed) attempt(ctx context.Context, events []Sent, careful bool) (outcomes []Outcome, err error) {
	batch, err := newBatch(events, f.o.Now().Add(f.o.Retention))
	if err != nil {
		return nil, err
	}
	err = f.store.Transact(ctx, func(ctx context.Context) error {
		if careful {
			if err := batch.readKeys(ctx, f.store, f.o.Now()); err != nil {
				return err
			}
		}
		changes, err := f.decide(ctx, batch, careful)
		if err != nil {
			return err
		}
		if err := f.store.Apply(ctx, changes...); err != nil || !batch.uncoloured {
			return err
		}
		_, err = f.store.Guilds.ColourHolders(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return batch.outcomes(events), nil
}

// decide applies the undecided events of a batch and returns the changes, including their keys.
func (f *Feed) decide(ctx context.Context, b *batch, careful bool) ([]mongo.Change, error) {
	var events []Event
	for _, e := range b.entries {
		if !e.duplicate {
			events = append(events, e.event)
		}
	}
	g := NewGame(f.o.Now())
	g.linkCode = f.o.LinkCode
	if err := g.load(ctx, f.store, events, careful); err != nil {
		return nil, err
	}
	var keys []mongo.Change
	for _, e := range b.entries {
		if e.duplicate {
			continue
		}
		e.err = nil
		if err := g.Play(e.event); err != nil && !errors.As(err, &e.err) {
			return nil, err
		}
		if e.key != nil {
			e.key.Rejected = (*mongo.FeedRejection)(e.err)
			keys = append(keys, mongo.Save(e.expired, e.key))
		}
	}
	b.uncoloured = g.uncoloured
	return append(g.changes(), keys...), nil
}

// batch holds the events to apply together, without duplicates.
type batch struct {
	entries []*entry
	byKey   map[string]*entry
	digests [][]byte // of the events sent
	entryOf []*entry // of each event sent

	uncoloured bool // a guild without a colour captured a territory
}

type entry struct {
	event     Event
	key       *mongo.FeedKey // stored once the event is decided; nil without a key
	expired   *mongo.FeedKey // an expired key of an earlier event
	duplicate bool           // decided before
	err       *Error
}

func newBatch(events []Sent, expires time.Time) (*batch, error) {
	b := &batch{byKey: map[string]*entry{}}
	for _, sent := range events {
		var digest []byte
		if sent.Key != "" {
			var err error
			if digest, err = digestOf(sent.Event); err != nil {
				return nil, err
			}
		}
		e := b.byKey[sent.Key]
		if e == nil {
			e = &entry{event: sent.Event}
			if sent.Key != "" {
				e.key = &mongo.FeedKey{ID: sent.Key, Digest: digest, Expires: expires}
				b.byKey[sent.Key] = e
			}
			b.entries = append(b.entries, e)
		}
		b.digests, b.entryOf = append(b.digests, digest), append(b.entryOf, e)
	}
	return b, nil
}

// readKeys marks the events that were decided before.
func (b *batch) readKeys(ctx context.Context, store *mongo.Store, now time.Time) error {
	var ids []string
	for id := range b.byKey {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	stored, err := store.FeedKeys.ByID(ctx, ids)
	if err != nil {
		return err
	}
	for i, key := range stored {
		switch e := b.byKey[ids[i]]; {
		case key == nil:
			e.expired = nil
		case key.Expires.After(now):
			e.key, e.duplicate = key, true
			e.err = (*Error)(key.Rejected)
		default:
			e.expired = key
		}
	}
	return nil
}

func (b *batch) outcomes(events []Sent) []Outcome {
	out := make([]Outcome, len(events))
	seen := map[*entry]bool{}
	for i, e := range b.entryOf {
		out[i] = Outcome{Err: e.err, Duplicate: e.duplicate || seen[e]}
		seen[e] = true
		if e.key != nil && !bytes.Equal(e.key.Digest, b.digests[i]) {
			out[i] = Outcome{Err: conflict("", "the id was used for another event")}
		}
	}
	return out
}

// digestOf returns the same digest for events with the same fields.
func digestOf(e Event) ([]byte, error) {
	text, err := json.Marshal(e, json.Deterministic(true))
	sum := sha256.Sum256(append([]byte(NameOf(e)+"\n"), text...))
	return sum[:16], err
}
