package embedded

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// The benchmarks go through the real driver and wait for the disk, as the service does. Every operation is measured
// on benchDocs documents of about 2 KB with three indexes.

const benchDocs = 100_000

// benchDocument is a player-like document of about 2,000 bytes.
func benchDocument(i int) bson.D {
	d := bson.D{
		{Key: "_id", Value: benchID(i)},
		{Key: "name", Value: benchName(i)},
		{Key: "guild", Value: i % 1000},
		{Key: "level", Value: i * 7919 % 100_003},
		{Key: "seen", Value: bson.DateTime(1_700_000_000_000 + int64(i))},
	}
	for f := range 40 {
		d = append(d, bson.E{Key: fmt.Sprintf("counter%02d", f), Value: int64(i * f)})
	}
	return append(d, bson.E{Key: "text", Value: strings.Repeat("lorem ipsum ", 92)})
}

func benchID(i int) string { return fmt.Sprintf("%08x-player", int64(i)*2654435761&0xffffffff) }

func benchName(i int) string { return fmt.Sprintf("name%07d", i*7919%benchDocs) }

var benchIndexes = []driver.IndexModel{
	{Keys: d("name", 1), Options: options.Index().SetUnique(true)},
	{Keys: d("guild", 1, "level", -1)},
	{Keys: d("level", -1)},
}

// BenchmarkBulkLoad inserts everything into a new store with its indexes, in batches from several loaders.
func BenchmarkBulkLoad(b *testing.B) {
	docs := make([]any, benchDocs)
	size := 0
	for i := range docs {
		encoded, err := bson.Marshal(benchDocument(i))
		if err != nil {
			b.Fatal(err)
		}
		docs[i] = bson.Raw(encoded)
		size += len(encoded)
	}
	var took time.Duration
	for b.Loop() {
		dir := b.TempDir()
		s, err := Open(dir, Options{})
		if err != nil {
			b.Fatal(err)
		}
		c := connect(b, s).Collection("players")
		if _, err := c.Indexes().CreateMany(b.Context(), benchIndexes); err != nil {
			b.Fatal(err)
		}
		start := time.Now()
		if err := load(b, c, docs); err != nil {
			b.Fatal(err)
		}
		took += time.Since(start)
		if err := errors.Join(s.Close(), os.RemoveAll(dir)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(benchDocs*b.N)/took.Seconds(), "docs/s")
	b.ReportMetric(float64(size)/benchDocs, "B/doc")
}

func load(b *testing.B, c *driver.Collection, docs []any) error {
	const batch, loaders = 2000, 4
	work := make(chan []any, len(docs)/batch+1)
	for ; len(docs) > 0; docs = docs[min(batch, len(docs)):] {
		work <- docs[:min(batch, len(docs))]
	}
	close(work)
	failed := make(chan error, loaders)
	for range loaders {
		go func() {
			var err error
			for part := range work {
				if err == nil {
					_, err = c.InsertMany(b.Context(), part, options.InsertMany().SetOrdered(false))
				}
			}
			failed <- err
		}()
	}
	for range loaders {
		if err := <-failed; err != nil {
			return err
		}
	}
	return nil
}

// benchCollection is the loaded store that the reading benchmarks share.
func benchCollection(b *testing.B) *driver.Collection {
	b.Helper()
	s := openServer(b, Options{NoSync: true})
	c := connect(b, s).Collection("players")
	docs := make([]any, benchDocs)
	for i := range docs {
		docs[i] = benchDocument(i)
	}
	if err := load(b, c, docs); err != nil {
		b.Fatal(err)
	}
	if _, err := c.Indexes().CreateMany(b.Context(), benchIndexes); err != nil {
		b.Fatal(err)
	}
	return c
}

func BenchmarkRead(b *testing.B) {
	c := benchCollection(b)
	b.Run("id", func(b *testing.B) {
		for b.Loop() {
			benchFind(b, c, d("_id", benchID(rand.IntN(benchDocs))), 1, options.Find().SetLimit(1))
		}
	})
	b.Run("in50", func(b *testing.B) {
		for b.Loop() {
			ids := bson.A{}
			for range 50 {
				ids = append(ids, benchID(rand.IntN(benchDocs)))
			}
			benchFind(b, c, d("_id", d("$in", ids)), 0, options.Find())
		}
	})
	b.Run("name", func(b *testing.B) {
		for b.Loop() {
			benchFind(b, c, d("name", benchName(rand.IntN(benchDocs))), 1, options.Find())
		}
	})
	b.Run("top20", func(b *testing.B) {
		for b.Loop() {
			benchFind(b, c, d("guild", rand.IntN(1000)), 20,
				options.Find().SetSort(d("level", -1)).SetLimit(20))
		}
	})
	b.Run("countGuild", func(b *testing.B) {
		for b.Loop() {
			if n, err := c.CountDocuments(b.Context(), d("guild", rand.IntN(1000))); err != nil || n != 100 {
				b.Fatal(n, err)
			}
		}
	})
	b.Run("covered100k", func(b *testing.B) {
		for b.Loop() {
			benchFind(b, c, d("name", d("$gte", "")), benchDocs,
				options.Find().SetBatchSize(20_000).SetProjection(d("name", 1, "_id", 0)))
		}
	})
}

// benchFind reads whole documents without decoding them.
func benchFind(b *testing.B, c *driver.Collection, filter any, want int, o options.Lister[options.FindOptions]) {
	cursor, err := c.Find(b.Context(), filter, o)
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	for cursor.Next(b.Context()) {
		n++
	}
	if cursor.Err() != nil || n == 0 || (want > 0 && n != want) {
		b.Fatal(n, cursor.Err())
	}
}

// BenchmarkWrite updates single documents, waiting for the disk each time; the parallel one shares commits.
func BenchmarkWrite(b *testing.B) {
	s := openServer(b, Options{})
	c := connect(b, s).Collection("players")
	docs := make([]any, 1000)
	for i := range docs {
		docs[i] = benchDocument(i)
	}
	if err := load(b, c, docs); err != nil {
		b.Fatal(err)
	}
	one := func(i int) error {
		_, err := c.UpdateOne(b.Context(), d("_id", benchID(i%1000)),
			d("$inc", d("level", 1)))
		return err
	}
	b.Run("alone", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if err := one(i); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("parallel", func(b *testing.B) {
		b.SetParallelism(32)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if err := one(rand.IntN(1000)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	})
}

// BenchmarkTransaction runs small transactions: a find, a bulkWrite of three writes and the commit.
func BenchmarkTransaction(b *testing.B) {
	for _, noSync := range []bool{false, true} {
		for _, clients := range []int{1, 8} {
			b.Run(fmt.Sprintf("noSync=%v/clients=%d", noSync, clients), func(b *testing.B) {
				benchTransactions(b, connect(b, openServer(b, Options{NoSync: noSync})).Collection("players"), clients)
			})
		}
	}
}

func benchTransactions(b *testing.B, c *driver.Collection, clients int) {
	docs := make([]any, 1000)
	for i := range docs {
		docs[i] = benchDocument(i)
	}
	if err := load(b, c, docs); err != nil {
		b.Fatal(err)
	}
	client := c.Database().Client()
	one := func(ctx context.Context) error {
		i := rand.IntN(len(docs))
		if err := c.FindOne(ctx, d("_id", benchID(i))).Err(); err != nil {
			return err
		}
		writes := []driver.ClientBulkWrite{
			{Database: "test", Collection: "events", Model: driver.NewClientInsertOneModel().SetDocument(d("of", i))},
		}
		for _, id := range []int{i, (i + 1) % len(docs)} {
			model := driver.NewClientUpdateOneModel().SetFilter(d("_id", benchID(id))).SetUpdate(d("$inc", d("level", 1)))
			writes = append(writes, driver.ClientBulkWrite{Database: "test", Collection: c.Name(), Model: model})
		}
		_, err := client.BulkWrite(ctx, writes)
		return err
	}
	var left atomic.Int64
	left.Store(int64(b.N))
	var group sync.WaitGroup
	b.ResetTimer()
	for range clients {
		group.Go(func() {
			for left.Add(-1) >= 0 {
				if err := inTransactions(b.Context(), client, one); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tx/s")
}

// BenchmarkLargeReply reads 10 MB in one reply.
func BenchmarkLargeReply(b *testing.B) {
	c := connect(b, openServer(b, Options{})).Collection("players")
	docs := make([]any, 10_000)
	for i := range docs {
		docs[i] = d("_id", i, "text", strings.Repeat("x", 1000))
	}
	if err := load(b, c, docs); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		benchFind(b, c, d(), len(docs), options.Find().SetBatchSize(int32(len(docs))))
	}
}
