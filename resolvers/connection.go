package resolvers

import (
	"context"
	"reflect"
	"slices"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
	"gamedata/mongo"
)

// window is a checked page request: limit entries behind a cursor, or before it if backward.
type window struct {
	limit    int
	cursor   *cursor // nil for an end of the list
	backward bool
	page     int // its number, 0 if none was requested
}

// newWindow checks the arguments of a page of the list with a name. size is the number of entries if neither
// first nor last is given.
func newWindow(page model.PageArgs, list string, size int) (w window, err error) {
	w.limit = size
	encoded := page.After
	switch {
	case page.First != nil && page.Last != nil:
		return w, graph.Errorf(graph.InvalidQueryParams, "Use either first or last.")
	case page.After != nil && page.Before != nil, page.Last != nil && page.After != nil,
		page.First != nil && page.Before != nil:
		return w, graph.Errorf(graph.InvalidQueryParams, "Use first with after, or last with before.")
	case page.Page != nil && (page.Last != nil || page.After != nil || page.Before != nil):
		return w, graph.Errorf(graph.InvalidQueryParams, "Use page with first only.")
	case page.First != nil:
		w.limit = *page.First
	case page.Last != nil || page.Before != nil:
		w.backward, encoded = true, page.Before
		if page.Last != nil {
			w.limit = *page.Last
		}
	}
	if page.Page != nil {
		w.page = *page.Page
	}
	if encoded != nil {
		w.cursor, err = parseCursor(*encoded, list)
	}
	return w, err
}

// slice returns which entries of a list a page shows: the index of the first, and the index behind the last. find
// locates a cursor: it returns the number of entries before the cursor's entry, and the number up to and including it.
// The numbers are equal if the entry has left the list.
func (w window) slice(count int, find func(*cursor) (before, upTo int, err error)) (from, to int, err error) {
	to = count
	if w.cursor != nil {
		before, upTo, err := find(w.cursor)
		if err != nil {
			return 0, 0, err
		}
		if w.backward {
			to = min(before, count)
		} else {
			from = min(upTo, count)
		}
	}
	switch {
	case w.page > 0:
		from = min((w.page-1)*w.limit, count)
	case w.backward:
		return max(0, to-w.limit), to, nil
	}
	return from, min(to, from+w.limit), nil
}

// kindOf names a list in cursors by the type of its entries.
func kindOf[T any]() string { return reflect.TypeFor[T]().String() }

// connect returns a page of a list in memory. key is unique in the list. A cursor contains the key and the index of an
// entry: if the entry has left the list, the page begins at the index.
func connect[T any](list []T, page model.PageArgs, size int, key func(T) string) (*model.Connection[T], error) {
	name := kindOf[T]()
	w, err := newWindow(page, name, size)
	if err != nil {
		return nil, err
	}
	from, to, err := w.slice(len(list), func(c *cursor) (before, upTo int, err error) {
		if c.Index < len(list) && key(list[c.Index]) == c.ID {
			return c.Index, c.Index + 1, nil
		}
		if i := slices.IndexFunc(list, func(v T) bool { return key(v) == c.ID }); i >= 0 {
			return i, i + 1, nil
		}
		return c.Index, c.Index, nil
	})
	if err != nil {
		return nil, err
	}
	var numbers *model.PageNumbers
	if w.page > 0 {
		numbers = pageNumbers(len(list), w.page, w.limit)
	}
	return &model.Connection[T]{
		Items: list[from:to:to], Before: from > 0, More: to < len(list), Numbers: numbers,
		Cursor: func(i int) string {
			return cursor{List: name, Index: from + i, Position: mongo.Position{ID: key(list[from+i])}}.encode()
		},
		Total: fixedCount(len(list)),
	}, nil
}

// fixedCount returns a count function for a count known in advance.
func fixedCount(n int) func(context.Context) (*int, error) {
	return func(context.Context) (*int, error) { return &n, nil }
}

// exact returns a count function for a list that is always counted.
func exact(count func(context.Context) (int, error)) func(context.Context) (*int, error) {
	return func(ctx context.Context) (*int, error) {
		n, err := count(ctx)
		return &n, err
	}
}

func pageNumbers(count, page, size int) *model.PageNumbers {
	out := &model.PageNumbers{Count: count, Current: page}
	if size > 0 {
		out.Pages = (count + size - 1) / size
	}
	if page < out.Pages {
		out.Next = new(page + 1)
	}
	if prev := min(page-1, out.Pages); prev >= 1 {
		out.Prev = &prev
	}
	if page <= out.Pages {
		out.CurrentCount = min(size, count-(page-1)*size)
	}
	return out
}

// storedList pages through records of the store in the order of an index.
type storedList[T any] struct {
	order mongo.Order
	// page reads a page, count counts the whole list, or is nil if the list is too long to count.
	page  func(context.Context, mongo.PageQuery) ([]T, bool, error)
	count func(context.Context) (*int, error)
	// position returns the position of a record in the order.
	position func(T) mongo.Position
}

func connectStored[T any](ctx context.Context, page model.PageArgs, size int, l storedList[T]) (
	*model.Connection[T], error,
) {
	name := kindOf[T]() + " by " + l.order.Field
	w, err := newWindow(page, name, size)
	if err != nil {
		return nil, err
	}
	q := mongo.PageQuery{Order: l.order, Backward: w.backward, Limit: max(w.limit, 1)} // an empty page reports more
	if w.cursor != nil {
		q.After = &w.cursor.Position
	}
	items, more, err := l.page(ctx, q)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	if len(items) > w.limit {
		items, more = nil, true
	}
	out := &model.Connection[T]{
		Items: items, More: more, Before: q.After != nil,
		Cursor: func(i int) string { return cursor{List: name, Position: l.position(items[i])}.encode() },
		Total:  func(ctx context.Context) (*int, error) { return publicError(l.count(ctx)) },
	}
	if w.backward {
		out.More, out.Before = out.Before, out.More
	}
	return out, nil
}

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
