package resolvers

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/history"
	"gamedata/loaders"
	"gamedata/mongo"
)

// maxGain is the longest time over which gains are counted.
const maxGain = 366 * day

// gainSpan is the time over which gains are counted. It begins with a day; it ends with a day, or now.
type gainSpan struct {
	from, to time.Time
	running  bool // it ends now: the last values are the present ones
}

// intervals are the periods that the calendar has.
var intervals = map[model.Period]model.HistoryInterval{
	model.PeriodDay: model.HistoryIntervalDay, model.PeriodWeek: model.HistoryIntervalWeek,
	model.PeriodMonth: model.HistoryIntervalMonth,
}

// gainSpan returns a requested span; false for a season when there is none.
func (r *root) gainSpan(ctx context.Context, over model.GainSpan) (s gainSpan, ok bool, err error) {
	now := r.now().UTC().Truncate(time.Minute) // the gains of an operation are read together
	switch {
	case over.Between != nil:
		s, err = spanBetween(*over.Between, now)
		return s, true, err
	case over.Current != nil && *over.Current != model.PeriodSeason:
		return gainSpan{history.Start(now, intervals[*over.Current]), now, true}, true, nil
	case over.Previous != nil && *over.Previous != model.PeriodSeason:
		to := history.Start(now, intervals[*over.Previous])
		return gainSpan{history.Start(to.Add(-1), intervals[*over.Previous]), to, false}, true, nil
	}
	seasons, err := stored(loaders.From(ctx).Seasons.Load(ctx))
	if err != nil {
		return s, false, err
	}
	for _, season := range slices.Backward(seasons.All) {
		running := season.EndsAt == nil || now.Before(*season.EndsAt)
		if !season.Enabled || now.Before(season.StartsAt) || running != (over.Current != nil) {
			continue
		}
		if running {
			return gainSpan{season.StartsAt.Truncate(day), now, true}, true, nil
		}
		return spanUntil(season.StartsAt, *season.EndsAt, now), true, nil
	}
	return s, false, nil
}

func spanBetween(r model.DateTimeRange, now time.Time) (gainSpan, error) {
	to := now
	if r.To != nil && r.To.Before(now) {
		to = *r.To
	}
	switch {
	case r.From == nil:
		return gainSpan{}, graph.Errorf(graph.InvalidQueryParams, "between needs the time from which gains are counted.")
	case !r.From.Before(to):
		return gainSpan{}, graph.Errorf(graph.InvalidQueryParams, "from must be before to, and before now.")
	case to.Sub(*r.From) > maxGain:
		return gainSpan{}, graph.Errorf(graph.InvalidQueryParams, "from and to may be at most %d days apart.",
			int(maxGain/day))
	}
	return spanUntil(*r.From, to, now), nil
}

// spanUntil returns the span of whole days with two times in the past.
func spanUntil(from, to, now time.Time) gainSpan {
	s := gainSpan{from: from.UTC().Truncate(day), to: to.UTC().Add(day - 1).Truncate(day)}
	if s.to.After(now) {
		s.to, s.running = now, true
	}
	return s
}

// gainer is a player or guild that may have gained something.
type gainer struct {
	key    string
	since  *time.Time         // when the player first joined, or the guild was created: all numbers were 0
	joined *time.Time         // when the player joined the guild: nothing was contributed
	now    map[string]float64 // the present values
}

// values are the numbers of a gainer at both ends of a span; nil where nothing is known.
type values struct{ start, end map[string]float64 }

// valuesOver reads the values of gainers at both ends of a span.
func valuesOver(ctx context.Context, of mongo.Recorded, list []gainer, s gainSpan) ([]values, error) {
	at := func(at time.Time) ([]map[string]float64, error) {
		keys := each(list, func(g gainer) loaders.HistoryKey { return loaders.ValuesAt(of, g.key, at) })
		return stored(loaders.Many(ctx, loaders.From(ctx).ValuesAt, keys))
	}
	start, err := at(s.from)
	if err != nil {
		return nil, err
	}
	end := each(list, func(g gainer) map[string]float64 { return g.now })
	if !s.running {
		if end, err = at(s.to); err != nil {
			return nil, err
		}
	}
	out := make([]values, len(list))
	for i, g := range list {
		out[i] = values{start[i], end[i]}
		if start[i] == nil && g.since != nil && !g.since.Before(s.from) {
			out[i].start = zeros(end[i])
		}
		if g.joined != nil && !g.joined.Before(s.from) {
			out[i].start = maps.Clone(out[i].start)
			if delete(out[i].start, history.Contributed); g.joined.Before(s.to) && out[i].start != nil {
				out[i].start[history.Contributed] = 0
			}
		}
	}
	return out, nil
}

func zeros(of map[string]float64) map[string]float64 {
	out := make(map[string]float64, len(of))
	for metric := range of {
		out[metric] = 0
	}
	return out
}

// gain returns the gain of a metric; nil if one of its values is not known.
func (v values) gain(metric string, s gainSpan) *model.Gain {
	start, began := v.start[metric]
	end, ended := v.end[metric]
	if !began || !ended {
		return nil
	}
	return &model.Gain{
		Metric: model.HistoryMetric(metric), Unit: units[metric], StartedAt: s.from, EndedAt: s.to,
		StartValue: start, EndValue: end, Gained: math.Round(100*(end-start)) / 100,
	}
}

// gains returns what a player or guild gained: those of some metrics that are chosen, all if chosen is nil.
func (r *root) gains(ctx context.Context, of mongo.Recorded, g gainer, metrics []string, chosen []model.HistoryMetric,
	over model.GainSpan,
) ([]*model.Gain, error) {
	if err := checkMetrics(of, metrics, chosen...); err != nil {
		return nil, err
	}
	out := []*model.Gain{}
	s, ok, err := r.gainSpan(ctx, over)
	if !ok || err != nil {
		return out, err
	}
	found, err := valuesOver(ctx, of, []gainer{g}, s)
	if err != nil {
		return nil, err
	}
	for _, m := range metrics {
		if gain := found[0].gain(m, s); gain != nil && (chosen == nil || slices.Contains(chosen, gain.Metric)) {
			out = append(out, gain)
		}
	}
	return out, nil
}

// Gains returns what a player gained unless it is hidden now.
func (r playerResolver) Gains(ctx context.Context, p *model.Player, metrics []model.HistoryMetric, over model.GainSpan,
) ([]*model.Gain, error) {
	if hidesDays(p) {
		return nil, nil
	}
	return r.gains(ctx, mongo.RecordedPlayer, playerGainer(p), history.PlayerMetrics, metrics, over)
}

func playerGainer(p *model.Player) gainer {
	g := gainer{key: p.UUID, since: p.FirstJoinedAt, now: history.OfPlayer(p)}
	if p.Membership != nil {
		g.joined = &p.Membership.JoinedAt
	}
	return g
}

func (r guildResolver) Gains(ctx context.Context, g *model.Guild, metrics []model.HistoryMetric, over model.GainSpan,
) ([]*model.Gain, error) {
	set := loaders.From(ctx)
	members := set.MemberCount.Load(ctx, g.UUID)
	territories, err := r.TerritoryCount(ctx, g)
	if err != nil {
		return nil, err
	}
	count, err := stored(members())
	if err != nil {
		return nil, err
	}
	of := gainer{key: g.UUID, since: &g.CreatedAt, now: history.OfGuild(g, count, *territories)}
	return r.gains(ctx, mongo.RecordedGuild, of, history.GuildMetrics, metrics, over)
}

// MemberGains returns what the members of a guild gained, those whose history the viewer may see.
func (r guildResolver) MemberGains(ctx context.Context, g *model.Guild, metric model.HistoryMetric, over model.GainSpan,
	filter *model.GuildMemberFilter, first *int, after *string, last *int, before *string,
) (*model.MemberGainConnection, error) {
	if err := checkMetrics(mongo.RecordedPlayer, history.PlayerMetrics, metric); err != nil {
		return nil, err
	}
	s, ok, err := r.gainSpan(ctx, over)
	if err != nil {
		return nil, err
	}
	list := []*model.MemberGain{}
	if ok {
		if list, err = r.memberGains(ctx, g, string(metric), s, filter); err != nil {
			return nil, err
		}
	}
	return connect(list, pageArgs{first, last, after, before, nil}, r.pageSize,
		func(m *model.MemberGain) string { return m.Member.UUID })
}

func (r guildResolver) memberGains(ctx context.Context, g *model.Guild, metric string, s gainSpan,
	filter *model.GuildMemberFilter,
) ([]*model.MemberGain, error) {
	players, relations, err := playersOf(ctx, g)
	if err != nil {
		return nil, err
	}
	var members []*model.GuildMember
	var gainers []gainer
	for _, m := range membersOf(g, players, relations) {
		shown := m.show(g)
		if hidesDays(shown.Player) || !m.matches(filter) || !m.part.JoinedAt.Before(s.to) {
			continue
		}
		of := playerGainer(m.record)
		of.joined = &m.part.JoinedAt
		members, gainers = append(members, shown), append(gainers, of)
	}
	found, err := valuesOver(ctx, mongo.RecordedPlayer, gainers, s)
	if err != nil {
		return nil, err
	}
	if metric != history.Contributed {
		if err := startAtJoining(ctx, gainers, found, s); err != nil {
			return nil, err
		}
	}
	var out []*model.MemberGain
	for i, m := range members {
		if gain := found[i].gain(metric, s); gain != nil {
			out = append(out, &model.MemberGain{Member: m, Gain: gain})
		}
	}
	slices.SortStableFunc(out, func(a, b *model.MemberGain) int { return cmp.Compare(b.Gain.Gained, a.Gain.Gained) })
	return out, nil
}

// startAtJoining replaces the first values of those who joined the guild within a span by those at the time: of the
// day before, or if there are none, of the first day after.
func startAtJoining(ctx context.Context, list []gainer, found []values, s gainSpan) error {
	var joined []int
	var keys []loaders.HistoryKey
	for i, g := range list {
		if !g.joined.Before(s.from) {
			joined = append(joined, i)
			keys = append(keys, loaders.HistoryOf(mongo.RecordedPlayer, g.key, s.from, s.to))
		}
	}
	points, err := stored(loaders.Many(ctx, loaders.From(ctx).HistoryOf, keys))
	if err != nil {
		return err
	}
	for n, i := range joined {
		for _, p := range points[n] {
			if found[i].start == nil || p.At.Add(day).Before(*list[i].joined) {
				found[i].start = p.Values
			}
		}
	}
	return nil
}
