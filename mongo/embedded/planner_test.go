package embedded

import (
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// TestIndexUse counts what queries read.
func TestIndexUse(t *testing.T) {
	s := openServer(t, Options{NoSync: true})
	c := connect(t, s).Collection("c")
	fill(t, c, 1000)
	must(c.Indexes().CreateMany(t.Context(), []driver.IndexModel{
		{Keys: d("g", 1, "n", -1)},
		{Keys: d("n", 1)},
	}))(t)
	for _, test := range []struct {
		name           string
		filter, sort   bson.D
		limit          int64
		keys, docs     int64
		found          int
		collectionScan bool
	}{
		{"id", d("_id", 5), d(), 0, 1, 1, 1, false},
		{"ids", d("_id", d("$in", bson.A{1, 2, 3, 9999})), d(), 0, 3, 3, 3, false},
		{"range", d("n", d("$gte", 10, "$lt", 20)), d(), 0, 10, 10, 10, false},
		{"equality and sort", d("g", 3), d("n", -1), 5, 5, 5, 5, false},
		{"equality and sort backwards", d("g", 3), d("n", 1), 5, 5, 5, 5, false},
		{"two lists", d("g", d("$in", bson.A{1, 2}), "n", d("$in", bson.A{1, 2, 3})), d(), 0, 2, 2, 2, false},
		{"equality and range", d("g", 3, "n", d("$gt", 900)), d(), 0, 10, 10, 10, false},
		{"sort only", d(), d("n", -1), 3, 3, 3, 3, false},
		{"no index", d("other", nil), d(), 2, 0, 2, 2, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := s.Stats()
			cursor := must(c.Find(t.Context(), test.filter,
				options.Find().SetSort(test.sort).SetLimit(test.limit)))(t)
			var got []bson.D
			check(t, cursor.All(t.Context(), &got))
			after := s.Stats()
			keys, docs := after.KeysExamined-before.KeysExamined, after.DocumentsExamined-before.DocumentsExamined
			scans := after.CollectionScans - before.CollectionScans
			if len(got) != test.found || keys != test.keys || docs != test.docs || (scans > 0) != test.collectionScan {
				t.Errorf("found %d, keys %d, documents %d, collection scans %d; want %d, %d, %d, %v", len(got), keys, docs, scans,
					test.found, test.keys, test.docs, test.collectionScan)
			}
		})
	}
	t.Run("count reads keys only", func(t *testing.T) {
		before := s.Stats()
		if n, err := c.CountDocuments(t.Context(), d("g", 3)); err != nil || n != 100 {
			t.Fatal(n, err)
		}
		if n, err := c.EstimatedDocumentCount(t.Context()); err != nil || n != 1000 {
			t.Fatal(n, err)
		}
		if after := s.Stats(); after.DocumentsExamined != before.DocumentsExamined ||
			after.CollectionScans != before.CollectionScans {
			t.Errorf("%d documents read", after.DocumentsExamined-before.DocumentsExamined)
		}
	})
}
