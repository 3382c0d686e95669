package embedded

import (
	"context"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// TestCursor reads in batches while documents come and go.
func TestCursor(t *testing.T) {
	s := openServer(t, Options{NoSync: true})
	c := connect(t, s).Collection("c")
	fill(t, c, 1000)
	must(c.Indexes().CreateOne(t.Context(), driver.IndexModel{Keys: d("n", 1)}))(t)
	ids := func(t *testing.T, cursor *driver.Cursor, between func(n int)) (got []int) {
		for cursor.Next(t.Context()) {
			var d struct {
				ID int `bson:"_id"`
			}
			check(t, cursor.Decode(&d))
			got = append(got, d.ID)
			between(len(got))
		}
		check(t, cursor.Err())
		return got
	}
	t.Run("default batch", func(t *testing.T) {
		cursor := must(c.Find(t.Context(), d()))(t)
		if n := cursor.RemainingBatchLength(); n != firstBatch {
			t.Errorf("first batch of %d", n)
		}
		if n := len(ids(t, cursor, func(int) {})); n != 1000 {
			t.Errorf("%d documents", n)
		}
	})
	t.Run("deleted before and after the position", func(t *testing.T) {
		cursor := must(c.Find(t.Context(), d("n", d("$gte", 500)),
			options.Find().SetSort(d("n", 1)).SetBatchSize(10)))(t)
		got := ids(t, cursor, func(n int) {
			if n == 10 {
				must(c.DeleteMany(t.Context(), d("n", d("$gte", 505, "$lt", 990))))(t)
			}
		})
		if len(got) != 20 || got[9] != 509 || got[10] != 990 {
			t.Errorf("got %v", got)
		}
	})
	t.Run("closed or forgotten", func(t *testing.T) {
		for range 3 {
			cursor := must(c.Find(t.Context(), d()))(t)
			defer func() { _ = cursor.Close(context.Background()) }()
		}
		if n := len(s.cursors.byID); n != 3 {
			t.Errorf("%d cursors open", n)
		}
		s.cursors.expire(time.Now().Add(time.Second))
		if n := len(s.cursors.byID); n != 0 {
			t.Errorf("%d cursors left", n)
		}
	})
}

// TestLargeAnswers fills batches up to their limit in bytes.
func TestLargeAnswers(t *testing.T) {
	c := connect(t, openServer(t, Options{NoSync: true})).Collection("c")
	var docs []any
	for i := range 9 {
		docs = append(docs, d("_id", i, "pad", make([]byte, 5<<20)))
	}
	must(c.InsertMany(t.Context(), docs))(t)
	for _, sort := range []bson.D{{}, {{Key: "nothing", Value: 1}, {Key: "_id", Value: 1}}} {
		cursor := must(c.Find(t.Context(), d(), options.Find().SetSort(sort)))(t)
		n := 0
		for ; cursor.Next(t.Context()); n++ {
			if got := cursor.Current.Lookup("_id").Int32(); got != int32(n) {
				t.Errorf("document %d at %d", got, n)
			}
		}
		if cursor.Err() != nil || n != 9 {
			t.Errorf("%d documents, %v", n, cursor.Err())
		}
	}
}
