package resolvers

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/loaders"
	"gamedata/mongo"
)

// guildEntries presents guilds on boards of raids and seasons.
func guildEntries(ctx context.Context, b *leaderboard.Board, part *loaders.BoardPart) (
	[]model.LeaderboardEntry, error,
) {
	set, uuids := loaders.From(ctx), each(part.Keys, leaderboard.Key.UUID)
	guilds, err := loaders.Many(ctx, set.GuildByUUID, uuids)
	if err != nil {
		return nil, err
	}
	former := make([]*model.FormerGuild, len(guilds))
	if b.Season != nil && slices.Contains(guilds, nil) {
		if former, err = set.FormerGuilds(ctx, uuids); err != nil {
			return nil, err
		}
	}
	out := make([]model.LeaderboardEntry, len(guilds))
	for i, g := range guilds {
		out[i] = guildEntry(b, part.First+i, part.Keys[i].MetaScore(), g, former[i])
	}
	return out, nil
}

// guildEntry returns the entry of a guild. One that was deleted keeps its position until the next refresh, and on the
// board of an ended season always, with the name that it had if it was disbanded.
func guildEntry(b *leaderboard.Board, position int, score int64, g *model.Guild, former *model.FormerGuild,
) model.LeaderboardEntry {
	e := model.GuildRaidEntry{Position: position, Score: score, MetaScore: score, Rank: new("")}
	switch {
	case g != nil:
		e.Name, e.UUID, e.Guild = &g.Name, &g.UUID, g
	case former != nil:
		g = &model.Guild{Prefix: former.Prefix, Banner: former.Banner}
		e.Name, e.UUID = &former.Name, &former.UUID
	default:
		g = &model.Guild{}
	}
	e.Prefix, e.Banner, e.PreviousRanking = g.Prefix, g.Banner, positionOn(b, g.PreviousRanking)
	e.Movement = gained(position, e.PreviousRanking)
	e.Metadata = b.Describe(leaderboard.Subject{Guild: g}, position)
	if b.Name == leaderboard.TotalRaids {
		e.TotalRaids = &e.Score
	}
	if b.Season == nil {
		return &e
	}
	return &model.GuildSeasonEntry{
		Position: position, Name: e.Name, UUID: e.UUID, Prefix: e.Prefix, Score: score, MetaScore: score,
		PreviousRanking: e.PreviousRanking, Metadata: e.Metadata, Banner: e.Banner, Movement: e.Movement, Guild: e.Guild,
	}
}

// computedBoard returns a board of guilds ordered by a number of their records.
func computedBoard(ctx context.Context, b *leaderboard.Board, first int, around *string) (*model.Leaderboard, error) {
	set := loaders.From(ctx)
	held, err := set.Territories(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	var near *model.Guild
	if around != nil {
		if near, err = found(set.GuildByUUID.Load(ctx, *around)()); err != nil {
			return nil, err
		}
	}
	var part guildPart
	switch b.Name {
	case leaderboard.GuildTerritories:
		part, err = byTerritories(ctx, held, first, near)
	case leaderboard.GuildWars:
		part, err = byRecord(ctx, mongo.GuildsByWars, first, near)
	default:
		part, err = byRecord(ctx, mongo.GuildsByLevel, first, near)
	}
	if err != nil {
		return nil, err
	}
	entries, err := recordEntries(ctx, held, part)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	return &model.Leaderboard{Type: b.Name, Kind: b.Kind, Count: part.count, Entries: entries}, nil
}

// guildPart has consecutive guilds of a board; first is the position of the first one.
type guildPart struct {
	first, count int
	guilds       []*model.Guild
}

func byRecord(ctx context.Context, order mongo.GuildOrder, n int, near *model.Guild) (guildPart, error) {
	set, part := loaders.From(ctx), guildPart{first: 1}
	var err error
	if part.count, err = set.CountRankedGuilds(ctx, order); err != nil {
		return part, storeError(err, graph.ErrInternal)
	}
	if near != nil {
		if order.Number(near) <= 0 {
			return part, graph.ErrNotFound
		}
		before, err := set.CountGuildsBefore(ctx, order, near)
		if err != nil {
			return part, storeError(err, graph.ErrInternal)
		}
		part.first = loaders.Around(before+1, n, part.count)
	}
	part.guilds, err = stored(set.RankedGuilds(ctx, order, part.first, n))
	return part, err
}

// byTerritories ranks the guilds that hold territories: most first, equal ones by level, then by uuid.
func byTerritories(ctx context.Context, held *loaders.Territories, n int, near *model.Guild) (guildPart, error) {
	part := guildPart{first: 1}
	found, err := loaders.Many(ctx, loaders.From(ctx).GuildByUUID, held.Holders())
	if err != nil {
		return part, storeError(err, graph.ErrInternal)
	}
	all := slices.DeleteFunc(found, func(g *model.Guild) bool { return g == nil })
	slices.SortFunc(all, func(a, b *model.Guild) int {
		return cmp.Or(cmp.Compare(len(held.ByGuild[b.UUID]), len(held.ByGuild[a.UUID])),
			cmp.Compare(b.Level, a.Level), strings.Compare(a.UUID, b.UUID))
	})
	part.count = len(all)
	if near != nil {
		at := slices.IndexFunc(all, func(g *model.Guild) bool { return g.UUID == near.UUID })
		if at < 0 {
			return part, graph.ErrNotFound
		}
		part.first = loaders.Around(at+1, n, len(all))
	}
	part.guilds = all[part.first-1 : min(part.first-1+n, len(all))]
	return part, nil
}

func recordEntries(ctx context.Context, held *loaders.Territories, part guildPart) ([]model.LeaderboardEntry, error) {
	uuids := each(part.guilds, func(g *model.Guild) string { return g.UUID })
	members, err := loaders.From(ctx).CountMembers(ctx, uuids)
	if err != nil {
		return nil, err
	}
	out := make([]model.LeaderboardEntry, len(part.guilds))
	for i, g := range part.guilds {
		out[i] = &model.GuildRecordEntry{
			Position: part.first + i, Name: &g.Name, UUID: &g.UUID, Prefix: g.Prefix, Level: g.Level, Xp: g.XPPercent,
			Territories: len(held.ByGuild[g.UUID]), Wars: g.Wars, Members: members[i], Created: g.Created,
			Banner: g.Banner, Guild: g,
		}
	}
	return out, nil
}
