package loaders

import (
	"context"
	"time"

	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// HistoryKey selects the history of a player, guild or season between two times, both included.
type HistoryKey struct {
	Of       mongo.Recorded
	Key      string
	From, To int64 // milliseconds since 1970
}

// HistoryOf returns the key of a history.
func HistoryOf(of mongo.Recorded, key string, from, to time.Time) HistoryKey {
	return HistoryKey{of, key, from.UnixMilli(), to.UnixMilli()}
}

// histories reads histories with one command per kind.
func (s *Source) histories(ctx context.Context, keys []HistoryKey) ([][]mongo.HistoryPoint, error) {
	return grouped(keys, func(k HistoryKey) (mongo.Recorded, mongo.HistorySpan) {
		return k.Of, mongo.HistorySpan{Key: k.Key, From: time.UnixMilli(k.From).UTC(), To: time.UnixMilli(k.To).UTC()}
	}, func(of mongo.Recorded, spans []mongo.HistorySpan) ([][]mongo.HistoryPoint, error) {
		return s.store.History.Of(ctx, of, spans...)
	})
}

// ValuesAt returns the key of the values of a history at a time.
func ValuesAt(of mongo.Recorded, key string, at time.Time) HistoryKey {
	return HistoryOf(of, key, at, at)
}

// valuesAt reads the values at some times with at most two commands per kind.
func (s *Source) valuesAt(ctx context.Context, keys []HistoryKey) ([]map[string]float64, error) {
	return grouped(keys, func(k HistoryKey) (mongo.Recorded, mongo.HistoryTime) {
		return k.Of, mongo.HistoryTime{Key: k.Key, At: time.UnixMilli(k.To).UTC()}
	}, func(of mongo.Recorded, times []mongo.HistoryTime) ([]map[string]float64, error) {
		return s.store.History.ValuesAt(ctx, of, times)
	})
}

// BoardDay holds the first entries of a board at the end of a day, or now.
type BoardDay struct {
	Day  time.Time
	Keys []leaderboard.Key
	// RefreshedAt is when the board was refreshed; zero if the world began with this board.
	RefreshedAt time.Time
}

// BoardTops returns the first entries of a board on each day between two times, in chronological order.
func (set *Set) BoardTops(ctx context.Context, board string, from, to time.Time) ([]BoardDay, error) {
	found, err := Many(ctx, set.boardTop, mongo.BoardDays(board, from, to))
	if err != nil {
		return nil, err
	}
	var out []BoardDay
	for _, t := range found {
		if t == nil {
			continue
		}
		keys, err := leaderboard.UnpackTop(t.Entries)
		if err != nil {
			return nil, err
		}
		out = append(out, BoardDay{t.Day, keys, t.RefreshedAt})
	}
	return out, nil
}
