package mongo

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/graph/model"
	"gamedata/mongo/conn"
)

// The event log is the collection Events. Records are only added, and expire after a time that depends on the type.
// Readers poll the log by id, see internal/events.

// NewEvent is an event to record.
type NewEvent struct {
	// Key identifies the occasion: of several events with the same key only the first is recorded. An event without a
	// key is always recorded.
	Key string
	// At is the time of the event; the time of recording when zero.
	At   time.Time
	Data model.EventData
}

// eventRecord is a stored event. ID, Order, Expires and, when zero, At are set when it is inserted.
type eventRecord struct {
	ID   string          `bson:"_id,omitempty"`
	Key  string          `bson:"key,omitempty"`
	Type model.EventType `bson:"type"`
	At   time.Time       `bson:"at,omitempty"`
	Data bson.Raw        `bson:"data"`
	// Subjects are the uuids of the guilds, players and characters whose lists include the event.
	Subjects []string  `bson:"subjects,omitempty"`
	Expires  time.Time `bson:"expires,omitempty"`
	// Order numbers the events that one process recorded in the same millisecond.
	Order int64 `bson:"order,omitempty"`
}

func (e NewEvent) record() (eventRecord, error) {
	data, err := encode(e.Data)
	return eventRecord{
		Key: e.Key, Type: model.EventTypeOf(e.Data), At: e.At, Data: data,
		Subjects: model.ListedFor(e.Data),
	}, err
}

// ArticleEvent returns the event of an article that has become visible. It is recorded once, whichever instance notices
// first.
func ArticleEvent(a *model.Article) NewEvent {
	at := a.StartsAt
	if a.PublishedAt.After(at) {
		at = a.PublishedAt
	}
	return NewEvent{
		Key: fmt.Sprintf("article/%d", a.Number), At: at, Data: &model.ArticlePublished{Article: a.Number, Title: a.Title},
	}
}

// EventStore reads and writes the event log.
type EventStore struct{ family }

func retention(t model.EventType) time.Duration {
	k, _ := t.Kind()
	return k.Retention
}

// Append records events, all or none of them.
func (s *EventStore) Append(ctx context.Context, events ...NewEvent) error {
	return s.store.Apply(ctx, Record(events...))
}

// operations returns the writes that record events. Even old events get their ids now: readers look at the latest ids.
// Events whose key is already recorded are left out. The records in gone get no events.
func (s *EventStore) operations(events []NewEvent, gone map[string]bool) ([]operation, error) {
	now, first := s.store.eventClock.next(len(events))
	out := make([]operation, len(events))
	for i, e := range events {
		r, err := e.record()
		if err != nil {
			return nil, err
		}
		r.Subjects = slices.DeleteFunc(r.Subjects, func(uuid string) bool { return gone[uuid] })
		r.ID, r.Order, r.Expires = newEventID(now), first+int64(i), now.Add(retention(r.Type))
		if r.At.IsZero() {
			r.At = now
		}
		var write driver.WriteModel = driver.NewInsertOneModel().SetDocument(r)
		if e.Key != "" {
			write = driver.NewUpdateOneModel().SetFilter(bson.D{{Key: "key", Value: e.Key}}).
				SetUpdate(bson.D{{Key: "$setOnInsert", Value: r}}).SetUpsert(true)
		}
		out[i] = operation{Events, write}
	}
	return out, nil
}

// PutPast records past events, such as a demo world's. Their ids sort at their time, so readers that follow the log do
// not see them. It skips events that are already recorded or have expired.
func (s *EventStore) PutPast(ctx context.Context, events []NewEvent) error {
	var records []eventRecord
	used := map[string]bool{}
	for _, e := range events {
		r, err := e.record()
		if err != nil {
			return err
		}
		n := crc32.ChecksumIEEE(r.Data)
		for r.ID = pastEventID(e.At, n); used[r.ID]; r.ID = pastEventID(e.At, n) {
			n++
		}
		used[r.ID] = true
		r.Expires = e.At.Add(retention(r.Type))
		if r.Expires.After(s.store.Now()) {
			records = append(records, r)
		}
	}
	slices.SortFunc(records, func(a, b eventRecord) int { return strings.Compare(a.ID, b.ID) })
	if len(records) == 0 {
		return nil
	}
	err := s.db.Collection(Events).InsertMany(conn.WithLongTimeout(ctx), records)
	if conn.IsDuplicateKey(err) {
		return nil
	}
	return err
}

// EventQuery selects events by Events.After.
type EventQuery struct {
	// After is the id after which the events begin.
	After string
	// Types selects event types; all when empty.
	Types []model.EventType
	// Limit is the number of events to read.
	Limit int
	// Skip reports whether to leave out the event with an id; may be nil.
	Skip func(id string) bool
}

// EventPage is the result of Events.After.
type EventPage struct {
	// Events are ordered by the times in their ids and, within a millisecond, as their process recorded them. Events of
	// unknown types, written by a newer version, are left out.
	Events []*model.Event
	// Last is the greatest id of the events read; empty when no event was read.
	Last string
	// More says that further events may follow Last.
	More bool
}

// After reads, from the primary, events that no election can roll back. The events of a millisecond are on one page,
// which may therefore exceed the limit.
func (s *EventStore) After(ctx context.Context, q EventQuery) (EventPage, error) {
	raw, err := s.find(ctx, q, "", q.Limit)
	if err != nil || len(raw) == 0 {
		return EventPage{}, err
	}
	page := EventPage{More: len(raw) == q.Limit}
	if page.More {
		last := recordedAt(raw[len(raw)-1])
		before := slices.IndexFunc(raw, func(r bson.Raw) bool { return recordedAt(r).Equal(last) })
		if before > 0 {
			raw = raw[:before]
		} else if raw, err = s.find(ctx, q, EventIDAt(last.Add(time.Millisecond)), 0); err != nil {
			return EventPage{}, err
		}
	}
	page.Last = textID(raw[len(raw)-1])
	slices.SortStableFunc(raw, inOrder)
	page.Events = s.decode(slices.DeleteFunc(raw, func(r bson.Raw) bool { return q.Skip != nil && q.Skip(textID(r)) }))
	return page, nil
}

// IDs reads the ids of the events after one id and up to last, in order. An empty last sets no bound.
func (s *EventStore) IDs(ctx context.Context, after, last string) ([]string, error) {
	return s.db.allIDs(conn.WithMajority(ctx), Events, nil, after, last)
}

// ByID reads events by their ids.
func (s *EventStore) ByID(ctx context.Context, ids []string) ([]*model.Event, error) {
	raw, err := conn.Find(conn.WithMajority(ctx), s.db.Collection(Events), withID(in(ids)), conn.All[bson.Raw],
		sortedBy("_id"))
	slices.SortStableFunc(raw, inOrder)
	return s.decode(raw), err
}

// find reads stored events up to last, in the order of their ids. An empty last sets no bound.
func (s *EventStore) find(ctx context.Context, q EventQuery, last string, limit int) ([]bson.Raw, error) {
	filter := bson.D{between("_id", q.After, last)}
	if len(q.Types) > 0 {
		filter = append(filter, bson.E{Key: "type", Value: bson.D{{Key: "$in", Value: q.Types}}})
	}
	return conn.Find(conn.WithMajority(ctx), s.db.Collection(Events), filter, conn.All[bson.Raw],
		sortedBy("_id").SetLimit(int64(limit)))
}

func textID(event bson.Raw) string {
	id, _ := event.Lookup("_id").StringValueOK()
	return id
}

// recordedAt returns the time in the id of a stored event.
func recordedAt(event bson.Raw) time.Time {
	at, _ := EventTime(textID(event))
	return at
}

// inOrder sorts stored events by the millisecond in which they were recorded, then by their order within it.
func inOrder(a, b bson.Raw) int {
	order := func(event bson.Raw) int64 { n, _ := event.Lookup("order").AsInt64OK(); return n }
	return cmp.Or(recordedAt(a).Compare(recordedAt(b)), cmp.Compare(order(a), order(b)))
}

// decode leaves out malformed events and events of unknown types.
func (s *EventStore) decode(raw []bson.Raw) (out []*model.Event) {
	for _, r := range raw {
		switch e, err := decodeEvent(r); {
		case err != nil:
			s.db.Collection(Events).ReportMalformed(textID(r), err)
		case e != nil:
			out = append(out, e)
		}
	}
	return out
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
