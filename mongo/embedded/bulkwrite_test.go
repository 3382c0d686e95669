package embedded

import (
	"errors"
	"fmt"
	"testing"

	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// bulk returns writes to collections a and b of the test's database; one of them is a duplicate.
func bulk() []driver.ClientBulkWrite {
	models := []struct {
		collection string
		model      driver.ClientWriteModel
	}{
		{"a", driver.NewClientInsertOneModel().SetDocument(d("_id", 1, "n", 1))},
		{"b", driver.NewClientInsertOneModel().SetDocument(d("_id", 1, "n", 1))},
		{"a", driver.NewClientUpdateOneModel().SetFilter(d("_id", 1)).SetUpdate(d("$inc", d("n", 1)))},
		{"a", driver.NewClientUpdateOneModel().SetFilter(d("_id", "new")).SetUpdate(d("$set", d("n", 9))).SetUpsert(true)},
		{"b", driver.NewClientInsertOneModel().SetDocument(d("_id", 1, "n", 2))},
		{"a", driver.NewClientUpdateManyModel().SetFilter(d("n", d("$gt", 0))).SetUpdate(d("$inc", d("n", 10)))},
		{"b", driver.NewClientReplaceOneModel().SetFilter(d("_id", 1)).SetReplacement(d("n", 5))},
		{"a", driver.NewClientDeleteOneModel().SetFilter(d("n", 12))},
		{"b", driver.NewClientDeleteManyModel().SetFilter(d())},
	}
	var writes []driver.ClientBulkWrite
	for _, m := range models {
		writes = append(writes, driver.ClientBulkWrite{Database: "test", Collection: m.collection, Model: m.model})
	}
	return writes
}

// Client.BulkWrite writes to several collections, reports what each write did, and stops at the first error if ordered.
func TestBulkWrite(t *testing.T) {
	for name, test := range map[string]struct {
		ordered bool
		writes  []driver.ClientBulkWrite
		want    string
		found   string
	}{
		"without errors": {
			true, append(bulk()[:4:4], bulk()[5:]...),
			"2 inserted, 4 matched, 4 modified, 1 upserted, 2 deleted, errors []", "[19] []",
		},
		"ordered": {
			true, bulk(),
			"2 inserted, 1 matched, 1 modified, 1 upserted, 0 deleted, errors [4:11000]", "[2 9] [1]",
		},
		"unordered": {
			false, bulk(),
			"2 inserted, 4 matched, 4 modified, 1 upserted, 2 deleted, errors [4:11000]", "[19] []",
		},
	} {
		t.Run(name, func(t *testing.T) {
			db := connect(t, openServer(t, Options{NoSync: true}))
			result, err := db.Client().BulkWrite(t.Context(), test.writes, options.ClientBulkWrite().SetOrdered(test.ordered))
			failed := []string{}
			var exception driver.ClientBulkWriteException
			if errors.As(err, &exception) {
				result, err = exception.PartialResult, nil
				for at, e := range exception.WriteErrors {
					failed = append(failed, fmt.Sprint(at, ":", e.Code))
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintf("%d inserted, %d matched, %d modified, %d upserted, %d deleted, errors %v",
				result.InsertedCount, result.MatchedCount, result.ModifiedCount, result.UpsertedCount, result.DeletedCount, failed)
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			found := fmt.Sprint(values(t, t.Context(), db.Collection("a"), d(), d("n", 1)),
				values(t, t.Context(), db.Collection("b"), d(), d("n", 1)))
			if found != test.found {
				t.Errorf("stored %s, want %s", found, test.found)
			}
		})
	}
}
