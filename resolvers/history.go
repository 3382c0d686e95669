package resolvers

import (
	"context"
	"maps"
	"slices"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/history"
	"gamedata/internal/leaderboard"
	"gamedata/loaders"
	"gamedata/mongo"
)

const (
	defaultHistory = 90 * day
	maxHistory     = 5 * 366 * day
	// Worlds have a point every ten minutes.
	maxWorldHistory       = 366 * day
	maxDetailWorldHistory = 31 * day

	day = 24 * time.Hour
)

// span returns the time range of a history; usual is its length if from is nil. It ends at the start of the current
// minute: points are at least ten minutes apart, and all histories of an operation share one span and one read.
func (r *root) span(from, to *time.Time, usual, most time.Duration) (begin, end time.Time, err error) {
	end = r.Now().UTC().Truncate(time.Minute)
	if to != nil {
		end = *to
	}
	begin = end.Add(-usual)
	if from != nil {
		begin = *from
	}
	switch {
	case begin.After(end):
		err = graph.Errorf(graph.InvalidQueryParams, "from must be before to.")
	case end.Sub(begin) > most:
		err = graph.Errorf(graph.InvalidQueryParams, "from and to may be at most %d days apart.", int(most/day))
	}
	return begin, end, err
}

// History returns the metrics of a player unless they are hidden now.
func (r playerResolver) History(ctx context.Context, p *model.Player, metrics []model.HistoryMetric, from,
	to *time.Time, interval model.HistoryInterval,
) (*model.History, error) {
	if hidesDays(p) {
		return nil, nil
	}
	return r.history(ctx, mongo.RecordedPlayer, p.HistoryKey(), history.PlayerMetrics, metrics, from, to, interval)
}

// Played returns the days of a year unless they are hidden now.
func (r playerResolver) Played(ctx context.Context, p *model.Player) (*model.PlayedYear, error) {
	if hidesDays(p) {
		return nil, nil
	}
	now := r.Now().UTC().Truncate(time.Minute)
	from := history.PlayedFrom(now)
	points, err := pointsOf(ctx, mongo.RecordedPlayer, p.HistoryKey(), from, now)
	if err != nil {
		return nil, err
	}
	first := loaders.ValuesAt(mongo.RecordedPlayer, p.HistoryKey(), from)
	start, err := publicError(loaders.From(ctx).ValuesAt.Load(ctx, first)())
	return history.Played(start, points, p.FirstJoinedAt, now), err
}

func (r guildResolver) History(ctx context.Context, g *model.Guild, metrics []model.HistoryMetric, from, to *time.Time,
	interval model.HistoryInterval,
) (*model.History, error) {
	return r.history(ctx, mongo.RecordedGuild, g.HistoryKey(), history.GuildMetrics, metrics, from, to, interval)
}

// history returns the history of the chosen metrics; nil chooses all.
func (r *root) history(ctx context.Context, of mongo.Recorded, key string, metrics []string,
	chosen []model.HistoryMetric, from, to *time.Time, interval model.HistoryInterval,
) (*model.History, error) {
	if err := checkMetrics(of, metrics, chosen...); err != nil {
		return nil, err
	}
	begin, end, err := r.span(from, to, defaultHistory, maxHistory)
	if err != nil {
		return nil, err
	}
	points, err := pointsOf(ctx, of, key, begin, end)
	if err != nil {
		return nil, err
	}
	out := &model.History{From: begin, To: end, Interval: interval, Series: []*model.HistorySeries{}}
	for _, m := range metrics {
		if chosen != nil && !slices.Contains(chosen, model.HistoryMetric(m)) {
			continue
		}
		if series := history.Last(points, m, interval); len(series) > 0 {
			out.Series = append(out.Series, &model.HistorySeries{Metric: model.HistoryMetric(m), Unit: units[m], Points: series})
		}
	}
	return out, nil
}

// pointsOf reads the points within a span. Fields of the same player or guild share one read.
func pointsOf(ctx context.Context, of mongo.Recorded, key string, from, to time.Time) ([]mongo.HistoryPoint, error) {
	span := loaders.HistoryOf(of, key, from, to)
	return sole(publicError(loaders.Many(ctx, loaders.From(ctx).HistoryOf, []loaders.HistoryKey{span})))
}

func checkMetrics(of mongo.Recorded, metrics []string, chosen ...model.HistoryMetric) error {
	for _, m := range chosen {
		if !slices.Contains(metrics, string(m)) {
			return graph.Errorf(graph.InvalidQueryParams, "A %s has no metric %s.", of, m)
		}
	}
	return nil
}

var units = func() map[string]model.HistoryUnit {
	out := map[string]model.HistoryUnit{}
	for _, m := range slices.Concat(history.PlayerMetrics, history.GuildMetrics) {
		out[m] = model.HistoryUnitCount
	}
	out[history.Level], out[history.Playtime] = model.HistoryUnitLevels, model.HistoryUnitHours
	out[history.SeasonRating], out[history.Contributed] = model.HistoryUnitRating, model.HistoryUnitExperience
	return out
}()

// History returns the ratings of the guilds that lead a season.
func (r guildSeasonResolver) History(ctx context.Context, s *model.GuildSeason, first int, from, to *time.Time,
	interval model.HistoryInterval,
) ([]*model.SeasonHistory, error) {
	if from == nil {
		from = &s.StartsAt
	}
	if now := r.Now(); to == nil && from.After(now) {
		return []*model.SeasonHistory{}, nil
	}
	begin, end, err := r.span(from, to, 0, maxHistory)
	if err != nil {
		return nil, err
	}
	board, err := r.board(ctx, leaderboard.SeasonBoard(s.Number))
	if board == nil {
		return []*model.SeasonHistory{}, err
	}
	rows, err := firstRows(ctx, board, first)
	if err != nil {
		return nil, err
	}
	keys := each(rows, func(r row) loaders.HistoryKey {
		key := history.SeasonKey(s.Number, model.LifeKey(entryUUID(r.BoardEntry), r.addedAt))
		return loaders.HistoryOf(mongo.RecordedSeason, key, begin, end)
	})
	found, err := loaders.Many(ctx, loaders.From(ctx).HistoryOf, keys)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	out := make([]*model.SeasonHistory, len(rows))
	for i, r := range rows {
		points := history.Last(found[i], history.SeasonRating, interval)
		out[i] = &model.SeasonHistory{GuildUUID: entryUUID(r.BoardEntry), Points: points}
	}
	return out, nil
}

func (q queryResolver) WorldHistory(ctx context.Context, worlds []string, from, to *time.Time,
	interval model.HistoryInterval,
) ([]*model.WorldHistory, error) {
	most := maxWorldHistory
	if interval == model.HistoryIntervalTenMinutes || interval == model.HistoryIntervalHour {
		most = maxDetailWorldHistory
	}
	begin, end, err := q.span(from, to, day, most)
	if err != nil {
		return nil, err
	}
	points, err := loaders.From(ctx).HistoryOf.Load(ctx,
		loaders.HistoryOf(mongo.RecordedWorlds, history.AllWorlds, begin, end))()
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	names := map[string]bool{}
	for _, p := range points {
		for name := range p.Values {
			names[name] = worlds == nil || slices.Contains(worlds, name)
		}
	}
	out := []*model.WorldHistory{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if names[name] {
			out = append(out, &model.WorldHistory{World: name, Points: history.Mean(points, name, interval)})
		}
	}
	return out, nil
}
