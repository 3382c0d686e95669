package jobs

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"gamedata/graph/model"
	"gamedata/internal/history"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// spareGains is how many extra entries a running gain board stores. They move up when a shown entry loses its gain or
// is deleted.
const spareGains = 100

// deletionOverlap is how far before the last run deletions are read again: that run may have missed them.
const deletionOverlap = 5 * time.Minute

// gains are the gain boards of players or guilds, for the periods that run or ended since the last
// run. An entry changes only with its player or guild, so a run needs only players and guilds that may have gained.
type gains struct {
	h       *historian
	of      mongo.Recorded
	metrics []string
	periods []*gainPeriod
	deleted []string // uuids deleted since the last run: a new record with the uuid does not inherit the old gains
}

// gainPeriod holds the entries of a period's boards, by metric.
type gainPeriod struct {
	history.Span
	period model.Period
	ended  bool
	ranks  []map[[16]byte]int64 // hundredths, by uuid; nil if the board is not written
}

func (p *gainPeriod) keys(of mongo.Recorded, metrics []string) []mongo.GainBoardKey {
	out := make([]mongo.GainBoardKey, len(metrics))
	for i, metric := range metrics {
		out[i] = mongo.GainBoardKey{Of: of, Metric: metric, Period: p.period, From: p.From}
	}
	return out
}

// openGains reads the boards of the periods. If everything is read, the boards of the last periods are written too.
func (h *historian) openGains(ctx context.Context, of mongo.Recorded, metrics []string, all bool) (*gains, error) {
	seasons, err := mongo.Seasons.Read(ctx, h.store)
	if err != nil {
		return nil, err
	}
	deleted, err := h.store.Deletions.Keys(ctx, h.since.Add(-deletionOverlap), strings.ToUpper(string(of)))
	if err != nil {
		return nil, err
	}
	g := &gains{h: h, of: of, metrics: metrics, deleted: deleted}
	for _, period := range model.AllPeriod {
		for _, find := range []func(model.Period, time.Time, []*model.GuildSeason) (history.Span, bool){
			history.At, history.Before,
		} {
			span, ok := find(period, h.now, seasons)
			if !ok {
				continue
			}
			p := &gainPeriod{Span: span, period: period, ended: span.Ended(h.now)}
			open, err := g.read(ctx, p, all)
			if err != nil {
				return nil, err
			}
			if open {
				g.periods = append(g.periods, p)
			}
		}
	}
	return g, nil
}

// read reads the boards of a period and reports whether to write them.
func (g *gains) read(ctx context.Context, p *gainPeriod, all bool) (bool, error) {
	found, err := g.h.store.Boards.Gains(ctx, p.keys(g.of, g.metrics))
	if err != nil {
		return false, err
	}
	open := false
	p.ranks = make([]map[[16]byte]int64, len(found))
	for i, b := range found {
		if b != nil && b.Final || b == nil && p.ended && !all {
			continue
		}
		open, p.ranks[i] = true, map[[16]byte]int64{}
		if b == nil || all {
			continue
		}
		keys, err := leaderboard.UnpackTop(b.Entries)
		if err != nil {
			return false, err
		}
		for _, k := range keys {
			if uuid := k.UUID(); !slices.Contains(g.deleted, uuid) {
				p.ranks[i][[16]byte(k[8:24])] = k.MetaScore()
			}
		}
	}
	return open, nil
}

// gainsBatch is the number of players or guilds whose history is read, or whose events are recorded, at once.
const gainsBatch = 500

// add ranks the gains of some players or guilds.
func (g *gains) add(ctx context.Context, list []history.Gainer) error {
	values := make(map[string]map[string]float64, len(list))
	for _, of := range list {
		values[of.Key] = of.Now
	}
	if err := g.h.record(ctx, g.of, values); err != nil {
		return err
	}
	for some := range slices.Chunk(list, gainsBatch) {
		if err := g.addBatch(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

func (g *gains) addBatch(ctx context.Context, list []history.Gainer) error {
	var times []mongo.HistoryTime
	for _, p := range g.periods {
		for _, of := range list {
			times = append(times, mongo.HistoryTime{Key: of.Key, At: p.From})
			if p.ended {
				times = append(times, mongo.HistoryTime{Key: of.Key, At: p.To})
			}
		}
	}
	values, err := g.h.store.History.ValuesAt(ctx, g.of, times)
	if err != nil {
		return err
	}
	for _, p := range g.periods {
		for _, of := range list {
			recorded, end := values[0], of.Now
			values = values[1:]
			if p.ended {
				end, values = values[0], values[1:]
			}
			if id, ok := leaderboard.ParseUUID(of.UUID); ok {
				p.rank(id, g.metrics, of.Start(recorded, end, p.From, p.To), end)
			}
		}
		for _, rank := range p.ranks {
			if len(rank) > 4*(leaderboard.MaxGains+spareGains) {
				first(rank)
			}
		}
	}
	return nil
}

func (p *gainPeriod) rank(id [16]byte, metrics []string, start, end map[string]float64) {
	for i, metric := range metrics {
		if p.ranks[i] == nil {
			continue
		}
		if gained, ok := history.Gained(metric, start, end); ok && gained > 0 {
			p.ranks[i][id] = int64(math.Round(100 * gained))
		} else {
			delete(p.ranks[i], id)
		}
	}
}

// first returns the top entries of a board and removes the others from rank.
func first(rank map[[16]byte]int64) []leaderboard.Key {
	keys := make([]leaderboard.Key, 0, len(rank))
	for id, gained := range rank {
		keys = append(keys, leaderboard.PackKey(gained, id, [16]byte{}))
	}
	slices.SortFunc(keys, leaderboard.Key.Compare)
	keep := min(len(keys), leaderboard.MaxGains+spareGains)
	for _, k := range keys[keep:] {
		delete(rank, [16]byte(k[8:24]))
	}
	return keys[:keep]
}

// weekEvents returns the events of guilds that captured or lost a territory or won a war in an ended week.
func (p *gainPeriod) weekEvents(metrics []string) (events []mongo.NewEvent) {
	weeks := map[[16]byte]*model.GuildWeekEnded{}
	for i, metric := range metrics {
		for id, gained := range p.ranks[i] {
			e := cmp.Or(weeks[id], &model.GuildWeekEnded{Guild: uuid.UUID(id).String(), Week: model.WeekName(p.From)})
			switch metric {
			case history.Captured:
				e.Captured = int(gained / 100)
			case history.Lost:
				e.Lost = int(gained / 100)
			case history.Wars:
				e.Wars = int(gained / 100)
			default:
				continue
			}
			weeks[id] = e
		}
	}
	for _, e := range weeks {
		events = append(events, mongo.NewEvent{Key: "week/" + e.Week + "/" + e.Guild, At: p.To, Data: e})
	}
	return events
}

// write writes the boards. Boards of an ended period are final and no longer than other recorded boards.
func (g *gains) write(ctx context.Context) error {
	for _, p := range g.periods {
		if g.of == mongo.RecordedGuild && p.period == model.PeriodWeek && p.ended && !g.h.since.IsZero() {
			for some := range slices.Chunk(p.weekEvents(g.metrics), gainsBatch) { // each in a transaction
				if err := g.h.store.Events.Append(ctx, some...); err != nil {
					return err
				}
			}
		}
		retention := g.h.Retention.Daily
		if p.period == model.PeriodDay {
			retention = g.h.Retention.Detailed
		}
		var names []mongo.GainBoardKey
		var boards []mongo.GainBoard
		for i, name := range p.keys(g.of, g.metrics) {
			if p.ranks[i] == nil {
				continue
			}
			keys := first(p.ranks[i])
			if p.ended {
				keys = keys[:min(len(keys), leaderboard.TopSize)]
			}
			names = append(names, name)
			boards = append(boards, mongo.GainBoard{
				Entries: leaderboard.PackTop(keys), At: g.h.now, Final: p.ended, Expires: g.h.now.Add(retention),
			})
		}
		if err := g.h.store.Boards.PutGains(ctx, names, boards); err != nil {
			return err
		}
	}
	return nil
}
