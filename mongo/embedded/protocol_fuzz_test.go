package embedded

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/wiremessage"
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
	s := must(Open(f.TempDir(), Options{NoSync: true}))(f)
	f.Cleanup(func() { _ = s.Close() })
	seen := &atomic.Int64{}
	before := slog.Default()
	slog.SetDefault(slog.New(faults{slog.DiscardHandler, seen}))
	f.Cleanup(func() { slog.SetDefault(before) })

	doc := d("_id", 1, "name", "moss", "list", bson.A{1, int64(2), 3.5, "x", nil, d("a", true)})
	filter := d("name", d("$not", d("$ne", "moss")), "list", d("$gte", 2, "$lt", 9),
		"$or", bson.A{d("list.5.a", true), d("_id", d("$in", bson.A{1, "x"}))})
	update := d("$set", d("deep.er", 1), "$inc", d("n", int64(7)), "$pull", d("list", "y"), "$unset", d("absent", ""))
	transaction := d("lsid", d("id", bson.Binary{Subtype: 4, Data: make([]byte, 16)}), "txnNumber", int64(1),
		"autocommit", false)
	bulk := d("bulkWrite", 1, "ops", bson.A{
		d("insert", 0, "document", doc), d("update", 0, "filter", filter, "updateMods", update, "upsert", true),
		d("delete", 1, "filter", filter, "multi", true),
	}, "nsInfo", bson.A{d("ns", "test.c"), d("ns", "test.d")}, "errorsOnly", true)
	for _, seed := range []bson.D{
		bulk, slices.Concat(bulk, transaction, d("startTransaction", true)),
		slices.Concat(d("find", "c", "filter", filter), transaction),
		slices.Concat(d("commitTransaction", 1), transaction), slices.Concat(d("abortTransaction", 1), transaction),
		d("endSessions", bson.A{transaction[0].Value}), d("ping", 1), d("insert", "c", "documents", bson.A{doc}),
		d("find", "c", "filter", filter, "sort", d("name", -1), "projection", d("list", 1), "limit", 5),
		d("update", "c", "updates", bson.A{d("q", filter, "u", update, "upsert", true)}),
		d("delete", "c", "deletes", bson.A{d("q", d("list", 3.5), "limit", 1)}),
		d("findAndModify", "c", "query", d("_id", 1), "update", update, "new", true),
		d("aggregate", "c", "pipeline", bson.A{d("$match", filter), d("$group", d("_id", "$name", "n", d("$sum", 1)))},
			"cursor", d("batchSize", 1)),
		d("count", "c"),
		d("createIndexes", "c", "indexes", bson.A{d("key", d("list", 1, "name", -1), "name", "i")}),
		d("getMore", int64(1), "collection", "c"), d("killCursors", "c", "cursors", bson.A{int64(1)}),
	} {
		seed = append(seed, d("$db", "test")...)
		body := must(bson.Marshal(seed))(f)
		f.Add(body, true)
		f.Add(message(f, seed), false)
	}
	f.Add(frame(opQuery, 0, 0, 0, 0), false)
	f.Add([]byte{255, 255, 255, 127}, false)
	alive := message(f, ping())
	f.Fuzz(func(t *testing.T, sent []byte, command bool) {
		if command {
			sent = frame(wiremessage.OpMsg, append([]byte{0, 0, 0, 0, 0}, sent...)...)
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
