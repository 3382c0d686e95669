package jobs

import (
	"context"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/history"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// historyLease is the lease of History; other jobs read nothing that History writes.
const historyLease = "history"

// historyState is stored under historyLease: when History last ran, and the start of the last interval recorded for
// each kind of point.
type historyState struct {
	Worlds, Hourly, At time.Time
}

// History records points: players online every ten minutes; every hour guilds, their members online, ratings in the
// running season, players who have played since, and the top entries of leaderboards. Points of a day are replaced
// until the day ends, and for the last time in its last ten minutes. It can run at any time: it does not record an
// interval twice.
func History(ctx context.Context, store *mongo.Store, now time.Time, o Options) (Report, error) {
	report := Report{}
	err := store.Leases.With(ctx, historyLease, o.Holder, func(ctx context.Context, _ *mongo.Lease) error {
		var state historyState
		if _, err := store.ReadMark(ctx, historyLease, &state); err != nil {
			return err
		}
		h := &historian{newJob(store, now, o), &report, map[string]string{}, state.Hourly}
		if err := h.worlds(ctx); err != nil {
			return err
		}
		state.Worlds = h.now.Truncate(mongo.RecordedWorlds.Interval())
		dayOfNextRun := func(t time.Time) time.Time { return t.Add(mongo.RecordedWorlds.Interval()).Truncate(day) }
		dayEnds := !dayOfNextRun(state.At).Equal(dayOfNextRun(h.now)) // before the next run
		if hour := h.now.Truncate(time.Hour); o.Full || dayEnds || !state.Hourly.Equal(hour) {
			since := state.Hourly.Add(-day) // includes players who joined earlier and left since
			if o.Full || state.Hourly.IsZero() || state.Hourly.After(h.now) {
				since = time.Time{}
			}
			if err := h.guilds(ctx, since.IsZero()); err != nil {
				return err
			}
			if err := h.players(ctx, since); err != nil {
				return err
			}
			if err := h.boards(ctx); err != nil {
				return err
			}
			state.Hourly = hour
		}
		state.At = h.now
		return store.SetMark(ctx, historyLease, state)
	})
	return report, err
}

// HistoryState returns when History last ran, zero before the first run, and whether it is due: the last recorded ten
// minutes are over.
func HistoryState(ctx context.Context, store *mongo.Store, now time.Time) (at time.Time, due bool, err error) {
	var state historyState
	_, err = store.ReadMark(ctx, historyLease, &state)
	return state.At, !state.Worlds.Equal(now.UTC().Truncate(mongo.RecordedWorlds.Interval())), err
}

// historian is one run of History.
type historian struct {
	job
	report *Report
	keys   map[string]string // of the histories of guilds, by uuid
	since  time.Time         // of the last run
}

func (h *historian) record(ctx context.Context, what mongo.Recorded, values map[string]map[string]float64) error {
	n, err := h.store.History.Record(ctx, what, h.now, values, h.Retention.Of(what))
	h.report.Points += n
	return err
}

func (h *historian) worlds(ctx context.Context) error {
	online, err := h.store.Players.Online(ctx)
	if err != nil {
		return err
	}
	players := map[string]float64{}
	for _, p := range online {
		if p.World != nil {
			players[*p.World]++
		}
	}
	return h.record(ctx, mongo.RecordedWorlds, map[string]map[string]float64{history.AllWorlds: players})
}

// guilds records all guilds: their territories and members change without changing the guild's record.
func (h *historian) guilds(ctx context.Context, anew bool) error {
	territories, err := h.store.Territories.All(ctx)
	if err != nil {
		return err
	}
	held := model.TerritoryCounts(territories)
	members, err := h.store.Guilds.MemberCounts(ctx)
	if err != nil {
		return err
	}
	seasons, err := mongo.Seasons.Read(ctx, h.store)
	if err != nil {
		return err
	}
	season := model.RunningSeason(seasons, h.now)
	gains, err := h.openGains(ctx, mongo.RecordedGuild, history.GuildMetrics, anew)
	if err != nil {
		return err
	}
	for page, err := range h.store.Guilds.Recorded(ctx, countsBatch) {
		if err != nil {
			return err
		}
		ratings, gainers := map[string]map[string]float64{}, make([]history.Gainer, len(page))
		for i, g := range page {
			gainers[i] = history.GuildGainer(g, members[g.UUID], held[g.UUID])
			h.keys[g.UUID] = gainers[i].Key
			if season == nil {
				continue
			}
			if rating, ok := history.Rating(g, season.Number); ok {
				ratings[history.SeasonKey(season.Number, gainers[i].Key)] = map[string]float64{history.SeasonRating: rating}
			}
		}
		if err := gains.add(ctx, gainers); err != nil {
			return err
		}
		if err := h.record(ctx, mongo.RecordedSeason, ratings); err != nil {
			return err
		}
		h.report.Guilds += len(page)
		h.Progress("recording guilds", h.report.Guilds, 0)
	}
	return gains.write(ctx)
}

// players records the players who are online or joined since a time.
func (h *historian) players(ctx context.Context, since time.Time) error {
	gains, err := h.openGains(ctx, mongo.RecordedPlayer, history.PlayerMetrics, since.IsZero())
	if err != nil {
		return err
	}
	record := func(page []*model.Player, err error) error {
		if err != nil {
			return err
		}
		gainers := make([]history.Gainer, len(page))
		for i, p := range page {
			gainers[i] = history.PlayerGainer(p)
		}
		h.report.Players += len(page)
		h.Progress("recording players", h.report.Players, 0)
		return gains.add(ctx, gainers)
	}
	online := map[string]map[string]float64{} // members who show publicly that they are online, by guild
	for page, err := range h.store.Players.RecordedOnline(ctx, countsBatch) {
		if err := record(page, err); err != nil {
			return err
		}
		for _, p := range page {
			if p.Guild == nil || !p.ShowsPresenceToAll() {
				continue
			}
			key := h.keys[p.Guild.UUID]
			if online[key] == nil {
				online[key] = map[string]float64{}
			}
			online[key][history.Online]++
		}
	}
	if err := h.record(ctx, mongo.RecordedActivity, online); err != nil {
		return err
	}
	for page, err := range h.store.Players.Since(ctx, since, countsBatch) {
		if err := record(page, err); err != nil {
			return err
		}
	}
	return gains.write(ctx)
}

// boards records the top entries of the boards that can still change. Each run replaces the record of its day. It skips
// a board that is being replaced or whose pages are damaged.
func (h *historian) boards(ctx context.Context) error {
	catalogue, err := readCatalogue(ctx, h.store, h.now)
	if err != nil {
		return err
	}
	directories, err := h.store.Boards.AllDirectories(ctx)
	if err != nil {
		return err
	}
	var boards []*mongo.Directory
	for _, d := range directories {
		if b := catalogue.Named(d.Board); b != nil && b.Changes(h.now) && len(d.Pages) > 0 {
			d.Pages = firstPages(d.Pages)
			boards = append(boards, d)
		}
	}
	pages := newPageReader(&h.store.Boards, boards...)
	var tops []mongo.BoardTop
	for _, d := range boards {
		var top []leaderboard.Key
		whole := true
		for range d.Pages {
			page, err := pages.next(ctx)
			if err != nil {
				return err
			}
			whole = whole && page != nil
			for i := 0; i < page.Len() && len(top) < leaderboard.TopSize; i++ {
				top = append(top, page.At(i))
			}
		}
		if !whole {
			continue
		}
		t := mongo.BoardTop{
			BoardDay: mongo.BoardDay{Board: d.Board, Day: h.now.Truncate(day)}, Entries: leaderboard.PackTop(top),
		}
		if d.RefreshedAt != nil {
			t.RefreshedAt = *d.RefreshedAt
		}
		tops = append(tops, t)
	}
	return h.store.Boards.PutTops(ctx, tops, h.Retention.Daily)
}

// firstPages returns the pages that have the top entries.
func firstPages(pages []mongo.PageRef) []mongo.PageRef {
	n, count := 0, 0
	for n < len(pages) && count < leaderboard.TopSize {
		count += pages[n].Count
		n++
	}
	return pages[:n]
}
