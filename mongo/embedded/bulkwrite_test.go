package embedded

import (
	"errors"
	"fmt"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
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

// Ops that make no sense are rejected, each with a reason.
func TestBulkWriteRejects(t *testing.T) {
	db := connect(t, openServer(t, Options{NoSync: true})).Client().Database("admin")
	for _, op := range []bson.D{
		d("insert", 1, "document", d()), d("insert", -1, "document", d()), d("insert", "a.b", "document", d()), d(),
		d("insert", 0), d("insert", 0, "document", 1), d("insert", 0, "document", d(), "q", d()),
		d("update", 0, "filter", d()), d("delete", 0, "q", d()), d("updates", 0, "q", d(), "u", d()),
		d("update", 0, "filter", d(), "updateMods", d("$set", d("a", 1)), "arrayFilters", bson.A{d("x", 1)}),
	} {
		var reply struct {
			Errors int `bson:"nErrors"`
			Cursor struct {
				FirstBatch []struct {
					OK     float64
					Idx    int
					Code   int
					Errmsg string
				}
			}
		}
		err := db.RunCommand(t.Context(), d("bulkWrite", 1, "ops", bson.A{op}, "nsInfo", bson.A{d("ns", "a.b")},
			"errorsOnly", true)).Decode(&reply)
		if err != nil || reply.Errors != 1 || len(reply.Cursor.FirstBatch) != 1 || reply.Cursor.FirstBatch[0].OK != 0 ||
			reply.Cursor.FirstBatch[0].Errmsg == "" {
			t.Errorf("%v: got %+v, %v", op, reply, err)
		}
	}
}
