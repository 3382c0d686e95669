package resolvers

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/loaders"
	"gamedata/mongo"
)

// guildRows presents guilds on boards of raids and seasons. It leaves out deleted guilds, except guilds on the board
// of an ended season that disbanded later or that are unknown.
func guildRows(ctx context.Context, b *leaderboard.Board, part []loaders.BoardEntry) ([]row, error) {
	set, uuids := loaders.From(ctx), each(part, entryUUID)
	guilds, err := loaders.Many(ctx, set.GuildByUUID, uuids)
	if err != nil {
		return nil, err
	}
	for i, g := range guilds {
		if g != nil && !isOf(b, part[i], g.AddedAt) {
			guilds[i] = nil
		}
	}
	former := make([]*model.FormerGuild, len(guilds))
	if b.Season != nil && slices.Contains(guilds, nil) {
		if former, err = set.FormerGuilds(ctx, uuids); err != nil {
			return nil, err
		}
	}
	out := make([]row, 0, len(guilds))
	for i, g := range guilds {
		r, disbanded := row{BoardEntry: part[i]}, former[i]
		switch {
		case g != nil:
			r.addedAt = g.AddedAt
		case b.Season == nil || b.Season.EndsAt == nil:
			continue
		case disbanded != nil:
			if disbanded = disbanded.At(*b.Season.EndsAt); disbanded == nil {
				continue
			}
			r.addedAt = disbanded.AddedAt
		}
		r.entry = guildEntry(b, part[i], g, disbanded)
		out = append(out, r)
	}
	return out, nil
}

// guildEntry returns the entry of a guild, or of a former guild under its last name.
func guildEntry(b *leaderboard.Board, at loaders.BoardEntry, g *model.Guild, former *model.FormerGuild,
) model.LeaderboardEntry {
	score := at.Key.MetaScore()
	e := model.GuildRaidEntry{
		Position: at.Position, Score: score, MetaScore: score,
		EntryKey: model.EntryKey{Board: b.Name, UUID: at.Key.UUID()},
	}
	switch {
	case g != nil:
		e.Name, e.UUID, e.Guild = &g.Name, &g.UUID, g
	case former != nil:
		g = &model.Guild{Prefix: former.Prefix, Banner: former.Banner}
		e.Name, e.UUID = &former.Name, &former.UUID
	default:
		g = &model.Guild{}
	}
	e.Prefix, e.Banner, e.PreviousPosition = g.Prefix, g.Banner, positionOn(b, g.PreviousRanking)
	e.Movement = gained(at.Position, e.PreviousPosition)
	e.Metadata = b.Describe(leaderboard.Subject{Guild: g}, score)
	if b.Name == leaderboard.TotalRaids {
		e.TotalRaids = &e.Score
	}
	if b.Season == nil {
		return &e
	}
	return &model.GuildSeasonEntry{
		Position: at.Position, Name: e.Name, UUID: e.UUID, Prefix: e.Prefix, Score: score, MetaScore: score,
		PreviousPosition: e.PreviousPosition, Metadata: e.Metadata, Banner: e.Banner, Movement: e.Movement, Guild: e.Guild,
		Season: b.Season, EntryKey: e.EntryKey,
	}
}

// computedBoard ranks guilds by a number in their current records.
type computedBoard interface {
	count(context.Context) (int, error)
	// position returns the position of a guild, or 0 if the board lacks it.
	position(context.Context, *model.Guild) (int, error)
	// read reads n guilds from a position on.
	read(ctx context.Context, first, n int) ([]*model.Guild, error)
	// score returns the number that ranks a guild.
	score(*model.Guild) int64
}

func newComputedBoard(ctx context.Context, name string) (computedBoard, error) {
	switch name {
	case leaderboard.GuildTerritories:
		return newTerritoryBoard(ctx)
	case leaderboard.GuildWars:
		return recordBoard{mongo.GuildsByWars}, nil
	}
	return recordBoard{mongo.GuildsByLevel}, nil
}

// recordBoard ranks guilds in an order of the store.
type recordBoard struct{ order mongo.GuildOrder }

func (r recordBoard) count(ctx context.Context) (int, error) {
	return loaders.From(ctx).RankedGuildCount.Load(ctx, r.order)()
}

func (r recordBoard) position(ctx context.Context, g *model.Guild) (int, error) {
	if r.score(g) <= 0 {
		return 0, nil
	}
	before, err := loaders.From(ctx).Store().Guilds.CountBefore(ctx, r.order, g)
	return before + 1, err
}

func (r recordBoard) read(ctx context.Context, first, n int) ([]*model.Guild, error) {
	return loaders.From(ctx).RankedGuilds(ctx, r.order, first, n)
}

func (r recordBoard) score(g *model.Guild) int64 { return r.order.Number(g) }

// territoryBoard ranks the guilds that hold territories: most territories first, then by level, then by uuid.
type territoryBoard struct {
	all  []*model.Guild
	held map[string][]*model.Territory
}

func newTerritoryBoard(ctx context.Context) (t territoryBoard, err error) {
	territories, err := loaders.From(ctx).Territories(ctx)
	if err != nil {
		return t, err
	}
	found, err := loaders.Many(ctx, loaders.From(ctx).GuildByUUID, territories.Holders())
	t.held = territories.ByGuild
	t.all = slices.DeleteFunc(found, func(g *model.Guild) bool { return g == nil })
	slices.SortFunc(t.all, func(a, b *model.Guild) int {
		return cmp.Or(cmp.Compare(t.score(b), t.score(a)), cmp.Compare(b.Level, a.Level), strings.Compare(a.UUID, b.UUID))
	})
	return t, err
}

func (t territoryBoard) count(context.Context) (int, error) { return len(t.all), nil }

func (t territoryBoard) position(_ context.Context, of *model.Guild) (int, error) {
	return slices.IndexFunc(t.all, func(g *model.Guild) bool { return g.UUID == of.UUID }) + 1, nil
}

func (t territoryBoard) read(_ context.Context, first, n int) ([]*model.Guild, error) {
	return t.all[min(first-1, len(t.all)):min(first-1+n, len(t.all))], nil
}

func (t territoryBoard) score(g *model.Guild) int64 { return int64(len(t.held[g.UUID])) }

func computedEntries(ctx context.Context, b *leaderboard.Board, w window, around *string) (
	*model.LeaderboardEntryConnection, error,
) {
	board, err := newComputedBoard(ctx, b.Name)
	if err != nil {
		return nil, err
	}
	count, err := board.count(ctx)
	if err != nil {
		return nil, err
	}
	find := func(uuid string) (int, error) {
		_, position, err := guildOn(ctx, board, uuid)
		return position, err
	}
	p, err := w.ranks(around, count, find, func(c *cursor) (before, upTo int, err error) {
		if c.ID == "" {
			return 0, 0, errCursor
		}
		if position, err := find(c.ID); position > 0 || err != nil {
			return position - 1, position, err
		}
		return c.Index, c.Index, nil
	})
	if err != nil {
		return nil, err
	}
	var guilds []*model.Guild
	if p.n > 0 {
		if guilds, err = board.read(ctx, p.first, p.n); err != nil {
			return nil, err
		}
	}
	p.n = len(guilds)
	entries, err := recordEntries(ctx, b, board, p.first, guilds)
	return connectRanks(entries, p, func(i int) string {
		at := mongo.Position{ID: guilds[i].UUID}
		return cursor{List: leaderboardList, Index: p.first + i - 1, Position: at}.encode()
	}), err
}

// guildOn returns a guild and its position, or 0 if the board lacks it.
func guildOn(ctx context.Context, board computedBoard, uuid string) (g *model.Guild, position int, err error) {
	g, err = loaders.From(ctx).GuildByUUID.Load(ctx, uuid)()
	if err == nil && g != nil {
		position, err = board.position(ctx, g)
	}
	return g, position, err
}

func recordEntries(ctx context.Context, b *leaderboard.Board, board computedBoard, first int, guilds []*model.Guild) (
	[]model.LeaderboardEntry, error,
) {
	out := make([]model.LeaderboardEntry, len(guilds))
	if len(guilds) == 0 {
		return out, nil
	}
	held, err := loaders.From(ctx).Territories(ctx)
	if err != nil {
		return nil, err
	}
	uuids := each(guilds, func(g *model.Guild) string { return g.UUID })
	members, err := loaders.Many(ctx, loaders.From(ctx).MemberCount, uuids)
	if err != nil {
		return nil, err
	}
	for i, g := range guilds {
		score := board.score(g)
		out[i] = &model.GuildRecordEntry{
			Position: first + i, Name: &g.Name, UUID: &g.UUID, Score: score, MetaScore: score,
			Metadata: &model.LeaderboardMetadata{}, Prefix: g.Prefix, Banner: g.Banner, Guild: g, Level: g.Level,
			Territories: len(held.ByGuild[g.UUID]), Wars: g.Wars, Members: members[i],
			EntryKey: model.EntryKey{Board: b.Name, UUID: g.UUID},
		}
	}
	return out, nil
}
