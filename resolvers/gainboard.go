package resolvers

import (
	"context"
	"slices"
	"sync"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/history"
	"gamedata/internal/leaderboard"
	"gamedata/loaders"
	"gamedata/mongo"
)

var gainBoards = map[model.GainBoardKind]struct {
	of      mongo.Recorded
	metrics []string
}{
	model.GainBoardKindPlayer: {mongo.RecordedPlayer, history.PlayerMetrics},
	model.GainBoardKindGuild:  {mongo.RecordedGuild, history.GuildMetrics},
}

func (q queryResolver) GainBoard(ctx context.Context, kind model.GainBoardKind, metric model.HistoryMetric,
	period model.Period, at *time.Time,
) (*model.GainBoard, error) {
	ranked := gainBoards[kind]
	if err := checkMetrics(ranked.of, ranked.metrics, metric); err != nil {
		return nil, err
	}
	if at == nil {
		at = new(q.Now())
	}
	span, ok, err := q.period(ctx, period, *at, history.At)
	if !ok || err != nil {
		return nil, err
	}
	board, err := storedGainBoard(ctx, kind, metric, period, span)
	if board != nil {
		board.Before = sync.OnceValues(func() (map[string]int, error) { return q.positionsBefore(ctx, board) })
	}
	return board, err
}

// storedGainBoard reads the board of a period; nil if there is none.
func storedGainBoard(ctx context.Context, kind model.GainBoardKind, metric model.HistoryMetric, period model.Period,
	span history.Span,
) (*model.GainBoard, error) {
	key := mongo.GainBoardKey{Of: gainBoards[kind].of, Metric: string(metric), Period: period, From: span.From}
	board, err := publicError(loaders.From(ctx).GainBoard.Load(ctx, key)())
	if err != nil || board == nil {
		return nil, err
	}
	keys, err := leaderboard.UnpackTop(board.Entries)
	if err != nil {
		return nil, err
	}
	out := &model.GainBoard{
		Kind: kind, Metric: metric, Unit: units[string(metric)], Period: period, StartedAt: span.From,
		Final: board.Final, RefreshedAt: board.At, Ranks: make([]model.GainRank, min(len(keys), leaderboard.MaxGains)),
	}
	if !span.To.IsZero() {
		out.EndsAt = &span.To
	}
	for i := range out.Ranks {
		out.Ranks[i] = model.GainRank{UUID: keys[i].UUID(), Gained: float64(keys[i].MetaScore()) / 100}
	}
	return out, nil
}

// gainBoardList is the name of a gain board in cursors.
const gainBoardList = "gain board"

// Entries returns a page of a board. A cursor contains the position of an entry, not its name.
func (r gainBoardResolver) Entries(ctx context.Context, b *model.GainBoard, page model.PageArgs, around *string) (
	*model.GainBoardEntryConnection, error,
) {
	w, err := newWindow(page, gainBoardList, r.PageSize)
	if err != nil {
		return nil, err
	}
	find := func(uuid string) (int, error) {
		at := slices.IndexFunc(b.Ranks, func(rank model.GainRank) bool { return rank.UUID == uuid })
		if at < 0 {
			return 0, nil
		}
		found, err := gainEntries(ctx, b, at+1, 1)
		if err != nil || found[0].Restricted() {
			return 0, err
		}
		return at + 1, nil
	}
	place := func(c *cursor) (before, upTo int, err error) { return c.Index, c.Index + 1, nil }
	p, err := w.ranks(around, len(b.Ranks), find, place)
	if err != nil {
		return nil, err
	}
	entries, err := gainEntries(ctx, b, p.first, p.n)
	return connectRanks(entries, p, func(i int) string {
		return cursor{List: gainBoardList, Index: entries[i].Position - 1}.encode()
	}), err
}

// gainEntries returns n entries of a board from a position on, with the players or guilds.
func gainEntries(ctx context.Context, b *model.GainBoard, first, n int) ([]*model.GainBoardEntry, error) {
	entries := make([]*model.GainBoardEntry, n)
	for i := range entries {
		entries[i] = &model.GainBoardEntry{Position: first + i, Gained: b.Ranks[first+i-1].Gained, Board: b}
	}
	return entries, addGainers(ctx, b.Kind, entries)
}

// Climbers returns the entries that climbed most since the period before, without hidden players.
func (gainBoardResolver) Climbers(ctx context.Context, b *model.GainBoard, first int) ([]*model.GainBoardEntry,
	error,
) {
	before, err := b.Before()
	if err != nil {
		return nil, err
	}
	climb := func(e *model.GainBoardEntry) int { return before[e.UUID()] - e.Position }
	entries := []*model.GainBoardEntry{}
	for i, rank := range b.Ranks {
		e := &model.GainBoardEntry{Position: i + 1, Gained: rank.Gained, Board: b}
		if climb(e) > 0 {
			entries = append(entries, e)
		}
	}
	slices.SortStableFunc(entries, func(a, b *model.GainBoardEntry) int { return climb(b) - climb(a) })
	err = addGainers(ctx, b.Kind, entries)
	shown := only(entries, func(e *model.GainBoardEntry) bool {
		return !e.Restricted() && !e.AddedAt().After(b.StartedAt)
	})
	return shown[:min(first, len(shown))], err
}

// PreviousPosition returns the position of an entry in the period before; nil without one, and when the entry is
// restricted: positions from several periods together could identify the player.
func (gainBoardEntryResolver) PreviousPosition(_ context.Context, e *model.GainBoardEntry) (*int, error) {
	if e.Restricted() || e.AddedAt().After(e.Board.StartedAt) {
		return nil, nil
	}
	before, err := e.Board.Before()
	if position := before[e.UUID()]; position > 0 {
		return &position, err
	}
	return nil, err
}

// positionsBefore returns each uuid's position at the end of the period before the board's.
func (r *root) positionsBefore(ctx context.Context, b *model.GainBoard) (map[string]int, error) {
	span, ok, err := r.period(ctx, b.Period, b.StartedAt, history.Before)
	if !ok || err != nil {
		return nil, err
	}
	board, err := storedGainBoard(ctx, b.Kind, b.Metric, b.Period, span)
	if board == nil || err != nil {
		return nil, err
	}
	out := make(map[string]int, leaderboard.TopSize)
	for i, rank := range board.Ranks[:min(len(board.Ranks), leaderboard.TopSize)] {
		out[rank.UUID] = i + 1
	}
	return out, nil
}

// addGainers adds the players or guilds to entries, except for players who hide their history, banned players, and
// records added after the entries.
func addGainers(ctx context.Context, kind model.GainBoardKind, entries []*model.GainBoardEntry) error {
	uuids := each(entries, (*model.GainBoardEntry).UUID)
	if kind == model.GainBoardKindGuild {
		guilds, err := publicError(loaders.Many(ctx, loaders.From(ctx).GuildByUUID, uuids))
		for i, g := range guilds {
			if g != nil && !g.AddedAt.After(entries[i].Board.RefreshedAt) {
				entries[i].Guild = g
			}
		}
		return err
	}
	records, err := publicError(loaders.Many(ctx, loaders.From(ctx).PlayerByUUID, uuids))
	if err != nil {
		return err
	}
	players, err := publicError(visiblePlayers(ctx, records))
	for i, p := range players {
		if p != nil && !p.Banned && !hidesDays(p) && !p.AddedAt.After(entries[i].Board.RefreshedAt) {
			entries[i].Player = p
		}
	}
	return err
}
