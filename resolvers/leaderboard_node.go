package resolvers

import (
	"context"
	"strconv"
	"strings"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/loaders"
)

// readEntries reads entries of leaderboards. An id that names a player whom the board hides from the viewer has none:
// the id of that entry is another one.
func readEntries(r *root, ctx context.Context, keys []string) ([]model.Node, error) {
	ids := map[string][]model.EntryKey{} // by board
	for _, key := range keys {
		board, id, _ := strings.Cut(key, "/")
		k := model.EntryKey{Board: board}
		if n, err := strconv.Atoi(id); err == nil && n > 0 {
			k.Position = n
		} else {
			k.UUID, k.Character, _ = strings.Cut(id, "/")
		}
		ids[board] = append(ids[board], k)
	}
	found := map[string]model.Node{}
	for name, list := range ids {
		b, err := r.board(ctx, name)
		if err != nil {
			return nil, err
		}
		if b == nil {
			continue
		}
		entries, err := r.entriesByKey(ctx, b, list)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if e, ok := e.(interface{ ID() string }); ok {
				found[e.ID()] = e.(model.Node)
			}
		}
	}
	out := make([]model.Node, len(keys))
	for i, key := range keys {
		if e := found[model.GlobalID("LeaderboardEntry", key)]; e != nil {
			out[i] = e
		}
	}
	return out, nil
}

// entriesByKey reads entries of a board. Others may be among them.
func (r *root) entriesByKey(ctx context.Context, b *leaderboard.Board, ids []model.EntryKey) ([]model.LeaderboardEntry, error) {
	var uuids []string
	var positions []int
	for _, k := range ids {
		if k.UUID == "" {
			positions = append(positions, k.Position)
		} else {
			uuids = append(uuids, k.UUID)
		}
	}
	if b.Computed() {
		return r.guildRecords(ctx, b, uuids)
	}
	keys, err := loaders.From(ctx).BoardKeys(ctx, b, uuids)
	if err != nil {
		return stored[[]model.LeaderboardEntry](nil, err)
	}
	var part []loaders.BoardEntry
	if err := loaders.From(ctx).ReadBoard(ctx, b.Name, func(board *loaders.Board) (err error) {
		if part, err = board.Find(keys); err != nil {
			return err
		}
		for _, at := range positions {
			one, err := board.Entries(at, 1)
			if err != nil {
				return err
			}
			part = append(part, one...)
		}
		return nil
	}); err != nil {
		return stored[[]model.LeaderboardEntry](nil, err)
	}
	return presentEntries(ctx, b, part)
}

// guildRecords returns the entries of guilds on a computed board.
func (r *root) guildRecords(ctx context.Context, b *leaderboard.Board, uuids []string) ([]model.LeaderboardEntry, error) {
	board, err := newComputedBoard(ctx, b.Name)
	if err != nil {
		return stored[[]model.LeaderboardEntry](nil, err)
	}
	var out []model.LeaderboardEntry
	for _, uuid := range uuids {
		at, err := board.find(ctx, uuid)
		if err != nil {
			return nil, err
		}
		if at == 0 {
			continue
		}
		g, err := r.guild(ctx, uuid)
		if err != nil {
			return nil, err
		}
		one, err := recordEntries(ctx, b, board, at, []*model.Guild{g})
		if err != nil {
			return stored[[]model.LeaderboardEntry](nil, err)
		}
		out = append(out, one...)
	}
	return out, nil
}
