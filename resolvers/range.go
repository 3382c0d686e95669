package resolvers

import (
	"time"

	"gamedata/graph/model"
)

// inRange reports whether a number is in a range; nil is every range.
func inRange(r *model.IntRange, n int) bool {
	return r == nil || (r.Min == nil || *r.Min <= n) && (r.Max == nil || n <= *r.Max)
}

// inRange64 reports whether a number is in a range; nil is every range.
func inRange64(r *model.Int64Range, n int64) bool {
	return r == nil || (r.Min == nil || *r.Min <= n) && (r.Max == nil || n <= *r.Max)
}

// inSpan reports whether a time is in a range; nil is every range. An unknown time is in no other.
func inSpan(r *model.DateTimeRange, t *time.Time) bool {
	return r == nil || t != nil && (r.From == nil || !t.Before(*r.From)) && (r.To == nil || t.Before(*r.To))
}
