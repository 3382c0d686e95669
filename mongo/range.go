package mongo

import (
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Range limits the field of a list: numbers from Min to Max, times from From and before To. Nil is open.
type Range struct {
	Min, Max *int64
	From, To *time.Time
}

// span returns the condition of a range on its field; empty without a limit. A record without the field is in no range.
func (r Range) span() (out bson.D) {
	if r.Min != nil {
		out = append(out, bson.E{Key: "$gte", Value: *r.Min})
	}
	if r.Max != nil {
		out = append(out, bson.E{Key: "$lte", Value: *r.Max})
	}
	if r.From != nil {
		out = append(out, bson.E{Key: "$gte", Value: *r.From})
	}
	if r.To != nil {
		out = append(out, bson.E{Key: "$lt", Value: *r.To})
	}
	return out
}

// The conditions of records that have a number or a time.
var (
	anyNumber = bson.D{{Key: "$gte", Value: int64(0)}}
	anyTime   = bson.D{{Key: "$gte", Value: time.Unix(0, 0)}}
)
