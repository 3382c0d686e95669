package resolvers

import (
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// listFilter is a row of the table of a list's filters. O is the type of the list's orders.
type listFilter[O ~string] struct {
	name  string
	given bool
	// order is the order whose index serves the filter, and within limits its values. A filter without an order works
	// only on a few known records.
	order  O
	within mongo.Range
}

// given returns the rows of the filters that a query has.
func given[O ~string](filters []listFilter[O]) []listFilter[O] {
	return slices.DeleteFunc(filters, func(f listFilter[O]) bool { return !f.given })
}

// listOrder is an order of a list: the field in the store, empty without one, and its value. A record without a value
// is not in the list.
type listOrder[T any] struct {
	stored string
	value  value[T]
}

// listOrders is the table of a list's orders.
type listOrders[T any, O ~string] map[O]listOrder[T]

// match reports whether a record in memory has a value for an order, and the values that the filters ask for.
func (l listOrders[T, O]) match(filters []listFilter[O], order O, record T) bool {
	return l[order].value(record) != nil && !slices.ContainsFunc(filters, func(f listFilter[O]) bool {
		return f.order != "" && !inLimits(f.within, l[f.order].value(record))
	})
}

// inLimits reports whether the value of an order is in a range. A missing value is in no range.
func inLimits(r mongo.Range, value any) bool {
	switch v := value.(type) {
	case int:
		return within(r.Min, r.Max, int64(v))
	case int64:
		return within(r.Min, r.Max, v)
	case time.Time:
		return inSpan(&model.DateTimeRange{From: r.From, To: r.To}, &v)
	}
	return value != nil
}

// numbersIn returns the limits of a range of numbers; nil is open.
func numbersIn(r *model.Int64Range) mongo.Range {
	if r == nil {
		return mongo.Range{}
	}
	return mongo.Range{Min: r.Min, Max: r.Max}
}

// timesIn returns the limits of a range of times; nil is open.
func timesIn(r *model.DateTimeRange) mongo.Range {
	if r == nil {
		return mongo.Range{}
	}
	return mongo.Range{From: r.From, To: r.To}
}
