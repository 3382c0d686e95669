package mongo

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
)

// The event log is the collection Events. Records are only added, and expire after a time that depends on the type.
// Readers poll it by id, see internal/events.

// NewEvent is an event to record.
type NewEvent struct {
	// Key identifies what happened: of several events with one key only the first is recorded. When it is empty, the
	// event is recorded in any case.
	Key string
	// At is when it happened; the time of recording when zero.
	At   time.Time
	Data model.EventData
}

// eventRecord is a stored event. ID, Expires and, when zero, At are set when it is inserted.
type eventRecord struct {
	ID   string          `bson:"_id,omitempty"`
	Key  string          `bson:"key"`
	Type model.EventType `bson:"type"`
	At   time.Time       `bson:"at,omitempty"`
	Data bson.Raw        `bson:"data"`
	// Guilds are those of a capture, to find it by.
	Guilds  []string  `bson:"guilds,omitempty"`
	Expires time.Time `bson:"expires,omitempty"`
}

func (e NewEvent) record() (eventRecord, error) {
	data, err := encode(e.Data)
	return eventRecord{
		Key: cmp.Or(e.Key, rand.Text()), Type: model.EventTypeOf(e.Data), At: e.At, Data: data,
		Guilds: capturingGuilds(e.Data),
	}, err
}

// ArticleEvent returns the event of an article that readers see from now on. It is recorded once, whichever instance
// notices it first.
func ArticleEvent(a *model.Article) NewEvent {
	at := a.StartDate
	if a.PublishedAt.After(at) {
		at = a.PublishedAt
	}
	return NewEvent{
		Key: fmt.Sprintf("article/%d", a.Pk), At: at, Data: &model.ArticlePublished{Article: a.Pk, Title: a.Title},
	}
}

func (s *Store) eventRetention(t model.EventType) time.Duration {
	if d, ok := s.options.EventRetention[t]; ok {
		return d
	}
	k, _ := t.Kind()
	return k.Retention
}

// AppendEvents records events, in their order. After an error some of them may be recorded: those with a key may be
// appended again.
func (s *Store) AppendEvents(ctx context.Context, events ...NewEvent) error {
	records := make([]eventRecord, len(events))
	for i, e := range events {
		var err error
		if records[i], err = e.record(); err != nil {
			return err
		}
	}
	return s.insertEvents(ctx, records)
}

// PutPastEvents records or replaces events of the past, as of a demo world, with ids that sort at their time: readers
// that follow the log do not see them. Those that have expired already are left out.
func (s *Store) PutPastEvents(ctx context.Context, events []NewEvent) error {
	var writes []driver.WriteModel
	used := map[eventPlace]bool{}
	for _, e := range events {
		r, err := e.record()
		if err != nil {
			return err
		}
		place := eventPlace{ms: e.At.UnixMilli(), n: crc32.ChecksumIEEE(r.Data)}
		for used[place] {
			place.n++
		}
		used[place] = true
		r.ID = place.id([6]byte{})
		r.Key, r.Expires = "past/"+r.ID, e.At.Add(s.eventRetention(r.Type))
		if !r.Expires.After(time.Now()) {
			continue
		}
		writes = append(writes, driver.NewReplaceOneModel().SetUpsert(true).
			SetFilter(bson.D{{Key: "_id", Value: r.ID}}).SetReplacement(r))
	}
	for some := range slices.Chunk(writes, maxHistoryWrites) {
		if _, err := s.db.Collection(Events).BulkWrite(withLongTimeout(ctx), some); err != nil {
			return translateError(err)
		}
	}
	return nil
}

// maxEventInserts bounds how many events one command inserts, which must not take long.
const maxEventInserts = 1000

// insertTimeout bounds a command that inserts events: readers look back EventOverlap from now.
const insertTimeout = EventOverlap / 2

// insertEvents adds the events whose keys are not recorded. They get their ids here, however old they are: readers look
// at the latest ids only.
func (s *Store) insertEvents(ctx context.Context, records []eventRecord) error {
	ctx = FromPrimary(withLongTimeout(ctx))
	for some := range slices.Chunk(records, maxEventInserts) {
		if err := s.insertSomeEvents(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

// insertSomeEvents gives up an insertion that takes too long, as while the store is away, and begins anew with ids of
// that time.
func (s *Store) insertSomeEvents(ctx context.Context, records []eventRecord) error {
	end := time.Now().Add(longTimeout)
	for len(records) > 0 {
		if err := s.stamp(ctx, records); err != nil {
			return err
		}
		_, err := s.db.Collection(Events).InsertInOrder(withTimeout(ctx, insertTimeout), records)
		late := errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil && time.Now().Before(end)
		if !isDuplicateKey(err) && !late {
			return translateError(err)
		}
		missing, failed := s.unrecorded(ctx, records)
		switch {
		case failed != nil:
			return failed
		case len(missing) == len(records) && !late:
			return translateError(err)
		}
		records = missing
	}
	return nil
}

// stamp sets the ids of events that are inserted now.
func (s *Store) stamp(ctx context.Context, records []eventRecord) error {
	latest, err := s.LastEventID(ctx)
	if err != nil {
		return err
	}
	s.eventIDs.follow(latest)
	ids, now := s.eventIDs.next(len(records))
	for i := range records {
		r := &records[i]
		r.ID, r.Expires = ids[i], now.Add(s.eventRetention(r.Type))
		if r.At.IsZero() {
			r.At = now
		}
	}
	return nil
}

// unrecorded returns the events whose keys are not recorded.
func (s *Store) unrecorded(ctx context.Context, records []eventRecord) ([]eventRecord, error) {
	keys := each(records, func(r eventRecord) string { return r.Key })
	found, err := find[struct{ Key string }](ctx, s.db.Collection(Events), bson.D{{Key: "key", Value: in(keys)}},
		options.Find().SetProjection(projection("key")))
	if err != nil {
		return nil, err
	}
	recorded := map[string]bool{}
	for _, f := range found {
		recorded[f.Key] = true
	}
	return slices.DeleteFunc(slices.Clone(records), func(r eventRecord) bool { return recorded[r.Key] }), nil
}

// LastEventID returns the greatest id of all events; empty when there is none.
func (s *Store) LastEventID(ctx context.Context) (string, error) {
	found, err := find[struct {
		ID string `bson:"_id"`
	}](FromPrimary(ctx), s.db.Collection(Events), bson.D{}, options.Find().SetSort(bson.D{{Key: "_id", Value: -1}}).
		SetLimit(1).SetProjection(bson.D{{Key: "_id", Value: 1}}))
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[0].ID, nil
}

// EventQuery selects events by EventsAfter.
type EventQuery struct {
	// After is the id that the events follow.
	After string
	// Types are those of the events; all when empty.
	Types []model.EventType
	// Limit is the number of events to read.
	Limit int
	// Skip says which events to leave out by their ids; may be nil.
	Skip func(id string) bool
}

// EventPage is the result of EventsAfter.
type EventPage struct {
	// Events are in the order of their ids. Those of unknown types, that a newer version wrote, are missing.
	Events []*model.Event
	// Last is the id of the last event read; empty when none was.
	Last string
	// More says that further events may follow Last.
	More bool
}

// EventsAfter reads events from the primary, in the order of their ids.
func (s *Store) EventsAfter(ctx context.Context, q EventQuery) (EventPage, error) {
	filter := idAfter(q.After)
	if len(q.Types) > 0 {
		filter = append(filter, bson.E{Key: "type", Value: bson.D{{Key: "$in", Value: q.Types}}})
	}
	c := s.db.Collection(Events)
	raw, err := read(FromPrimary(ctx), c, func(ctx context.Context, c *driver.Collection) (*driver.Cursor, error) {
		o := sortedBy("_id").SetLimit(int64(q.Limit)).SetBatchSize(int32(q.Limit))
		return c.Find(ctx, filter, o)
	}, all[bson.Raw])
	if err != nil || len(raw) == 0 {
		return EventPage{}, err
	}
	page := EventPage{More: len(raw) == q.Limit}
	for _, r := range raw {
		id, ok := r.Lookup("_id").StringValueOK()
		if !ok { // not written by this program; it sorts after all texts or before
			continue
		}
		page.Last = id
		if q.Skip != nil && q.Skip(id) {
			continue
		}
		switch e, err := decodeEvent(r); {
		case err != nil:
			s.guard.malformed.report(Events, id, err)
		case e != nil:
			page.Events = append(page.Events, e)
		}
	}
	return page, nil
}

// decodeEvent returns nil for an event of an unknown type.
func decodeEvent(raw bson.Raw) (*model.Event, error) {
	var r eventRecord
	if err := bson.Unmarshal(raw, &r); err != nil {
		return nil, err
	}
	kind, ok := r.Type.Kind()
	if !ok {
		return nil, nil
	}
	data := kind.New()
	decoder := bson.NewDecoder(bson.NewDocumentReader(bytes.NewReader(r.Data)))
	decoder.UseJSONStructTags()
	if err := decoder.Decode(data); err != nil {
		return nil, fmt.Errorf("data of the type %s: %w", r.Type, err)
	}
	return model.NewEvent(r.ID, r.At.UTC(), data), nil
}
