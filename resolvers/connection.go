package resolvers

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/mongo"
)

type pageArgs struct {
	first, last   *int
	after, before *string
	page          *int // its number, for lists with numbered pages
}

// window is a checked page request: limit entries behind a cursor, or before it if backward.
type window struct {
	limit    int
	cursor   string // decoded; empty for an end of the list
	backward bool
	page     int // its number, 0 if none was requested
}

// window checks the arguments. size is the number of entries if neither first nor last is given.
func (a pageArgs) window(size int) (w window, err error) {
	w.limit = size
	cursor := a.after
	switch {
	case a.first != nil && a.last != nil:
		return w, graph.Errorf(graph.InvalidQueryParams, "Use either first or last.")
	case a.after != nil && a.before != nil, a.last != nil && a.after != nil, a.first != nil && a.before != nil:
		return w, graph.Errorf(graph.InvalidQueryParams, "Use first with after, or last with before.")
	case a.page != nil && (a.last != nil || a.after != nil || a.before != nil):
		return w, graph.Errorf(graph.InvalidQueryParams, "Use page with first only.")
	case a.first != nil:
		w.limit = *a.first
	case a.last != nil || a.before != nil:
		w.backward, cursor = true, a.before
		if a.last != nil {
			w.limit = *a.last
		}
	}
	if a.page != nil {
		w.page = *a.page
	}
	if cursor != nil {
		text, ok := model.DecodeCursor(*cursor)
		if !ok || text == "" {
			return w, errCursor
		}
		w.cursor = text
	}
	return w, nil
}

var errCursor = graph.Errorf(graph.InvalidQueryParams, "The cursor belongs to another list.")

// slice returns which entries of a list a page shows: the index of the first, and the index behind the last. find
// locates a cursor: it returns the number of entries before the cursor's entry, and the number up to and including it.
// The numbers are equal if the entry has left the list.
func (w window) slice(count int, find func(cursor string) (before, upTo int, err error)) (from, to int, err error) {
	to = count
	if w.cursor != "" {
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

// kindOf names the entry type in cursors: a list of another type rejects the cursor.
func kindOf[T any]() string { return reflect.TypeFor[T]().String() }

// connect returns a page of a list in memory. key is unique in the list. A cursor contains the key and the index of an
// entry: if the entry has left the list, the page begins at the index.
func connect[T any](list []T, args pageArgs, size int, key func(T) string) (*model.Connection[T], error) {
	w, err := args.window(size)
	if err != nil {
		return nil, err
	}
	from, to, err := w.slice(len(list), func(cursor string) (before, upTo int, err error) {
		place, ok := strings.CutPrefix(cursor, kindOf[T]())
		if !ok {
			return 0, 0, errCursor
		}
		return placeIn(list, place, key)
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
			return model.EncodeCursor(kindOf[T]() + strconv.Itoa(from+i) + ":" + key(list[from+i]))
		},
		Total: known(len(list)),
	}, nil
}

// known returns a count function for a count known in advance.
func known(n int) func(context.Context) (*int, error) {
	return func(context.Context) (*int, error) { return &n, nil }
}

// exact returns a count function for a list that is always counted.
func exact(count func(context.Context) (int, error)) func(context.Context) (*int, error) {
	return func(ctx context.Context) (*int, error) {
		n, err := count(ctx)
		return &n, err
	}
}

func placeIn[T any](list []T, cursor string, key func(T) string) (before, upTo int, err error) {
	number, name, ok := strings.Cut(cursor, ":")
	at, err := strconv.Atoi(number)
	if !ok || err != nil || at < 0 {
		return 0, 0, errCursor
	}
	if at < len(list) && key(list[at]) == name {
		return at, at + 1, nil
	}
	if i := slices.IndexFunc(list, func(v T) bool { return key(v) == name }); i >= 0 {
		return i, i + 1, nil
	}
	return at, at, nil
}

func pageNumbers(count, page, size int) *model.PageNumbers {
	out := &model.PageNumbers{Count: count, Current: page, Pages: (count + size - 1) / max(size, 1)}
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

// storedCursor is the content of a cursor of a storedList. Kind and Field detect a cursor from another list.
type storedCursor struct {
	Kind  string         `bson:"k"`
	Field string         `bson:"f"`
	At    mongo.Position `bson:",inline"`
}

// valid reports whether a cursor's position is safe in a filter: a document could contain operators.
func (c storedCursor) valid() bool {
	if c.At.ID == "" {
		return false
	}
	switch c.At.Value.(type) {
	case nil, string, int32, int64, float64, bson.DateTime, bool:
		return true
	}
	return false
}

func connectStored[T any](ctx context.Context, args pageArgs, size int, l storedList[T]) (*model.Connection[T], error) {
	w, err := args.window(size)
	if err != nil {
		return nil, err
	}
	q := mongo.PageQuery{Order: l.order, Backward: w.backward, Limit: max(w.limit, 1)} // an empty page reports more
	if w.cursor != "" {
		var c storedCursor
		if err := bson.Unmarshal([]byte(w.cursor), &c); err != nil || c.Kind != kindOf[T]() ||
			c.Field != l.order.Field || !c.valid() {
			return nil, errCursor
		}
		q.After = &c.At
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
		Cursor: func(i int) string {
			c := storedCursor{kindOf[T](), l.order.Field, l.position(items[i])}
			raw, _ := bson.Marshal(c) // cannot fail: only numbers, strings and dates
			return model.EncodeCursor(string(raw))
		},
		Total: func(ctx context.Context) (*int, error) { return stored(l.count(ctx)) },
	}
	if w.backward {
		out.More, out.Before = out.Before, out.More
	}
	return out, nil
}
