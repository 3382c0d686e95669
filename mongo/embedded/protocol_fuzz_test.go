package embedded

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// faults counts what the server logs as its own fault: a panic ends a connection and nothing
// else, unnoticed.
type faults struct {
	slog.Handler
	seen *atomic.Int64
}

func (f faults) Handle(_ context.Context, r slog.Record) error {
	if r.Level >= slog.LevelError {
		f.seen.Add(1)
	}
	return nil
}

func (f faults) Enabled(context.Context, slog.Level) bool { return true }

// FuzzProtocol sends commands, and bytes that are none: the server is never at fault, and answers
// the next request.
func FuzzProtocol(f *testing.F) {
	s, err := Open(f.TempDir(), Options{NoSync: true})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = s.Close() })
	seen := &atomic.Int64{}
	before := slog.Default()
	slog.SetDefault(slog.New(faults{slog.DiscardHandler, seen}))
	f.Cleanup(func() { slog.SetDefault(before) })

	in := func(command, collection string, more ...bson.E) bson.D {
		return append(append(bson.D{{Key: command, Value: collection}}, more...), bson.E{Key: "$db", Value: "test"})
	}
	doc := bson.D{{Key: "_id", Value: 1}, {Key: "name", Value: "moss"}, {Key: "list", Value: bson.A{
		1, int64(2), 3.5, "x",
		nil,
		bson.D{{Key: "a", Value: true}},
	}}}
	filter := bson.D{
		{Key: "name", Value: bson.D{{Key: "$not", Value: bson.D{{Key: "$ne", Value: "moss"}}}}},
		{Key: "list", Value: bson.D{{Key: "$gte", Value: 2}, {Key: "$lt", Value: 9}}},
		{Key: "$or", Value: bson.A{
			bson.D{{Key: "list.5.a", Value: true}},
			bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: bson.A{1, "x"}}}}},
		}},
	}
	update := bson.D{{Key: "$set", Value: bson.D{{Key: "deep.er", Value: 1}}}, {
		Key:   "$inc",
		Value: bson.D{{Key: "n", Value: int64(7)}},
	}, {Key: "$push", Value: bson.D{{Key: "list", Value: "y"}}}, {
		Key:   "$unset",
		Value: bson.D{{Key: "absent", Value: ""}},
	}}
	transaction := d("lsid", d("id", bson.Binary{Subtype: 4, Data: make([]byte, 16)}), "txnNumber", int64(1),
		"autocommit", false)
	start := slices.Concat(transaction, d("startTransaction", true))
	bulk := d("ops", bson.A{
		d("insert", 0, "document", doc), d("update", 0, "filter", filter, "updateMods", update, "upsert", true),
		d("delete", 1, "filter", filter, "multi", true),
	}, "nsInfo", bson.A{d("ns", "test.c"), d("ns", "test.d")}, "errorsOnly", true)
	for _, seed := range []bson.D{
		in("bulkWrite", "", bulk...), in("bulkWrite", "", slices.Concat(bulk, start)...),
		in("find", "c", slices.Concat(transaction, d("filter", filter))...),
		in("commitTransaction", "", transaction...), in("abortTransaction", "", transaction...),
		d("endSessions", bson.A{transaction[0].Value}, "$db", "admin"),
		ping(), in("insert", "c", bson.E{Key: "documents", Value: bson.A{doc}}),
		in("find", "c", bson.E{Key: "filter", Value: filter}, bson.E{Key: "sort", Value: bson.D{{Key: "name", Value: -1}}},
			bson.E{Key: "projection", Value: bson.D{{Key: "list", Value: 1}}}, bson.E{Key: "limit", Value: 5}),
		in("update", "c", bson.E{Key: "updates", Value: bson.A{bson.D{
			{Key: "q", Value: filter},
			{Key: "u", Value: update},
			{Key: "upsert", Value: true},
		}}}),
		in("delete", "c", bson.E{
			Key: "deletes",
			Value: bson.A{bson.D{
				{Key: "q", Value: bson.D{{Key: "list", Value: 3.5}}},
				{Key: "limit", Value: 1},
			}},
		}),
		in("findAndModify", "c", bson.E{Key: "query", Value: bson.D{{Key: "_id", Value: 1}}}, bson.E{
			Key:   "update",
			Value: update,
		}, bson.E{Key: "new", Value: true}),
		in("aggregate", "c", bson.E{Key: "pipeline", Value: bson.A{
			bson.D{{Key: "$match", Value: filter}},
			bson.D{{Key: "$group", Value: bson.D{
				{Key: "_id", Value: "$name"},
				{Key: "n", Value: bson.D{{Key: "$sum", Value: 1}}},
			}}},
		}}, bson.E{Key: "cursor", Value: bson.D{{
			Key:   "batchSize",
			Value: 1,
		}}}),
		in("count", "c"),
		in("createIndexes", "c", bson.E{
			Key: "indexes",
			Value: bson.A{bson.D{{Key: "key", Value: bson.D{{Key: "list", Value: 1}, {Key: "name", Value: -1}}}, {
				Key:   "name",
				Value: "i",
			}}},
		}),
		{{Key: "getMore", Value: int64(1)}, {Key: "collection", Value: "c"}, {Key: "$db", Value: "test"}},
		in("killCursors",
			"c", bson.E{Key: "cursors", Value: bson.A{int64(1)}}), in("drop", "c"),
	} {
		body, err := bson.Marshal(seed)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body, true)
		f.Add(message(f, seed), false)
	}
	f.Add(frame(opQuery, 0, 0, 0, 0), false)
	f.Add([]byte{255, 255, 255, 127}, false)
	alive := message(f, ping())
	f.Fuzz(func(t *testing.T, sent []byte, command bool) {
		if command {
			sent = frame(opMsg, append([]byte{0, 0, 0, 0, 0}, sent...)...)
		}
		exchange(s, sent)
		if n := seen.Swap(0); n > 0 {
			t.Fatalf("the server was at fault %d times", n)
		}
		if got := exchange(s, alive); !bytes.Contains(got, []byte("ok\x00")) {
			t.Fatalf("the server answers %q afterwards", got)
		}
	})
}
