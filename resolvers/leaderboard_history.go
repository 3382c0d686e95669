package resolvers

import (
	"cmp"
	"context"
	"slices"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/loaders"
)

const maxBoardHistory = 366 * day

// History returns the positions of a player or guild while it was among the first entries. It is empty for players
// hidden from the viewer, since the past would lead to the present entry, and for players who hide when they play.
func (r leaderboardResolver) History(ctx context.Context, l *model.Leaderboard, by model.LeaderboardSubject,
	from, to *time.Time,
) ([]*model.LeaderboardPoint, error) {
	begin, end, err := r.span(from, to, defaultHistory, maxBoardHistory)
	if err != nil {
		return nil, err
	}
	b, err := r.boardOf(ctx, l)
	switch {
	case err != nil:
		return nil, err
	case b.OfGuilds() && by.Guild == nil:
		return nil, graph.Errorf(graph.InvalidQueryParams, "This leaderboard is of guilds: give guild.")
	case !b.OfGuilds() && by.Player == nil:
		return nil, graph.Errorf(graph.InvalidQueryParams, "This leaderboard is of players: give player.")
	}
	uuid := cmp.Or(by.Guild, by.Player)
	added, shown, err := r.shownOn(ctx, b, *uuid, true)
	if err != nil || !shown {
		return nil, err
	}
	days, err := publicError(loaders.From(ctx).BoardTops(ctx, b.Name, begin, end))
	if err != nil {
		return nil, err
	}
	out := []*model.LeaderboardPoint{}
	for _, d := range days {
		i := slices.IndexFunc(d.Keys, func(k leaderboard.Key) bool { return k.UUID() == *uuid })
		if i >= 0 && !d.RefreshedAt.Before(added) {
			out = append(out, newPoint(b, d, i))
		}
	}
	return out, nil
}

func newPoint(b *leaderboard.Board, d loaders.BoardDay, i int) *model.LeaderboardPoint {
	meta := d.Keys[i].MetaScore()
	return &model.LeaderboardPoint{At: d.Day, Position: i + 1, Score: b.Score(meta), MetaScore: meta}
}

// Climbers returns the entries at the top of a board that gained most places, new entries last.
func (r leaderboardResolver) Climbers(ctx context.Context, l *model.Leaderboard, days, first int) (
	*model.Climbers, error,
) {
	b, err := r.boardOf(ctx, l)
	if err != nil || b.Computed() {
		return nil, err
	}
	now := r.Now()
	past, err := publicError(loaders.From(ctx).BoardTops(ctx, b.Name, now.Add(-time.Duration(days)*day), now.Add(-day)))
	if err != nil || len(past) == 0 {
		return nil, err
	}
	then := map[leaderboard.Key]int{}
	for i, k := range past[0].Keys {
		then[identity(b, k)] = i + 1
	}
	part, err := publicError(loaders.FirstEntries(ctx, b.Name, leaderboard.TopSize))
	if err != nil {
		return nil, err
	}
	gain := func(e loaders.BoardEntry) int { // 0 for a new entry
		before := cmp.Or(then[identity(b, e.Key)], e.Position)
		return before - e.Position
	}
	part = slices.DeleteFunc(part, func(e loaders.BoardEntry) bool {
		return then[identity(b, e.Key)] > 0 && gain(e) <= 0
	})
	slices.SortStableFunc(part, func(a, b loaders.BoardEntry) int { return cmp.Compare(gain(b), gain(a)) })
	rows, err := publicError(present(ctx, b, part))
	if err != nil {
		return nil, err
	}
	rows = only(withPast(rows), func(r row) bool {
		return gain(r.BoardEntry) == 0 || !past[0].RefreshedAt.Before(r.addedAt)
	})
	out := &model.Climbers{ComparedAt: past[0].Day, Entries: []*model.Climber{}}
	for _, r := range rows[:min(first, len(rows))] {
		c := &model.Climber{Entry: r.entry}
		if n := gain(r.BoardEntry); n > 0 {
			c.PreviousPosition, c.Gained = new(r.Position+n), &n
		}
		out.Entries = append(out.Entries, c)
	}
	return out, nil
}

// Positions returns the past positions of the entries now at the top, without players who hide them.
func (r leaderboardResolver) Positions(ctx context.Context, l *model.Leaderboard, first int, from, to *time.Time) (
	[]*model.LeaderboardPositions, error,
) {
	begin, end, err := r.span(from, to, defaultHistory, maxBoardHistory)
	if err != nil {
		return nil, err
	}
	b, err := r.boardOf(ctx, l)
	switch {
	case err != nil:
		return nil, err
	case b.Computed():
		return []*model.LeaderboardPositions{}, nil
	}
	days, err := publicError(loaders.From(ctx).BoardTops(ctx, b.Name, begin, end))
	if err != nil {
		return nil, err
	}
	rows, err := firstRows(ctx, b, first)
	if err != nil {
		return nil, err
	}
	rows = withPast(rows)
	index := map[leaderboard.Key]int{}
	out := make([]*model.LeaderboardPositions, len(rows))
	for i, r := range rows {
		index[identity(b, r.Key)] = i
		out[i] = &model.LeaderboardPositions{Entry: r.entry, Points: []*model.LeaderboardPoint{}}
	}
	for _, d := range days {
		for i, k := range d.Keys {
			if n, ok := index[identity(b, k)]; ok && !d.RefreshedAt.Before(rows[n].addedAt) {
				out[n].Points = append(out[n].Points, newPoint(b, d, i))
			}
		}
	}
	return out, nil
}

// identity returns the stable part of a key: without the score, and without the character on boards with one entry per
// player.
func identity(b *leaderboard.Board, k leaderboard.Key) leaderboard.Key {
	clear(k[:8])
	if b.Kind != model.LeaderboardKindGamemode {
		clear(k[24:])
	}
	return k
}
