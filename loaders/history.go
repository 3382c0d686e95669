package loaders

import (
	"context"
	"time"

	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// HistoryKey is the history of a player, guild or season between two times, both included.
type HistoryKey struct {
	Of       mongo.Recorded
	Key      string
	From, To int64 // milliseconds since 1970
}

// HistoryOf returns the key of a history.
func HistoryOf(of mongo.Recorded, key string, from, to time.Time) HistoryKey {
	return HistoryKey{of, key, from.UnixMilli(), to.UnixMilli()}
}

// histories reads histories, all of one kind and span with one command.
func (s *Source) histories(ctx context.Context, keys []HistoryKey) ([][]mongo.HistoryPoint, error) {
	out := make([][]mongo.HistoryPoint, len(keys))
	groups := map[HistoryKey][]int{} // indexes by key without its Key
	for i, k := range keys {
		k.Key = ""
		groups[k] = append(groups[k], i)
	}
	for span, places := range groups {
		of := make([]string, len(places))
		for i, place := range places {
			of[i] = keys[place].Key
		}
		found, err := s.store.History.Of(ctx, span.Of, of, time.UnixMilli(span.From).UTC(), time.UnixMilli(span.To).UTC())
		if err != nil {
			return nil, err
		}
		for i, place := range places {
			out[place] = found[i]
		}
	}
	return out, nil
}

// BoardDay has the first entries of a board at the end of a day, or now.
type BoardDay struct {
	Day  time.Time
	Keys []leaderboard.Key
}

// BoardTops returns the first entries of a board on the days from one time to another, in the order of time.
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
		out = append(out, BoardDay{t.Day, keys})
	}
	return out, nil
}
