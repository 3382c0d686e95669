package feed

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// Sent is an event as a sender sent it.
type Sent struct {
	// Key identifies the event among all of all senders. An event that is sent again has the same key.
	Key   string
	Event Event
}

// Outcome is what became of an event.
type Outcome struct {
	// Err says why the event was not applied; nil when it was, now or before.
	Err *Error
	// Duplicate is true for an event that had been decided before: nothing was done now.
	Duplicate bool
}

// JournalOptions are those of NewJournal. Retention is required.
type JournalOptions struct {
	// Retention is how long keys are stored.
	Retention time.Duration
	// Patience is how long to wait for another process that carries out an entry before carrying it out too; 1 s when
	// 0.
	Patience time.Duration
	// Now is the clock; time.Now when nil.
	Now func() time.Time
	// LinkCode is that of Options.
	LinkCode func(player, code string, at time.Time) (*model.LinkCode, error)
	// Log receives what callers do not see; slog.Default() when nil.
	Log *slog.Logger
}

// Journal applies events of any number of senders, on any number of instances, one batch at a time and each event
// once, however often it is sent and wherever a process stops. It is safe for concurrent use.
//
// The writes of a batch and the keys of its events are stored as one journal entry before they are carried out. An
// entry that another process stored and did not finish is carried out first.
type Journal struct {
	store *mongo.Store
	o     JournalOptions
	turn  chan struct{} // held while a batch is applied

	carryOut func(ctx context.Context, number int64, entry []byte) error // of the store, but for tests
}

// NewJournal returns the journal of a store.
func NewJournal(store *mongo.Store, o JournalOptions) *Journal {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Log = cmp.Or(o.Log, slog.Default())
	o.Patience = cmp.Or(o.Patience, time.Second)
	return &Journal{store: store, o: o, turn: make(chan struct{}, 1), carryOut: store.CarryOut}
}

// Apply applies events in their order and returns the outcome of each. After an error some of the
// events may be applied, now or when the store is available again; sent again with their keys, each is applied once in
// the end.
func (j *Journal) Apply(ctx context.Context, events []Sent) ([]Outcome, error) {
	select {
	case j.turn <- struct{}{}:
		defer func() { <-j.turn }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	return j.applyAll(ctx, events)
}

// applyAll applies events in as many batches as their writes need.
func (j *Journal) applyAll(ctx context.Context, events []Sent) ([]Outcome, error) {
	for {
		outcomes, stored, err := j.attempt(ctx, events)
		switch {
		case errors.Is(err, mongo.ErrEntryTooLarge) && len(events) > 1:
			half := len(events) / 2
			first, err := j.applyAll(ctx, events[:half])
			if err != nil {
				return nil, err
			}
			second, err := j.applyAll(ctx, events[half:])
			return append(first, second...), err
		case err != nil || stored:
			return outcomes, err
		}
	}
}

// attempt applies events as one batch. It returns false when another process has stored an entry meanwhile.
func (j *Journal) attempt(ctx context.Context, events []Sent) (outcomes []Outcome, stored bool, err error) {
	state, err := j.ready(ctx)
	if err != nil {
		return nil, false, err
	}
	d, err := j.decide(ctx, events)
	if err != nil {
		return nil, false, err
	}
	if len(d.events) == 0 {
		return d.outcomes(events, nil), true, nil
	}
	b, errs, err := plan(mongo.WithMajority(ctx), j.store, d.events, Options{Now: j.o.Now(), LinkCode: j.o.LinkCode})
	if err != nil {
		return nil, false, err
	}
	for i, e := range errs {
		if e != nil {
			d.keys[i].Rejected = &mongo.FeedRejection{Code: string(e.Code), Field: e.Field, Message: e.Message}
		}
	}
	entry, err := b.journalEntry(state.Next(), d.keys)
	if err != nil {
		return nil, false, err
	}
	if stored, err = j.store.AppendJournal(ctx, state, entry); err != nil || !stored {
		return nil, false, err
	}
	if err := j.carryOut(context.WithoutCancel(ctx), state.Next(), entry); err != nil {
		return nil, true, err
	}
	return d.outcomes(events, errs), true, nil
}

// decision separates events that were decided before from the others.
type decision struct {
	known  map[string]*mongo.FeedKey // by key: of events that were decided before
	digest [][]byte                  // of each event sent
	// events, keys and at are those not decided yet: the event, its key, and its position by key.
	events []Event
	keys   []*mongo.FeedKey
	at     map[string]int
}

func (j *Journal) decide(ctx context.Context, events []Sent) (*decision, error) {
	ids := make([]string, len(events))
	for i, e := range events {
		ids[i] = e.Key
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	now := j.o.Now()
	found, err := j.store.FeedKeys(ctx, ids, now)
	if err != nil {
		return nil, err
	}
	d := &decision{known: map[string]*mongo.FeedKey{}, at: map[string]int{}}
	for i, k := range found {
		if k != nil {
			d.known[ids[i]] = k
		}
	}
	for _, e := range events {
		digest, err := digestOf(e.Event)
		if err != nil {
			return nil, err
		}
		d.digest = append(d.digest, digest)
		if _, repeated := d.at[e.Key]; repeated || d.known[e.Key] != nil {
			continue
		}
		d.at[e.Key] = len(d.events)
		d.events = append(d.events, e.Event)
		d.keys = append(d.keys, &mongo.FeedKey{ID: e.Key, Digest: digest, Expires: now.Add(j.o.Retention)})
	}
	return d, nil
}

// outcomes returns the outcome of each event sent. errs are those of the events that were not decided before.
func (d *decision) outcomes(events []Sent, errs []*Error) []Outcome {
	out := make([]Outcome, len(events))
	seen := map[string]bool{}
	for i, e := range events {
		first, duplicate := d.known[e.Key], true
		if first == nil {
			at := d.at[e.Key]
			first, duplicate = d.keys[at], seen[e.Key]
			out[i].Err = errs[at]
		} else if r := first.Rejected; r != nil {
			out[i].Err = &Error{Code(r.Code), r.Field, r.Message}
		}
		seen[e.Key] = true
		out[i].Duplicate = duplicate
		if !bytes.Equal(first.Digest, d.digest[i]) {
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

// pollInterval is how often a journal looks whether another process has carried out its entry.
const pollInterval = 20 * time.Millisecond

// ready returns the state of the journal when there is no entry to carry out.
func (j *Journal) ready(ctx context.Context) (mongo.Journal, error) {
	var waited int64 // the entry waited for
	var since time.Time
	for {
		state, err := j.store.ReadJournal(ctx)
		switch {
		case err != nil:
			return state, err
		case state.Number == 0:
			if err := j.store.StartJournal(ctx); err != nil {
				return state, err
			}
			continue
		case state.Entry == nil:
			return state, nil
		case state.Number != waited:
			waited, since = state.Number, time.Now()
		case time.Since(since) > j.o.Patience:
			if err := j.finish(ctx, state); err != nil {
				return state, err
			}
			continue
		}
		select {
		case <-time.After(pollInterval):
		case <-ctx.Done():
			return state, context.Cause(ctx)
		}
	}
}

func (j *Journal) finish(ctx context.Context, state mongo.Journal) error {
	err := j.carryOut(context.WithoutCancel(ctx), state.Number, state.Entry)
	if err == nil {
		j.o.Log.Info("finished interrupted feed events", "entry", state.Number)
	}
	return err
}

// Recover carries out the entry of a process that stopped, if there is one. Run it now and then: otherwise the entry
// waits for the next event.
func (j *Journal) Recover(ctx context.Context) error {
	select {
	case j.turn <- struct{}{}:
		defer func() { <-j.turn }()
	default: // this process is at work
		return nil
	}
	state, err := j.store.ReadJournal(ctx)
	if err != nil || state.Entry == nil {
		return err
	}
	_, err = j.ready(ctx)
	return err
}
