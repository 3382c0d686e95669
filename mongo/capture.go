package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
	"gamedata/mongo/conn"
)

// Captures are events of the log that are stored longer than the others and listed by territory, guild and time.

// CaptureList is a list of captures, newest first.
type CaptureList struct {
	// Territory is the name of a territory, Guild the uuid of a guild that lost or got one. One of them is set.
	Territory, Guild string
	// From and To limit the time of the captures, From included; nil is open.
	From, To *time.Time
}

// Order is the order of the list.
func (CaptureList) Order() Order { return Order{Field: "at", Descending: true, IDsDescending: true} }

// Position is the position of a capture in a list.
func (CaptureList) Position(c *model.Capture) Position { return Position{Value: c.At, ID: c.ID} }

func (l CaptureList) filter() bson.D {
	filter := bson.D{}
	if l.Territory != "" {
		filter = append(filter, bson.E{Key: "data.territory", Value: l.Territory})
	}
	if l.Guild != "" {
		filter = append(filter, bson.E{Key: "guilds", Value: l.Guild})
	}
	filter = append(filter, bson.E{Key: "type", Value: model.EventTerritoryCaptured})
	span := bson.D{}
	if l.From != nil {
		span = append(span, bson.E{Key: "$gte", Value: *l.From})
	}
	if l.To != nil {
		span = append(span, bson.E{Key: "$lt", Value: *l.To})
	}
	if len(span) > 0 {
		filter = append(filter, bson.E{Key: "at", Value: span})
	}
	return filter
}

// captureRecord is a stored capture.
type captureRecord struct {
	ID   string                  `bson:"_id"`
	At   time.Time               `bson:"at"`
	Data model.TerritoryCaptured `bson:"data"`
}

func (r *captureRecord) capture() *model.Capture {
	return &model.Capture{
		ID: r.ID, At: r.At.UTC(), TerritoryName: r.Data.Territory, From: r.Data.From, To: r.Data.To,
		HeldSeconds: r.Data.HeldSeconds,
	}
}

// capturingGuilds are the guilds of an event that is a capture.
func capturingGuilds(data model.EventData) []string {
	e, ok := data.(*model.TerritoryCaptured)
	if !ok {
		return nil
	}
	var out []string
	for _, g := range []*model.EventGuild{e.From, e.To} {
		if g != nil && (len(out) == 0 || out[0] != g.UUID) {
			out = append(out, g.UUID)
		}
	}
	return out
}

// Page reads a page of a list of captures. The filter of the query is that of the list.
func (s *CaptureStore) Page(ctx context.Context, l CaptureList, q PageQuery) ([]*model.Capture, bool, error) {
	q.Filter, q.Order = l.filter(), l.Order()
	found, more, err := findPageOf[captureRecord](ctx, s.db.Collection(Events), q)
	return each(found, (*captureRecord).capture), more, err
}

// Count returns the number of captures of a list.
func (s *CaptureStore) Count(ctx context.Context, l CaptureList) (int, error) {
	return s.db.Collection(Events).Count(conn.WithLongTimeout(ctx), l.filter())
}

// maxCaptures is the most captures that Captures.First reads with a command.
const maxCaptures = 5000

// First returns the first capture of each territory after a time, by its name. Names are those of the
// territories that matter: when the first captures of all territories do not contain them, they are read with a second
// command. A territory with very many malformed captures is missing.
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
