package resolvers

import (
	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
)

var errAround = graph.Errorf(graph.InvalidQueryParams, "Use around with first only.")

// rankPage is n positions of a board of count entries. first is 0 if the viewer does not see the entry around which the
// page was requested: its position must stay secret.
type rankPage struct{ first, n, count int }

// ranks returns the page of a board in a window, or around a player or guild. find returns the position of an entry, or
// 0 if the viewer does not see it. place locates a cursor as in slice.
func (w window) ranks(around *string, count int, find func(uuid string) (int, error),
	place func(*cursor) (before, upTo int, err error),
) (rankPage, error) {
	if around == nil {
		from, to, err := w.slice(count, place)
		return rankPage{from + 1, to - from, count}, err
	}
	if w.cursor != nil || w.backward {
		return rankPage{}, errAround
	}
	position, err := find(*around)
	if err != nil || position == 0 {
		return rankPage{count: count}, err
	}
	first := loaders.Around(position, w.limit, count)
	return rankPage{first, min(w.limit, count-first+1), count}, nil
}

// connectRanks returns the connection of a page. Entries that do not exist any more may be missing.
func connectRanks[T any](entries []T, p rankPage, cursor func(i int) string) *model.Connection[T] {
	return &model.Connection[T]{
		Items: entries, Cursor: cursor, Total: fixedCount(p.count),
		Before: p.first > 1, More: p.first > 0 && p.first+p.n <= p.count,
	}
}
