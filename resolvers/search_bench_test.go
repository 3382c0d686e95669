package resolvers_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/benchtest"
	"gamedata/internal/demo/seed"
	"gamedata/mongo"
)

// benchNames is how many players BenchmarkSearch has, one guild to fifty of them:
// BENCH_NAMES, or few enough for a plain run.
func benchNames(b *testing.B) int {
	text := os.Getenv("BENCH_NAMES")
	if text == "" {
		return benchtest.Size(100_000, 500)
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// benchName is a name of four syllables and a number; every one is different.
func benchName(n int) string {
	const syllables = "bacodufigekalomupirasetovuwixaza"
	at := func(k int) string { return syllables[2*(k%16) : 2*(k%16)+2] }
	k := n * 40503 % 65536
	return fmt.Sprint(at(k), at(k>>4), at(k>>8), at(k>>12), n/65536)
}

func fillNames(b *testing.B, store *mongo.Store, players int) {
	b.Helper()
	const batch = 20_000
	for from := 0; from < players; from += batch {
		var ps []*model.Player
		for n := from; n < min(from+batch, players); n++ {
			ps = append(ps, &model.Player{
				UUID:     fmt.Sprintf("%08x-0000-4000-8000-%012d", uint32(n)*2654435761, n),
				Username: benchName(n),
			})
		}
		if err := store.Players.Insert(b.Context(), ps); err != nil {
			b.Fatal(err)
		}
	}
	var gs []*model.Guild
	for n := range players / 50 {
		name := benchName(n)
		gs = append(gs, &model.Guild{
			UUID: fmt.Sprintf("%08x-0000-4000-9000-%012d", n, n), Name: name + " Company",
			Prefix: name[2:6],
		})
	}
	if err := errors.Join(store.Guilds.Insert(b.Context(), gs), mongo.Items.Put(b.Context(), store, seed.Items()),
		mongo.Discoveries.Put(b.Context(), store, seed.Discoveries(seed.Options{}))); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkSearch runs searches one after the other on a large store. memory-MB is the heap
// of the process, the store's own in it, after loading.
func BenchmarkSearch(b *testing.B) {
	w := newEmpty(b)
	players := benchNames(b)
	fillNames(b, w.store, players)
	var heap runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&heap)

	const everything = `query($q:String!){search(query:$q){
		players{nodes{uuid username}} guilds(first:50){nodes{uuid name prefix}} items{nodes{displayName}}
		territories{nodes{name}} discoveries{nodes{name}}}}`
	const names = `query($q:String!){search(query:$q){players{nodes{uuid username}}}}`
	for _, c := range []struct {
		name, query string
		length      int
	}{
		{"players/1-letter", names, 1},
		{"players/3-letters", names, 3},
		{"players/whole", names, 99},
		{"everything/2-letters", everything, 2},
		{"everything/whole", everything, 99},
	} {
		b.Run(c.name, func(b *testing.B) {
			op, errs := w.exec.Parse(c.query, "")
			if errs != nil {
				b.Fatal(errs)
			}
			r := rand.New(rand.NewPCG(1, 2))
			var took []time.Duration
			before := commands(w.server)
			for b.Loop() {
				name := benchName(r.IntN(players))
				begun := time.Now()
				if a := w.exec.Run(b.Context(), op, map[string]any{"q": name[:min(c.length, len(name))]}); len(a.Errors) > 0 {
					b.Fatal(graph.ErrorOf(a.Errors[0]))
				}
				took = append(took, time.Since(begun))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
			b.ReportMetric(float64(commands(w.server)-before)/float64(len(took)), "commands/op")
			b.ReportMetric(float64(heap.HeapAlloc>>20), "memory-MB")
		})
	}
}
