package loaders

import (
	"context"
	"time"

	"gamedata/internal/leaderboard"
)

// BoardDay has the first entries of a board at the end of a day, or now.
type BoardDay struct {
	Day  time.Time
	Keys []leaderboard.Key
}

// BoardTops returns the first entries of a board on the days from one time to another, in the order of time.
func (set *Set) BoardTops(ctx context.Context, board string, from, to time.Time) ([]BoardDay, error) {
	found, err := set.source.store.BoardTops(ctx, board, from, to)
	if err != nil {
		return nil, err
	}
	out := make([]BoardDay, len(found))
	for i, t := range found {
		if out[i].Keys, err = leaderboard.UnpackTop(t.Entries); err != nil {
			return nil, err
		}
		out[i].Day = t.Day
	}
	return out, nil
}
