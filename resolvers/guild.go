package resolvers

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/loaders"
)

const maxGuildName = 128 // bytes

var prefixForm = regexp.MustCompile(`^[0-9A-Za-z]{1,4}$`)

func (q queryResolver) Guild(ctx context.Context, by model.GuildBy) (*model.Guild, error) {
	switch {
	case by.UUID != nil:
		return q.guild(ctx, *by.UUID)
	case by.Prefix != nil:
		return guildByPrefix(ctx, *by.Prefix)
	case *by.Name == "" || len(*by.Name) > maxGuildName:
		return nil, nil
	}
	return publicError(loaders.From(ctx).GuildByName.Load(ctx, *by.Name)())
}

// guildByPrefix returns the guild with a prefix. If several differ only in case, the prefix must match exactly.
func guildByPrefix(ctx context.Context, prefix string) (*model.Guild, error) {
	if !prefixForm.MatchString(prefix) {
		return nil, graph.ErrMalformedPrefix
	}
	all, err := loaders.From(ctx).GuildsByPrefix.Load(ctx, prefix)()
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	if exact := only(all, func(g *model.Guild) bool { return g.Prefix == prefix }); len(exact) > 0 {
		all = exact
	}
	switch len(all) {
	case 0:
		return nil, nil
	case 1:
		return all[0], nil
	}
	return nil, graph.ErrMultiple(guildCandidates(all))
}

// guildCandidate is a guild in the error of an ambiguous prefix.
type guildCandidate struct {
	UUID   string `json:"uuid"`
	Name   string `json:"name"`
	Prefix string `json:"prefix"`
}

func guildCandidates(found []*model.Guild) []any {
	found = slices.SortedFunc(slices.Values(found), func(a, b *model.Guild) int { return strings.Compare(a.UUID, b.UUID) })
	return each(found, func(g *model.Guild) any { return guildCandidate{g.UUID, g.Name, g.Prefix} })
}

// OnlineCount uses the same loader as Members.
func (guildResolver) OnlineCount(ctx context.Context, g *model.Guild) (*int, error) {
	players, relations, err := playersOf(ctx, g)
	if err != nil {
		return nil, err
	}
	n := 0
	for _, p := range players {
		if showsOnline(p, relations.with(p)) {
			n++
		}
	}
	return &n, nil
}

// playersOf returns the records of a guild's members and the viewer's relations to them.
func playersOf(ctx context.Context, g *model.Guild) ([]*model.Player, viewerRelations, error) {
	players, err := loaders.From(ctx).PlayersByGuild.Load(ctx, g.UUID)()
	if err != nil {
		return nil, viewerRelations{}, storeError(err, graph.ErrPlayerNotBuilt)
	}
	relations, err := loadRelations(ctx, players...)
	return players, relations, err
}

// guild returns a guild, or nil if the uuid is unknown. Access rules protect members, not guilds.
func (*root) guild(ctx context.Context, uuid string) (*model.Guild, error) {
	return publicError(loaders.From(ctx).GuildByUUID.Load(ctx, uuid)())
}

func (guildResolver) Ranking(ctx context.Context, g *model.Guild) ([]*model.RankPosition, error) {
	return currentRanking(ctx, loaders.From(ctx).GuildRanking, g.UUID, g.Ranking)
}

func (guildResolver) RankMovement(ctx context.Context, g *model.Guild) ([]*model.RankMovement, error) {
	now, err := guildResolver{}.Ranking(ctx, g)
	return rankMovement(now, g.PreviousRanking), err
}

func (q queryResolver) GuildSeasons(ctx context.Context, page model.PageArgs, filter *model.GuildSeasonFilter) (
	*model.GuildSeasonConnection, error,
) {
	seasons, err := loaders.From(ctx).Seasons.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	now := q.Now()
	list := only(seasons.All, func(s *model.GuildSeason) bool {
		running := s.EndsAt == nil || now.Before(*s.EndsAt)
		return leaderboard.SeasonStarted(s, now) && (filter == nil ||
			(filter.Numbers == nil || slices.Contains(filter.Numbers, s.Number)) &&
				(filter.Running == nil || *filter.Running == running))
	})
	graph.NoteMissing(ctx, filter != nil && len(list) < len(filter.Numbers))
	return connect(list, page, q.PageSize, func(s *model.GuildSeason) string { return strconv.Itoa(s.Number) })
}

func (q queryResolver) GuildSeason(ctx context.Context, by model.GuildSeasonBy) (*model.GuildSeason, error) {
	s, err := q.guildSeason(ctx, *by.Number)
	if s != nil || err != nil {
		return s, err
	}
	seasons, err := publicError(loaders.From(ctx).Seasons.Load(ctx))
	if err != nil {
		return nil, err
	}
	begun := only(seasons.All, func(s *model.GuildSeason) bool { return leaderboard.SeasonStarted(s, q.Now()) })
	return nil, unknownSeason(each(begun, func(s *model.GuildSeason) int { return s.Number }), *by.Number)
}

// unknownSeason returns the error for an unknown season number. It suggests the nearest number.
func unknownSeason(known []int, number int) error {
	e := graph.Errorf(graph.NotFound, "There is no such season.")
	if len(known) > 0 {
		distance := func(a, b int) int { return cmp.Compare(max(a-number, number-a), max(b-number, number-b)) }
		nearest := strconv.Itoa(slices.MinFunc(known, distance))
		e.Detail += " Did you mean " + nearest + "?"
		e.Suggestions = []string{nearest}
	}
	return e
}

// guildSeason returns a season that has begun, or nil if the number is unknown.
func (r *root) guildSeason(ctx context.Context, number int) (*model.GuildSeason, error) {
	seasons, err := loaders.From(ctx).Seasons.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	if s := seasons.ByKey[number]; s != nil && leaderboard.SeasonStarted(s, r.Now()) {
		return s, nil
	}
	return nil, nil
}
