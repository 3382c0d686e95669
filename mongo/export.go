package mongo

import (
	"context"

	"gamedata/mongo/conn"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// SchemaVersion is the version of the stored records. It rises when records of an earlier version
// could be misread.
const SchemaVersion = 1

// Exported returns the collections of an export in its order, the leaderboards last.
func Exported() []Collection {
	var out []Collection
	for _, c := range Collections {
		if c.Export != Private {
			out = append(out, c)
		}
	}
	return out
}

// exportBatch is the number of records that one command reads; it bounds the memory of an export.
const exportBatch = 500

// ExportStore reads and writes collections as they are stored.
type ExportStore struct{ family }

// Records calls each with every record of a collection, in the order of the ids. A record is valid until each returns.
// Records written during the export may or may not be included.
func (s *ExportStore) Records(ctx context.Context, collection string, each func(bson.Raw) error) error {
	withheld := describe(collection).Withheld
	filter := bson.D{}
	for {
		page, err := s.page(ctx, collection, filter)
		if err != nil {
			return err
		}
		for _, record := range page {
			if record, err = withhold(record, withheld); err == nil {
				err = each(record)
			}
			if err != nil {
				return err
			}
		}
		if len(page) < exportBatch {
			return nil
		}
		filter = bson.D{{Key: "_id", Value: bson.D{{Key: "$gt", Value: page[len(page)-1].Lookup("_id")}}}}
	}
}

func (s *ExportStore) page(ctx context.Context, collection string, filter bson.D) ([]bson.Raw, error) {
	return conn.Find(conn.WithLongTimeout(ctx), s.db.Collection(collection), filter, conn.All[bson.Raw],
		sortedBy("_id").SetLimit(exportBatch))
}

// withhold empties a text field of a record.
func withhold(record bson.Raw, field string) (bson.Raw, error) {
	if value, err := record.LookupErr(field); field == "" || err != nil || value.Type != bson.TypeString {
		return record, nil
	}
	var d bson.D
	if err := bson.Unmarshal(record, &d); err != nil {
		return nil, err
	}
	for i := range d {
		if d[i].Key == field {
			d[i].Value = ""
		}
	}
	return bson.Marshal(d)
}

// NonEmptyCollection returns the name of a game-data collection that has records; "" when all are empty.
func (s *ExportStore) NonEmptyCollection(ctx context.Context) (string, error) {
	for _, c := range Collections {
		if c.Export != GameData {
			continue
		}
		some, err := s.db.Collection(c.Name).FindOne(ctx, bson.D{}, &bson.Raw{})
		if err != nil {
			return "", err
		}
		if some {
			return c.Name, nil
		}
	}
	return "", nil
}

// Insert adds exported records to a collection.
func (s *ExportStore) Insert(ctx context.Context, collection string, records []bson.D) error {
	return insert(ctx, s.db.Collection(collection), records)
}

// Clear deletes every record of the exported collections.
func (s *ExportStore) Clear(ctx context.Context) error {
	for _, c := range Exported() {
		if err := s.db.Collection(c.Name).DeleteMany(conn.WithLongTimeout(ctx), bson.D{}); err != nil {
			return err
		}
	}
	return nil
}
