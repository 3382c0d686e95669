package mongo

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
)

// Recorded is a kind of history. Its value is the prefix of the records' ids.
type Recorded string

// The kinds of history.
const (
	RecordedPlayer Recorded = "player"
	RecordedGuild  Recorded = "guild"
	// RecordedWorlds counts the players online. One record has all worlds; their names are the metrics.
	RecordedWorlds Recorded = "worlds"
	// RecordedSeason is a guild in a season: the key is the number of the season, a dash and the uuid.
	RecordedSeason Recorded = "season"
	// RecordedActivity counts the members of a guild online. An hour without any has no point.
	RecordedActivity Recorded = "activity"
)

// recordings says how each kind of history is recorded.
var recordings = map[Recorded]struct {
	interval time.Duration // between two points
	// record and point are time layouts: record formats the end of a record's id, a month (a day for worlds) of points;
	// point formats the name of a point.
	record, point string
	whole         bool // every point has all metrics, because a missing one means 0
}{
	RecordedPlayer:   {24 * time.Hour, "2006-01", "02", false},
	RecordedGuild:    {24 * time.Hour, "2006-01", "02", false},
	RecordedWorlds:   {10 * time.Minute, "2006-01-02", "1504", true},
	RecordedSeason:   {time.Hour, "2006-01", "0215", false},
	RecordedActivity: {time.Hour, "2006-01", "0215", true},
}

// Interval is the time between two points.
func (r Recorded) Interval() time.Duration { return recordings[r].interval }

// next returns the beginning of the record that follows the record of a time.
func (r Recorded) next(at time.Time) time.Time {
	year, month, day := at.UTC().Date()
	if r == RecordedWorlds {
		return time.Date(year, month, day+1, 0, 0, 0, 0, time.UTC)
	}
	return time.Date(year, month+1, 1, 0, 0, 0, 0, time.UTC)
}

func (r Recorded) recordID(key string, at time.Time) string {
	return string(r) + ":" + key + ":" + at.UTC().Format(recordings[r].record)
}

// HistoryPoint has the values of metrics at a time.
type HistoryPoint struct {
	At     time.Time
	Values map[string]float64
}

// historyRecord has the points of one player or guild in a month, or of the worlds on a day. The first point has all
// metrics, every later point only the metrics that changed since the point before; points of worlds are whole.
type historyRecord struct {
	ID     string                        `bson:"_id"`
	Points map[string]map[string]float64 `bson:"points"`
}

// points returns the points in the order of time, each with all metrics.
func (h *historyRecord) points(r Recorded) []HistoryPoint {
	how := recordings[r]
	begin := h.ID[strings.LastIndexByte(h.ID, ':')+1:]
	values := map[string]float64{}
	out := make([]HistoryPoint, 0, len(h.Points))
	for _, name := range slices.Sorted(maps.Keys(h.Points)) {
		if how.whole {
			clear(values)
		}
		maps.Copy(values, h.Points[name])
		at, err := time.Parse(how.record+how.point, begin+name)
		if err == nil { // others are malformed
			out = append(out, HistoryPoint{at, maps.Clone(values)})
		}
	}
	return out
}

// HistorySpan is the history of a player, guild or world from one time to another, both included.
type HistorySpan struct {
	Key      string
	From, To time.Time
}

// HistoryStore reads and writes metrics over time.
type HistoryStore struct{ family }

// Of reads the points of each span in the order of time, with one command.
func (s *HistoryStore) Of(ctx context.Context, r Recorded, spans ...HistorySpan) ([][]HistoryPoint, error) {
	ids := map[string]bool{}
	for _, span := range spans {
		for at := span.From; !at.After(span.To); at = r.next(at) {
			ids[r.recordID(span.Key, at)] = true
		}
	}
	found, err := find[historyRecord](ctx, s.db.Collection(History),
		bson.D{{Key: "_id", Value: in(slices.Collect(maps.Keys(ids)))}}, sortedBy("_id"))
	if err != nil {
		return nil, err
	}
	byKey := make(map[string][]HistoryPoint, len(spans))
	for _, record := range found {
		key := record.ID[len(r)+1 : strings.LastIndexByte(record.ID, ':')]
		byKey[key] = append(byKey[key], record.points(r)...)
	}
	return each(spans, func(span HistorySpan) (points []HistoryPoint) {
		for _, p := range byKey[span.Key] {
			if !p.At.Before(span.From) && !p.At.After(span.To) {
				points = append(points, p)
			}
		}
		return points
	}), nil
}

// HistoryTime is a time in the history of a player or guild.
type HistoryTime struct {
	Key string
	At  time.Time
}

// ValuesAt returns the values of players or guilds just before some times, from the last point within the year before;
// nil where there is none. It takes one command, or two if some have no point in this month or the last one.
func (s *HistoryStore) ValuesAt(ctx context.Context, r Recorded, of []HistoryTime) ([]map[string]float64, error) {
	values := make([]map[string]float64, len(of))
	for _, months := range []int{1, 12} {
		var ids []string
		for i, t := range of {
			for n := range months + 1 {
				if values[i] == nil {
					ids = append(ids, r.recordID(t.Key, monthBefore(t.At, n)))
				}
			}
		}
		if len(ids) == 0 {
			break
		}
		slices.Sort(ids)
		filter := bson.D{{Key: "_id", Value: in(slices.Compact(ids))}}
		found, err := find[historyRecord](ctx, s.db.Collection(History), filter)
		if err != nil {
			return nil, err
		}
		records := map[string]*historyRecord{}
		for _, h := range found {
			records[h.ID] = h
		}
		for i, t := range of {
			name := t.At.UTC().Format(recordings[r].point)
			for n := 0; n <= months && values[i] == nil; n++ {
				values[i] = records[r.recordID(t.Key, monthBefore(t.At, n))].before(name)
				name = "~" // after all points of earlier months
			}
		}
	}
	return values, nil
}

// monthBefore returns the beginning of the month n months before a time.
func monthBefore(at time.Time, n int) time.Time {
	at = at.UTC()
	return time.Date(at.Year(), at.Month()-time.Month(n), 1, 0, 0, 0, 0, time.UTC)
}

// Record adds a point at a time, or replaces it, for each key whose values differ from the point before. Records expire
// when the retention after their last possible point has passed. It returns how many points it wrote.
func (s *HistoryStore) Record(ctx context.Context, r Recorded, at time.Time, values map[string]map[string]float64,
	retention time.Duration,
) (int, error) {
	at = at.UTC().Truncate(r.Interval())
	name := at.Format(recordings[r].point)
	written := 0
	for keys := range slices.Chunk(slices.Sorted(maps.Keys(values)), maxHistoryWrites) {
		ids := each(keys, func(key string) string { return r.recordID(key, at) })
		found, err := find[historyRecord](ctx, s.db.Collection(History), bson.D{{Key: "_id", Value: in(ids)}})
		if err != nil {
			return written, err
		}
		records := inKeyOrder(ids, found, func(h *historyRecord) string { return h.ID })
		var writes []driver.WriteModel
		for i, key := range keys {
			before := records[i].before(name)
			changed := r.changedValues(before, values[key])
			if records[i].has(name, changed) {
				continue
			}
			id := ids[i]
			writes = append(writes, driver.NewUpdateOneModel().SetUpsert(true).SetFilter(bson.D{{Key: "_id", Value: id}}).
				SetUpdate(bson.D{{Key: "$set", Value: bson.D{
					{Key: "points." + name, Value: storedValues(changed)},
					{Key: "expires", Value: r.next(at).Add(retention)},
				}}}))
		}
		if len(writes) == 0 {
			continue
		}
		if _, err := s.db.bulkUpdate(ctx, History, writes); err != nil {
			return written, err
		}
		written += len(writes)
	}
	return written, nil
}

// maxHistoryWrites is how many records of the history are written at once.
const maxHistoryWrites = 1000

// before returns the values of the last point before the named one; nil if there is none.
func (h *historyRecord) before(name string) map[string]float64 {
	if h == nil {
		return nil
	}
	var values map[string]float64
	for _, n := range slices.Sorted(maps.Keys(h.Points)) {
		if n >= name {
			break
		}
		if values == nil {
			values = map[string]float64{}
		}
		maps.Copy(values, h.Points[n])
	}
	return values
}

// has reports whether the record already has the changes of a point.
func (h *historyRecord) has(name string, changed map[string]float64) bool {
	if h == nil {
		return len(changed) == 0
	}
	return maps.Equal(h.Points[name], changed) // a missing point has no changes either
}

// changedValues returns the values that differ from before, or all if points are written whole.
func (r Recorded) changedValues(before, now map[string]float64) map[string]float64 {
	out := map[string]float64{}
	for metric, v := range now {
		if old, ok := before[metric]; recordings[r].whole || !ok || old != v {
			out[metric] = v
		}
	}
	return out
}

// storedValues returns values as they are stored, in the order of the metrics: whole numbers as integers, which take
// half of the space or less.
func storedValues(values map[string]float64) bson.D {
	out := make(bson.D, 0, len(values))
	for _, metric := range slices.Sorted(maps.Keys(values)) {
		v := any(values[metric])
		if whole := int64(values[metric]); float64(whole) == values[metric] {
			v = whole
		}
		out = append(out, bson.E{Key: metric, Value: v})
	}
	return out
}

// Put replaces whole histories, such as a demo world's: points by key, in the order of time.
func (s *HistoryStore) Put(ctx context.Context, r Recorded, points map[string][]HistoryPoint, retention time.Duration,
) error {
	for keys := range slices.Chunk(slices.Sorted(maps.Keys(points)), maxHistoryWrites) {
		var records []bson.D
		for _, key := range keys {
			for left := points[key]; len(left) > 0; {
				id := r.recordID(key, left[0].At)
				n := slices.IndexFunc(left, func(p HistoryPoint) bool { return r.recordID(key, p.At) != id })
				if n < 0 {
					n = len(left)
				}
				records = append(records, bson.D{
					{Key: "_id", Value: id},
					{Key: "points", Value: r.storedPoints(left[:n])},
					{Key: "expires", Value: r.next(left[0].At).Add(retention)},
				})
				left = left[n:]
			}
		}
		err := replaceEach(ctx, s.db, History, each(records, func(r bson.D) keyed { return keyed{r[0].Value, r} }))
		if err != nil {
			return err
		}
	}
	return nil
}

// storedPoints returns the points of a record, each with the values that changed.
func (r Recorded) storedPoints(points []HistoryPoint) bson.D {
	var before map[string]float64
	out := make(bson.D, 0, len(points))
	for _, p := range points {
		if changed := r.changedValues(before, p.Values); len(changed) > 0 {
			out = append(out, bson.E{Key: p.At.UTC().Format(recordings[r].point), Value: storedValues(changed)})
		}
		before = p.Values
	}
	return out
}
