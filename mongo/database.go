package mongo

import (
	"context"

	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/mongo/conn"
)

// database is the connection with the consistency of each collection.
type database struct{ *conn.Conn }

func (d database) Collection(name string) *conn.Collection {
	if describe(name).Majority {
		return d.Majority(name)
	}
	return d.Conn.Collection(name)
}

// bulkUpdate sends writes to different records of a collection in one unordered command, and returns how many records
// matched.
func (d database) bulkUpdate(ctx context.Context, collection string, writes []driver.WriteModel) (int64, error) {
	if len(writes) == 0 {
		return 0, nil
	}
	r, err := d.Collection(collection).BulkWrite(conn.WithLongTimeout(ctx), writes, false)
	if err != nil {
		return 0, err
	}
	return r.MatchedCount + r.DeletedCount, nil
}
