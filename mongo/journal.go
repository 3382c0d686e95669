package mongo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// The journal makes many writes of records one write, on stores without transactions: the writes are stored as one
// entry first, then carried out. If that is interrupted, whichever process comes next carries out the entry again.
// Each record stores in markField the last step that changed it, and is not changed by that step or an earlier one
// again, so an entry may be carried out any number of times, also by several processes at once. Only a record that an
// entry adds and that is deleted before the entry was carried out completely comes back: for instance a link code that
// is redeemed between a crash and the recovery.
//
// There is one entry, the latest. Its number rises by one with each; a process that stores an entry names the one it
// follows, so that two processes cannot both follow one.

// markField is the field of a record with the journal's step that changed it last.
const markField = "feedMark"

// stepsPerEntry bounds the steps of an entry; the mark of a step is entry*stepsPerEntry + step.
const stepsPerEntry = 1 << 20

const journalID = "journal"

// Journal is the state of the journal.
type Journal struct {
	// Number is that of the latest entry. The first follows the time in milliseconds, so that marks rise even when
	// the journal was lost, or records come from another store.
	Number int64 `bson:"number"`
	// Entry is the latest entry while it may not have been carried out completely; nil otherwise.
	Entry []byte `bson:"entry,omitempty"`
}

// Next returns the number of the next entry.
func (j Journal) Next() int64 { return j.Number + 1 }

// JournalEntry is a list of writes, to be carried out in the order of the steps.
type JournalEntry struct {
	Steps  []JournalStep `bson:"steps"`
	Keys   []*FeedKey    `bson:"keys"`
	Events []eventRecord `bson:"events,omitempty"`
	// Players and Guilds are the uuids of those to purge from all caches.
	Players []string `bson:"players,omitempty"`
	Guilds  []string `bson:"guilds,omitempty"`
}

// JournalStep is the writes of one command.
type JournalStep struct {
	Collection string         `bson:"collection"`
	Writes     []JournalWrite `bson:"writes"`
}

// JournalWrite is one write. Insert alone adds a record; Filter selects those that Update changes or, without it, that
// are deleted.
type JournalWrite struct {
	Insert bson.Raw `bson:"insert,omitempty"`
	Filter bson.Raw `bson:"filter,omitempty"`
	Update bson.Raw `bson:"update,omitempty"`
	Many   bool     `bson:"many,omitempty"` // else one record
}

// FeedKey is the idempotency key of an event that was decided.
type FeedKey struct {
	ID string `bson:"_id"`
	// Digest identifies the event, so that a key that is used again for another is noticed.
	Digest []byte `bson:"digest"`
	// Rejected says why the event was not applied; nil when it was.
	Rejected *FeedRejection `bson:"rejected,omitempty"`
	Expires  time.Time      `bson:"expires"`
}

// FeedRejection is the error of an event.
type FeedRejection struct {
	Code    string `bson:"code"`
	Field   string `bson:"field,omitempty"`
	Message string `bson:"message"`
}

// ErrEntryTooLarge means that a journal entry does not fit into one record.
var ErrEntryTooLarge = errors.New("the journal entry is too large")

// maxEntry is the number of bytes of an entry, well below the largest record of MongoDB (16 MiB).
const maxEntry = 12 << 20

// JournalBuilder encodes the steps of an entry.
type JournalBuilder struct {
	number int64
	entry  JournalEntry
}

// NewJournalEntry returns a builder of the entry with a number.
func NewJournalEntry(number int64) *JournalBuilder { return &JournalBuilder{number: number} }

// Insert adds a step that adds new records to a collection. A record that exists then is left alone.
func (b *JournalBuilder) Insert(collection string, records ...any) error {
	step := JournalStep{Collection: collection}
	for _, r := range records {
		raw, err := encode(r)
		if err == nil {
			raw, err = withMark(raw, b.mark())
		}
		if err != nil {
			return err
		}
		step.Writes = append(step.Writes, JournalWrite{Insert: raw})
	}
	b.add(step)
	return nil
}

// Update adds a step with updates and deletions of records.
func (b *JournalBuilder) Update(collection string, models []driver.WriteModel) error {
	step := JournalStep{Collection: collection}
	for _, m := range models {
		w, err := b.write(m)
		if err != nil {
			return err
		}
		step.Writes = append(step.Writes, w)
	}
	b.add(step)
	return nil
}

func (b *JournalBuilder) write(model driver.WriteModel) (w JournalWrite, err error) {
	var filter, update any
	switch m := model.(type) {
	case *driver.UpdateOneModel:
		filter, update = m.Filter, m.Update
	case *driver.UpdateManyModel:
		filter, update, w.Many = m.Filter, m.Update, true
	case *driver.DeleteOneModel:
		filter = m.Filter
	case *driver.DeleteManyModel:
		filter, w.Many = m.Filter, true
	}
	conditions, ok := filter.(bson.D)
	if !ok {
		return w, fmt.Errorf("the journal cannot store a %T with the filter %v", model, filter)
	}
	if w.Filter, err = encode(append(conditions[:len(conditions):len(conditions)], unmarked(b.mark()))); err != nil {
		return w, err
	}
	if update == nil {
		return w, nil
	}
	actions, ok := update.(bson.D)
	if !ok {
		return w, fmt.Errorf("the journal cannot store a %T with the update %v", model, update)
	}
	mark := bson.E{Key: "$max", Value: bson.D{{Key: markField, Value: b.mark()}}}
	w.Update, err = encode(append(actions[:len(actions):len(actions)], mark))
	return w, err
}

// Record adds events that are recorded when everything else is written. They need no keys.
func (b *JournalBuilder) Record(events []NewEvent) error {
	for i, e := range events {
		e.Key = fmt.Sprintf("feed/%d/%d", b.number, i)
		r, err := e.record()
		if err != nil {
			return err
		}
		b.entry.Events = append(b.entry.Events, r)
	}
	return nil
}

// Purge adds players and guilds that caches must not serve any longer.
func (b *JournalBuilder) Purge(players, guilds []string) {
	b.entry.Players, b.entry.Guilds = players, guilds
}

func (b *JournalBuilder) add(step JournalStep) {
	if len(step.Writes) > 0 {
		b.entry.Steps = append(b.entry.Steps, step)
	}
}

// mark returns the mark of the step that is added next.
func (b *JournalBuilder) mark() int64 { return b.number*stepsPerEntry + int64(len(b.entry.Steps)) }

// Encode returns the entry with the keys of its events. ErrEntryTooLarge when it does not fit into one record.
func (b *JournalBuilder) Encode(keys []*FeedKey) ([]byte, error) {
	b.entry.Keys = keys
	raw, err := encode(b.entry)
	if len(raw) > maxEntry || len(b.entry.Steps) >= stepsPerEntry {
		err = ErrEntryTooLarge
	}
	return raw, err
}

// encode encodes a record as the store's driver does.
func encode(record any) (bson.Raw, error) {
	var out bytes.Buffer
	encoder := bson.NewEncoder(bson.NewDocumentWriter(&out))
	encoder.UseJSONStructTags()
	err := encoder.Encode(record)
	return out.Bytes(), err
}

func withMark(record bson.Raw, mark int64) (bson.Raw, error) {
	var d bson.D
	if err := bson.Unmarshal(record, &d); err != nil {
		return nil, err
	}
	return bson.Marshal(append(d, bson.E{Key: markField, Value: mark}))
}

// unmarked matches records that no step from mark on has changed.
func unmarked(mark int64) bson.E {
	return bson.E{Key: markField, Value: bson.D{{Key: "$not", Value: bson.D{{Key: "$gte", Value: mark}}}}}
}

// ReadJournal returns the state of the journal; Number is 0 when nothing was ever stored in it.
func (s *Store) ReadJournal(ctx context.Context) (Journal, error) {
	var j Journal
	err := s.majority(FeedJournal).FindOne(ctx, bson.D{{Key: "_id", Value: journalID}}).Decode(&j)
	if errors.Is(err, driver.ErrNoDocuments) {
		return Journal{}, nil
	}
	return j, translateError(err)
}

// StartJournal creates the journal when it is missing.
func (s *Store) StartJournal(ctx context.Context) error {
	_, err := s.majority(FeedJournal).UpdateOne(ctx, bson.D{{Key: "_id", Value: journalID}},
		bson.D{{Key: "$setOnInsert", Value: bson.D{{Key: "number", Value: time.Now().UnixMilli()}}}},
		options.UpdateOne().SetUpsert(true))
	if isDuplicateKey(err) { // another process has created it
		return nil
	}
	return translateError(err)
}

// AppendJournal stores the entry that follows j. It returns false when another process has stored one.
func (s *Store) AppendJournal(ctx context.Context, j Journal, entry []byte) (bool, error) {
	r, err := s.majority(FeedJournal).UpdateOne(ctx, bson.D{
		{Key: "_id", Value: journalID},
		{Key: "number", Value: j.Number},
		{Key: "entry", Value: bson.D{{Key: "$exists", Value: false}}},
	}, bson.D{{Key: "$set", Value: bson.D{{Key: "number", Value: j.Next()}, {Key: "entry", Value: entry}}}})
	if err != nil {
		return false, translateError(err)
	}
	return r.MatchedCount > 0, nil
}

// CarryOut writes what an entry says and then empties it. ErrUnavailable leaves the entry as it is. A write that the
// store rejects for good is part of the returned error, and all others are written.
func (s *Store) CarryOut(ctx context.Context, number int64, entry []byte) error {
	ctx = WithMajority(withLongTimeout(ctx))
	var e JournalEntry
	if err := bson.Unmarshal(entry, &e); err != nil {
		return fmt.Errorf("journal entry %d: %w", number, err)
	}
	var rejected []error
	// unlessRejected returns nil for an error that trying again would not change, and adds it to rejected.
	unlessRejected := func(collection string, err error) error {
		if errors.As(err, new(driver.BulkWriteException)) && !errors.Is(err, ErrUnavailable) {
			rejected = append(rejected, fmt.Errorf("journal entry %d, %s: %w", number, collection, err))
			return nil
		}
		return err
	}
	for _, step := range e.Steps {
		if err := unlessRejected(step.Collection, s.writeStep(ctx, step)); err != nil {
			return err
		}
	}
	for _, write := range []func() error{
		func() error { return s.PurgePlayers(ctx, e.Players) },
		func() error { return s.PurgeGuilds(ctx, e.Guilds) },
		func() error { return unlessRejected(Events, s.insertEvents(ctx, e.Events)) },
		func() error { return s.insertFeedKeys(ctx, e.Keys) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	_, err := s.majority(FeedJournal).UpdateOne(ctx, bson.D{
		{Key: "_id", Value: journalID}, {Key: "number", Value: number},
	}, bson.D{{Key: "$unset", Value: bson.D{{Key: "entry", Value: ""}}}})
	return errors.Join(append(rejected, translateError(err))...)
}

func (s *Store) writeStep(ctx context.Context, step JournalStep) error {
	var inserts []bson.Raw
	var models []driver.WriteModel
	for _, w := range step.Writes {
		switch {
		case w.Insert != nil:
			inserts = append(inserts, w.Insert)
		case w.Update != nil && w.Many:
			models = append(models, driver.NewUpdateManyModel().SetFilter(w.Filter).SetUpdate(w.Update))
		case w.Update != nil:
			models = append(models, driver.NewUpdateOneModel().SetFilter(w.Filter).SetUpdate(w.Update))
		case w.Many:
			models = append(models, driver.NewDeleteManyModel().SetFilter(w.Filter))
		default:
			models = append(models, driver.NewDeleteOneModel().SetFilter(w.Filter))
		}
	}
	if err := s.insertMissing(ctx, step.Collection, inserts); err != nil {
		return err
	}
	_, err := s.BulkUpdate(ctx, step.Collection, models)
	return err
}

// insertMissing adds the records that do not exist.
func (s *Store) insertMissing(ctx context.Context, collection string, records []bson.Raw) error {
	if len(records) == 0 {
		return nil
	}
	now := updateTime()
	to := s.db.Collection(collection)
	records = each(records, func(r bson.Raw) bson.Raw { return to.insertedAt(r, now) })
	_, err := to.InsertMany(ctx, records)
	if !isDuplicateKey(err) {
		return translateError(err)
	}
	filter := bson.D{{Key: "_id", Value: valuesOf(records, "_id")}}
	if slices.Contains(describe(collection).ShardKey.Fields, "owner") {
		filter = append(filter, bson.E{Key: "owner", Value: valuesOf(records, "owner")})
	}
	n, failed := s.db.Collection(collection).CountDocuments(ctx, filter)
	switch {
	case failed != nil:
		return translateError(failed)
	case n < int64(len(records)): // another unique field is taken
		return translateError(err)
	}
	return nil
}

// valuesOf matches one of the values of a field of records.
func valuesOf(records []bson.Raw, field string) bson.D {
	return bson.D{{Key: "$in", Value: each(records, func(r bson.Raw) any { return r.Lookup(field) })}}
}

// FeedKeys reads the keys of events in the order of their ids; nil where an event was not decided yet or the key has
// expired.
func (s *Store) FeedKeys(ctx context.Context, ids []string, now time.Time) ([]*FeedKey, error) {
	found, err := find[FeedKey](ctx, s.majority(FeedKeys), bson.D{
		{Key: "_id", Value: in(ids)}, {Key: "expires", Value: bson.D{{Key: "$gt", Value: now}}},
	})
	if err != nil {
		return nil, err
	}
	return inKeyOrder(ids, found, func(k *FeedKey) string { return k.ID }), nil
}

// insertFeedKeys adds keys. One that has expired and was not removed yet is replaced.
func (s *Store) insertFeedKeys(ctx context.Context, keys []*FeedKey) error {
	_, err := s.BulkUpdate(ctx, FeedKeys, each(keys, func(k *FeedKey) driver.WriteModel {
		filter := bson.D{{Key: "_id", Value: k.ID}}
		return driver.NewReplaceOneModel().SetFilter(filter).SetReplacement(k).SetUpsert(true)
	}))
	return err
}
