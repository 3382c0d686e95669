package resolvers

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/history"
	"gamedata/internal/leaderboard"
	"gamedata/loaders"
	"gamedata/mongo"
)

// gainBoards are what has boards of gains, and the metrics.
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
		at = new(q.now())
	}
	span, ok, err := q.period(ctx, period, *at, history.At)
	if !ok || err != nil {
		return nil, err
	}
	key := mongo.GainBoardKey{Of: ranked.of, Metric: string(metric), Period: period, From: span.From}
	board, err := stored(loaders.From(ctx).GainBoard.Load(ctx, key)())
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

// Entries returns a page of a board, without those who hide. A cursor has the position of an entry, not its name.
func (r gainBoardResolver) Entries(ctx context.Context, b *model.GainBoard, around *string, first *int, after *string,
	last *int, before *string,
) (*model.GainBoardEntryConnection, error) {
	args := pageArgs{first, last, after, before, nil}
	positions := make([]string, len(b.Ranks))
	for i := range positions {
		positions[i] = strconv.Itoa(i + 1)
	}
	if around != nil {
		if last != nil || after != nil || before != nil {
			return nil, graph.Errorf(graph.InvalidQueryParams, "Use around with first only.")
		}
		n := *cmp.Or(first, &r.pageSize)
		i := slices.IndexFunc(b.Ranks, func(rank model.GainRank) bool { return rank.UUID == *around })
		if i < 0 {
			return &model.GainBoardEntryConnection{Total: known(len(b.Ranks))}, nil
		}
		if from := loaders.Around(i+1, n, len(b.Ranks)) - 1; from > 0 {
			args.after = new(model.EncodeCursor(strconv.Itoa(from-1) + ":" + positions[from-1]))
		}
	}
	page, err := connect(positions, args, r.pageSize, func(position string) string { return position })
	if err != nil {
		return nil, err
	}
	return shownGains(ctx, b, page, around)
}

// shownGains returns a page with those who do not hide; an empty one if whom it is around does.
func shownGains(ctx context.Context, b *model.GainBoard, page *model.Connection[string], around *string) (
	*model.GainBoardEntryConnection, error,
) {
	entries := each(page.Items, func(position string) *model.GainBoardEntry {
		n, _ := strconv.Atoi(position) // of a rank
		return &model.GainBoardEntry{Position: n, Gained: b.Ranks[n-1].Gained}
	})
	uuids := each(entries, func(e *model.GainBoardEntry) string { return b.Ranks[e.Position-1].UUID })
	if err := addGainers(ctx, b.Kind, entries, uuids); err != nil {
		return nil, err
	}
	out := converted(page, func(string) *model.GainBoardEntry { return nil })
	out.Items = nil
	var places []int
	for i, e := range entries {
		if e.Player != nil || e.Guild != nil {
			out.Items, places = append(out.Items, e), append(places, i)
		} else if around != nil && uuids[i] == *around {
			return &model.GainBoardEntryConnection{Total: page.Total}, nil
		}
	}
	if n := len(entries); n > 0 {
		out.Start, out.End = page.Cursor(0), page.Cursor(n-1)
	}
	out.Cursor = func(i int) string { return page.Cursor(places[i]) }
	return out, nil
}

// addGainers adds the players or guilds to entries, except players who hide their history.
func addGainers(ctx context.Context, kind model.GainBoardKind, entries []*model.GainBoardEntry, uuids []string) error {
	if kind == model.GainBoardKindGuild {
		guilds, err := stored(loaders.Many(ctx, loaders.From(ctx).GuildByUUID, uuids))
		for i, g := range guilds {
			entries[i].Guild = g
		}
		return err
	}
	records, err := stored(loaders.Many(ctx, loaders.From(ctx).PlayerByUUID, uuids))
	if err != nil {
		return err
	}
	players, err := stored(visiblePlayers(ctx, records))
	for i, p := range players {
		if p != nil && !hidesDays(p) {
			entries[i].Player = p
		}
	}
	return err
}
