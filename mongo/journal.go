package mongo

import (
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
