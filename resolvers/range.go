package resolvers

import (
	"cmp"
	"time"

	"gamedata/graph/model"
)

// within reports whether a number is between two ends, both included; nil is an open end.
func within[T cmp.Ordered](low, high *T, n T) bool {
	return (low == nil || *low <= n) && (high == nil || n <= *high)
}

// inRange reports whether a number is in a range; nil is every range.
func inRange(r *model.IntRange, n int) bool { return r == nil || within(r.Min, r.Max, n) }

// inRange64 reports whether a number is in a range; nil is every range.
func inRange64(r *model.Int64Range, n int64) bool { return r == nil || within(r.Min, r.Max, n) }

// inSpan reports whether a time is in a range; nil is every range. An unknown time is in no other.
func inSpan(r *model.DateTimeRange, t *time.Time) bool {
	return r == nil || t != nil && (r.From == nil || !t.Before(*r.From)) && (r.To == nil || t.Before(*r.To))
}
