package resolvers

import (
	"math"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
	"gamedata/mongo"
)

var errCursor = graph.Errorf(graph.InvalidQueryParams, "The cursor belongs to another list.")

// cursor is the content of an opaque cursor: a list and the place of an entry in it.
type cursor struct {
	// List is the name of the list. Other lists reject the cursor.
	List string `bson:"l"`
	// Index is the index of the entry in a list in memory.
	Index int `bson:"n,omitempty"`
	// Position is the position of the entry in an order of the store. A list in memory sets only the ID, to the entry's
	// key.
	mongo.Position `bson:",inline"`
	// Board is the place of the entry on a stored leaderboard; nil in other lists.
	Board *loaders.BoardPlace `bson:"b,omitempty"`
}

func (c cursor) encode() string {
	raw, _ := bson.Marshal(c) // cannot fail: only numbers, strings and dates
	return model.EncodeCursor(string(raw))
}

// parseCursor decodes a cursor of the list with a name. A client may have forged the cursor, so its value must have the
// type of an order's values: a document could put operators into a filter, and NaN is not equal to itself as a key of a
// loader.
func parseCursor(encoded, list string) (*cursor, error) {
	raw, ok := model.DecodeCursor(encoded)
	if !ok {
		return nil, errCursor
	}
	var c cursor
	if err := bson.Unmarshal([]byte(raw), &c); err != nil || c.List != list || c.Index < 0 || c.Index > math.MaxInt32 {
		return nil, errCursor
	}
	switch c.Value.(type) {
	case nil, string, int32, int64, bson.DateTime:
		return &c, nil
	}
	return nil, errCursor
}
