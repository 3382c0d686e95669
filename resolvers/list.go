package resolvers

import (
	"cmp"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// conditions are the conditions of a filter. An entry of the list must meet all of them.
type conditions[T any] []func(T) bool

func (c *conditions[T]) add(given bool, condition func(T) bool) {
	if given {
		*c = append(*c, condition)
	}
}

// addTexts adds the condition that the form of one of an entry's texts is in a list, if the list has values.
func (c *conditions[T]) addTexts(asked []string, form func(string) string, texts func(T) []string) {
	c.add(len(asked) > 0, func(entry T) bool {
		return slices.ContainsFunc(texts(entry), func(text string) bool { return slices.Contains(asked, form(text)) })
	})
}

func (c conditions[T]) met(entry T) bool {
	return !slices.ContainsFunc(c, func(condition func(T) bool) bool { return !condition(entry) })
}

// isValue reports whether a stored text has one of the values of an enum, or whether there are no values.
func isValue[S ~string](enum string, values []string, stored *S) bool {
	return len(values) == 0 || stored != nil && slices.Contains(values, model.Enums[enum].Value(string(*stored)))
}

// value returns the value by which a list is ordered: a number, text or time, or nil if the entry has none.
type value[T any] func(T) any

// valueOf returns what a pointer points to, or nil.
func valueOf[V any](v *V) any {
	if v == nil {
		return nil
	}
	return *v
}

// sorted returns a stably sorted copy of a list. Entries without a value come last in both directions.
func sorted[T any](list []T, of value[T], d model.OrderDirection) []T {
	type valued struct {
		entry T
		value any
	}
	all := each(list, func(entry T) valued { return valued{entry, of(entry)} })
	slices.SortStableFunc(all, func(a, b valued) int {
		switch {
		case a.value == nil && b.value == nil:
			return 0
		case a.value == nil:
			return 1
		case b.value == nil:
			return -1
		case d == model.OrderDirectionDesc:
			return compareValues(b.value, a.value)
		}
		return compareValues(a.value, b.value)
	})
	return each(all, func(v valued) T { return v.entry })
}

// compareValues compares two values of one type.
func compareValues(a, b any) int {
	switch a := a.(type) {
	case int:
		return cmp.Compare(a, b.(int))
	case int64:
		return cmp.Compare(a, b.(int64))
	case float64:
		return cmp.Compare(a, b.(float64))
	case string:
		return cmp.Compare(a, b.(string))
	}
	return a.(time.Time).Compare(b.(time.Time))
}

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

// limits returns the limits of a range of numbers or of times; nil is open.
func limits(numbers *model.Int64Range, times *model.DateTimeRange) mongo.Range {
	numbers, times = cmp.Or(numbers, &model.Int64Range{}), cmp.Or(times, &model.DateTimeRange{})
	return mongo.Range{Min: numbers.Min, Max: numbers.Max, From: times.From, To: times.To}
}
