package resolvers

import (
	"cmp"
	"context"
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

// gainSpan is the time over which gains are counted. It begins at the start of a day, and ends with a day or now.
type gainSpan struct {
	from, to time.Time
	running  bool // the span ends now, with the current values
}

// gainSpan returns the requested span, or false if a season is requested and there is none.
func (r *root) gainSpan(ctx context.Context, over model.GainSpan) (s gainSpan, ok bool, err error) {
	now := r.Now().UTC().Truncate(time.Minute) // one span for the whole operation, so that gains are read together
	if over.Between != nil {
		s, err = spanBetween(*over.Between, now)
		return s, true, err
	}
	period, find := over.Current, history.At
	if period == nil {
		period, find = over.Previous, history.Before
	}
	found, ok, err := r.period(ctx, *period, now, find)
	if over.Current != nil {
		return gainSpan{found.From, now, true}, ok, err
	}
	return gainSpan{found.From, found.To, false}, ok, err
}

// period finds the period at a time, or the one before it.
func (r *root) period(ctx context.Context, p model.Period, at time.Time,
	find func(model.Period, time.Time, []*model.GuildSeason) (history.Span, bool),
) (history.Span, bool, error) {
	var seasons []*model.GuildSeason
	if p == model.PeriodSeason {
		all, err := publicError(loaders.From(ctx).Seasons.Load(ctx))
		if err != nil {
			return history.Span{}, false, err
		}
		seasons = all.All
	}
	s, ok := find(p, at, seasons)
	return s, ok, nil
}

func spanBetween(r model.DateTimeRange, now time.Time) (gainSpan, error) {
	to := now
	if r.To != nil && r.To.Before(now) {
		to = *r.To
	}
	switch {
	case r.From == nil:
		return gainSpan{}, graph.Errorf(graph.InvalidQueryParams, "between needs the time from which gains are counted.")
	case r.From.After(to) || !r.From.Before(now):
		return gainSpan{}, graph.Errorf(graph.InvalidQueryParams, "from may not be after to, and must be before now.")
	case to.Sub(*r.From) > maxGain:
		return gainSpan{}, graph.Errorf(graph.InvalidQueryParams, "from and to may be at most %d days apart.",
			int(maxGain/day))
	}
	return spanUntil(*r.From, to.Add(1), now), nil // a day that begins with to is included
}

// spanUntil returns the span of whole days between two times in the past.
func spanUntil(from, to, now time.Time) gainSpan {
	s := gainSpan{from: from.UTC().Truncate(day), to: to.UTC().Add(day - 1).Truncate(day)}
	if s.to.After(now) {
		s.to, s.running = now, true
	}
	return s
}

// values holds a gainer's numbers at both ends of a span; nil where unknown.
type values struct{ start, end map[string]float64 }

// valuesOver reads the values of gainers at both ends of a span.
func valuesOver(ctx context.Context, of mongo.Recorded, list []history.Gainer, s gainSpan) ([]values, error) {
	at := func(at time.Time) ([]map[string]float64, error) {
		keys := each(list, func(g history.Gainer) loaders.HistoryKey { return loaders.ValuesAt(of, g.Key, at) })
		return publicError(loaders.Many(ctx, loaders.From(ctx).ValuesAt, keys))
	}
	start, err := at(s.from)
	if err != nil {
		return nil, err
	}
	end := each(list, func(g history.Gainer) map[string]float64 { return g.Now })
	if !s.running {
		if end, err = at(s.to); err != nil {
			return nil, err
		}
	}
	out := make([]values, len(list))
	for i, g := range list {
		out[i] = values{g.Start(start[i], end[i], s.from, s.to), end[i]}
	}
	return out, nil
}

// gain returns the gain of a metric, or nil if either value is unknown.
func (v values) gain(metric string, s gainSpan) *model.Gain {
	gained, ok := history.Gained(metric, v.start, v.end)
	if !ok {
		return nil
	}
	return &model.Gain{
		Metric: model.HistoryMetric(metric), Unit: units[metric], StartedAt: s.from, EndedAt: s.to,
		StartValue: v.start[metric], EndValue: v.end[metric], Gained: gained,
	}
}

// gains returns the gains of a player or guild in the chosen metrics; nil chooses all.
func (r *root) gains(ctx context.Context, of mongo.Recorded, g history.Gainer, metrics []string,
	chosen []model.HistoryMetric, over model.GainSpan,
) ([]*model.Gain, error) {
	if err := checkMetrics(of, metrics, chosen...); err != nil {
		return nil, err
	}
	out := []*model.Gain{}
	s, ok, err := r.gainSpan(ctx, over)
	if !ok || err != nil {
		return out, err
	}
	found, err := valuesOver(ctx, of, []history.Gainer{g}, s)
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

// Gains returns a player's gains unless they are hidden now.
func (r playerResolver) Gains(ctx context.Context, p *model.Player, metrics []model.HistoryMetric, over model.GainSpan,
) ([]*model.Gain, error) {
	if hidesDays(p) {
		return nil, nil
	}
	return r.gains(ctx, mongo.RecordedPlayer, history.PlayerGainer(p), history.PlayerMetrics, metrics, over)
}

func (r guildResolver) Gains(ctx context.Context, g *model.Guild, metrics []model.HistoryMetric, over model.GainSpan,
) ([]*model.Gain, error) {
	set := loaders.From(ctx)
	members := set.MemberCount.Load(ctx, g.UUID)
	territories, err := r.TerritoryCount(ctx, g)
	if err != nil {
		return nil, err
	}
	count, err := publicError(members())
	if err != nil {
		return nil, err
	}
	of := history.GuildGainer(g, count, *territories)
	return r.gains(ctx, mongo.RecordedGuild, of, history.GuildMetrics, metrics, over)
}

// MemberGains returns the gains of the guild members whose history the viewer may see.
func (r guildResolver) MemberGains(ctx context.Context, g *model.Guild, page model.PageArgs,
	metric model.HistoryMetric, over model.GainSpan, filter *model.GuildMemberFilter,
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
	return connect(list, page, r.PageSize, func(m *model.MemberGain) string { return m.Member.UUID })
}

func (r guildResolver) memberGains(ctx context.Context, g *model.Guild, metric string, s gainSpan,
	filter *model.GuildMemberFilter,
) ([]*model.MemberGain, error) {
	players, relations, err := playersOf(ctx, g)
	if err != nil {
		return nil, err
	}
	var members []*model.GuildMember
	var gainers []history.Gainer
	for _, m := range membersOf(g, players, relations) {
		shown := m.show(g)
		if hidesDays(shown.Player) || !m.matches(filter) || !m.part.JoinedAt.Before(s.to) {
			continue
		}
		of := history.PlayerGainer(m.record)
		of.Joined = &m.part.JoinedAt
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

// startAtJoining counts the gains of members who joined during the span from the day before they joined. If that day
// has no value, it counts from the first day after.
func startAtJoining(ctx context.Context, list []history.Gainer, found []values, s gainSpan) error {
	var joined []int
	var keys []loaders.HistoryKey
	for i, g := range list {
		if !g.Joined.Before(s.from) {
			joined = append(joined, i)
			keys = append(keys, loaders.HistoryOf(mongo.RecordedPlayer, g.Key, s.from, s.to))
		}
	}
	points, err := publicError(loaders.Many(ctx, loaders.From(ctx).HistoryOf, keys))
	if err != nil {
		return err
	}
	for n, i := range joined {
		for _, p := range points[n] {
			if found[i].start == nil || p.At.Add(day).Before(*list[i].Joined) {
				found[i].start = p.Values
			}
		}
	}
	return nil
}
