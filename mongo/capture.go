package mongo

import (
	"context"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
	"gamedata/mongo/conn"
)

// Captures are events of the log that are stored longer than the others and listed by territory, guild and time.

// CaptureList describes one list of captures for each key, newest first.
type CaptureList struct {
	// ByGuild makes the keys the uuids of guilds that lost or gained a territory; otherwise they are names of
	// territories.
	ByGuild bool
	EventSpan
}

// EventSpan limits the time of events, From included; zero is open.
type EventSpan struct{ From, To time.Time }

// Order is the order of the list.
func (CaptureList) Order() Order { return Order{Field: "at", Descending: true, IDsDescending: true} }

// Position is the position of a capture in a list.
func (CaptureList) Position(c *model.Capture) Position { return Position{Value: c.At, ID: c.ID} }

func (l CaptureList) field() string {
	if l.ByGuild {
		return "subjects"
	}
	return "data.territory"
}

func (l CaptureList) filter(keys []string) bson.D {
	filter := bson.D{{Key: l.field(), Value: in(keys)}, {Key: "type", Value: model.EventTerritoryCaptured}}
	return append(filter, l.EventSpan.filter()...)
}

func (s EventSpan) filter() bson.D {
	span := bson.D{}
	if !s.From.IsZero() {
		span = append(span, bson.E{Key: "$gte", Value: s.From})
	}
	if !s.To.IsZero() {
		span = append(span, bson.E{Key: "$lt", Value: s.To})
	}
	if len(span) == 0 {
		return nil
	}
	return bson.D{{Key: "at", Value: span}}
}

type captureRecord struct {
	ID       string                  `bson:"_id"`
	At       time.Time               `bson:"at"`
	Subjects []string                `bson:"subjects"` // guilds
	Data     model.TerritoryCaptured `bson:"data"`
}

func (r *captureRecord) keys(l CaptureList) []string {
	if l.ByGuild {
		return r.Subjects
	}
	return []string{r.Data.Territory}
}

func (r *captureRecord) capture() *model.Capture {
	return &model.Capture{
		ID: r.ID, At: r.At.UTC(), TerritoryName: r.Data.Territory, From: r.Data.From, To: r.Data.To,
		HeldSeconds: r.Data.HeldSeconds,
	}
}

// CapturePage is a page of a list of captures. More says whether captures follow it in the direction read.
type CapturePage struct {
	Captures []*model.Capture
	More     bool
}

// CaptureStore reads captures of territories from the event log.
type CaptureStore struct{ family }

// Pages reads the same page of the list of each key, in key order. The list sets the filter and the order of the query.
// It reads the captures of all keys together until every page is full, mostly with one command.
func (s *CaptureStore) Pages(ctx context.Context, l CaptureList, keys []string, q PageQuery) ([]*CapturePage, error) {
	pages := make(map[string]*CapturePage, len(keys))
	for _, key := range keys {
		pages[key] = &CapturePage{}
	}
	q.Order = l.Order()
	limit := q.Limit
	for open, more := keys, true; more && len(open) > 0; {
		q.Filter, q.Limit = l.filter(open), min((limit+1)*len(open), maxRead)
		var found []*captureRecord
		var err error
		if found, more, err = findPageOf[captureRecord](ctx, s.db.Collection(Events), q); err != nil {
			return nil, err
		}
		if len(found) == 0 {
			break
		}
		if q.Backward {
			slices.Reverse(found)
		}
		for _, r := range found {
			for _, key := range r.keys(l) {
				if p := pages[key]; p != nil && len(p.Captures) <= limit {
					p.Captures = append(p.Captures, r.capture())
				}
			}
		}
		last := found[len(found)-1]
		q.After = &Position{Value: last.At, ID: last.ID}
		open = slices.DeleteFunc(slices.Clone(open), func(key string) bool { return len(pages[key].Captures) > limit })
	}
	for _, p := range pages {
		p.More = len(p.Captures) > limit
		if p.More {
			p.Captures = p.Captures[:limit]
		}
		if q.Backward {
			slices.Reverse(p.Captures)
		}
	}
	return each(keys, func(key string) *CapturePage { return pages[key] }), nil
}

const (
	// maxRead is the most captures that one command of Pages reads.
	maxRead = 20_000
	// MaxCaptureCount is the most captures that Count counts, of all keys together.
	MaxCaptureCount = 50_000
)

// Count counts the captures of each key with one command, in the order of the keys; nil if there are more than
// MaxCaptureCount in total.
func (s *CaptureStore) Count(ctx context.Context, l CaptureList, keys []string) ([]*int, error) {
	type count struct {
		ID any `bson:"_id"` // a text, or the guilds of the captures
		N  int `bson:"n"`
	}
	pipeline := bson.A{
		bson.D{{Key: "$match", Value: l.filter(keys)}},
		bson.D{{Key: "$limit", Value: MaxCaptureCount + 1}},
		bson.D{{Key: "$group", Value: bson.D{
			{Key: "_id", Value: "$" + l.field()}, {Key: "n", Value: bson.D{{Key: "$sum", Value: 1}}},
		}}},
	}
	found, err := conn.Aggregate[count](conn.WithLongTimeout(ctx), s.db.Collection(Events), pipeline)
	if err != nil {
		return nil, err
	}
	out := make([]*int, len(keys))
	total, byKey := 0, map[string]int{}
	for _, c := range found {
		total += c.N
		switch id := c.ID.(type) {
		case string:
			byKey[id] += c.N
		case bson.A:
			for _, key := range id {
				if text, ok := key.(string); ok {
					byKey[text] += c.N
				}
			}
		}
	}
	for i, key := range keys {
		if total <= MaxCaptureCount {
			out[i] = new(byKey[key])
		}
	}
	return out, nil
}

// maxCaptures is the most captures that one command of Captures.First reads.
const maxCaptures = 5000

// First returns the first capture of each territory after a time, by the territory's name. names lists the territories
// the caller needs: a second command reads the territories that the first one missed. A territory with very many
// malformed captures is missing.
func (s *CaptureStore) First(ctx context.Context, after time.Time, names []string) (map[string]*model.Capture, error) {
	out := map[string]*model.Capture{}
	read := func(territories, since bson.D) (*captureRecord, error) {
		filter := bson.D{
			{Key: "data.territory", Value: territories},
			{Key: "type", Value: model.EventTerritoryCaptured},
			{Key: "at", Value: since},
		}
		found, bad, err := findAll[captureRecord](ctx, s.db.Collection(Events), filter,
			sortedBy("at", "_id").SetLimit(maxCaptures).SetProjection(projection("at", "data")))
		for _, r := range found {
			if out[r.Data.Territory] == nil {
				out[r.Data.Territory] = r.capture()
			}
		}
		if err != nil || len(found)+len(bad) < maxCaptures || len(found) == 0 {
			return nil, err
		}
		return found[len(found)-1], nil
	}
	last, err := read(bson.D{{Key: "$exists", Value: true}}, bson.D{{Key: "$gt", Value: after}})
	if last == nil {
		return out, err
	}
	var missing []string
	for _, name := range names {
		if out[name] == nil {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		_, err = read(in(missing), bson.D{{Key: "$gte", Value: last.At}})
	}
	return out, err
}
