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

// guildRows presents guilds on boards of raids and seasons. A guild that was deleted is left out, unless it stays on
// the board of an ended season.
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
		if g == nil && !staysOn(b, &former[i]) {
			continue
		}
		r := row{BoardEntry: part[i], entry: guildEntry(b, part[i], g, former[i])}
		switch {
		case g != nil:
			r.addedAt = g.AddedAt
		case former[i] != nil:
			r.addedAt = former[i].AddedAt
		}
		out = append(out, r)
	}
	return out, nil
}

// staysOn reports whether a deleted guild stays on a board: it disbanded after the season ended, or it is unknown.
// Among several guilds with one uuid it picks the one that stays.
func staysOn(b *leaderboard.Board, former **model.FormerGuild) bool {
	if b.Season == nil || b.Season.EndsAt == nil || *former == nil {
		return b.Season != nil && b.Season.EndsAt != nil
	}
	*former = (*former).At(*b.Season.EndsAt)
	return *former != nil
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
type computedBoard struct {
	// count counts the guilds.
	count func() (int, error)
	// position returns the position of a guild, or 0 if the board lacks it.
	position func(*model.Guild) (int, error)
	// read reads n guilds from a position on.
	read func(first, n int) ([]*model.Guild, error)
	// score returns the number that ranks a guild.
	score func(*model.Guild) int64
}

func newComputedBoard(ctx context.Context, name string) (*computedBoard, error) {
	switch name {
	case leaderboard.GuildTerritories:
		return byTerritories(ctx)
	case leaderboard.GuildWars:
		return byRecord(ctx, mongo.GuildsByWars), nil
	}
	return byRecord(ctx, mongo.GuildsByLevel), nil
}

func countComputed(ctx context.Context, name string) (int, error) {
	c, err := newComputedBoard(ctx, name)
	if err != nil {
		return 0, err
	}
	return c.count()
}

func byRecord(ctx context.Context, order mongo.GuildOrder) *computedBoard {
	set := loaders.From(ctx)
	return &computedBoard{
		count: func() (int, error) { return set.RankedGuildCount.Load(ctx, order)() },
		position: func(g *model.Guild) (int, error) {
			if order.Number(g) <= 0 {
				return 0, nil
			}
			before, err := set.Store().Guilds.CountBefore(ctx, order, g)
			return before + 1, err
		},
		read:  func(first, n int) ([]*model.Guild, error) { return set.RankedGuilds(ctx, order, first, n) },
		score: order.Number,
	}
}

// byTerritories ranks the guilds that hold territories: most territories first, then by level, then by uuid.
func byTerritories(ctx context.Context) (*computedBoard, error) {
	held, err := loaders.From(ctx).Territories(ctx)
	if err != nil {
		return nil, err
	}
	found, err := loaders.Many(ctx, loaders.From(ctx).GuildByUUID, held.Holders())
	if err != nil {
		return nil, err
	}
	all := slices.DeleteFunc(found, func(g *model.Guild) bool { return g == nil })
	slices.SortFunc(all, func(a, b *model.Guild) int {
		return cmp.Or(cmp.Compare(len(held.ByGuild[b.UUID]), len(held.ByGuild[a.UUID])),
			cmp.Compare(b.Level, a.Level), strings.Compare(a.UUID, b.UUID))
	})
	return &computedBoard{
		count: func() (int, error) { return len(all), nil },
		position: func(near *model.Guild) (int, error) {
			return slices.IndexFunc(all, func(g *model.Guild) bool { return g.UUID == near.UUID }) + 1, nil
		},
		read: func(first, n int) ([]*model.Guild, error) {
			return all[min(first-1, len(all)):min(first-1+n, len(all))], nil
		},
		score: func(g *model.Guild) int64 { return int64(len(held.ByGuild[g.UUID])) },
	}, nil
}

func computedEntries(ctx context.Context, b *leaderboard.Board, w window, around *string) (
	*model.LeaderboardEntryConnection, error,
) {
	board, err := newComputedBoard(ctx, b.Name)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	count, err := board.count()
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	from, n, err := board.page(ctx, w, around, count)
	if err != nil {
		return nil, err
	}
	var guilds []*model.Guild
	if n > 0 {
		if guilds, err = board.read(from, n); err != nil {
			return nil, storeError(err, graph.ErrInternal)
		}
	}
	entries, err := recordEntries(ctx, b, board, from, guilds)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	return &model.LeaderboardEntryConnection{
		Items: entries, Before: from > 1, More: from > 0 && from+len(guilds) <= count,
		Cursor: func(i int) string {
			return cursor{List: leaderboardList, Index: from + i - 1, Position: mongo.Position{ID: guilds[i].UUID}}.encode()
		},
		Total: known(count),
	}, nil
}

// page returns the first position of a page and its number of guilds, or 0 if the board lacks the guild in around.
func (c *computedBoard) page(ctx context.Context, w window, around *string, count int) (first, n int, err error) {
	if around != nil {
		at, err := c.find(ctx, *around)
		if err != nil || at == 0 {
			return 0, 0, err
		}
		return loaders.Around(at, w.limit, count), w.limit, nil
	}
	from, to, err := w.slice(count, func(at *cursor) (int, int, error) { return c.place(ctx, at) })
	return from + 1, to - from, err
}

// place locates a cursor, which contains the index and the uuid of a guild.
func (c *computedBoard) place(ctx context.Context, at *cursor) (before, upTo int, err error) {
	if at.ID == "" {
		return 0, 0, errCursor
	}
	now, err := c.find(ctx, at.ID)
	if err != nil {
		return 0, 0, err
	}
	if now > 0 {
		return now - 1, now, nil
	}
	return at.Index, at.Index, nil
}

func (c *computedBoard) find(ctx context.Context, uuid string) (int, error) {
	g, err := loaders.From(ctx).GuildByUUID.Load(ctx, uuid)()
	if err != nil || g == nil {
		return stored(0, err)
	}
	return stored(c.position(g))
}

func recordEntries(ctx context.Context, b *leaderboard.Board, board *computedBoard, first int, guilds []*model.Guild) (
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
