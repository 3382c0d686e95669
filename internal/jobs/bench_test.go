package jobs_test

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
	"gamedata/internal/jobs"
	"gamedata/mongo"
	"gamedata/mongo/conn"
	"gamedata/mongo/embedded"
)

// benchPlayers is how many players the benchmarks have: BENCH_PLAYERS, or few, so
// that a plain run is short.
func benchPlayers(b *testing.B) int {
	text := os.Getenv("BENCH_PLAYERS")
	if text == "" {
		return 5000
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// benchWorld is a demo world on disk, as the service keeps it: writes wait for the disk.
func benchWorld(b *testing.B, players int) *mongo.Store {
	b.Helper()
	server, _ := benchServer(b, players)
	return openOn(b, server, server)
}

// benchServer is the server of a demo world, and its directory.
func benchServer(b *testing.B, players int) (*embedded.Server, string) {
	b.Helper()
	dir := b.TempDir()
	server, err := embedded.Open(dir, embedded.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := server.Close(); err != nil {
			b.Error(err)
		}
	})
	store := openOn(b, server, server)
	if err := seed.Run(b.Context(), store, seed.Options{Players: players, Seed: 1, Now: benchNow}); err != nil {
		b.Fatal(err)
	}
	return server, dir
}

// openOn connects to a server.
func openOn(b *testing.B, server *embedded.Server, dialer options.ContextDialer) *mongo.Store {
	b.Helper()
	store, err := mongo.Open(b.Context(), mongo.Options{Options: conn.Options{
		URI: server.URI(), Dialer: dialer, Timeout: time.Minute,
		ServerSelectionTimeout: time.Minute,
	}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := store.Close(context.Background()); err != nil {
			b.Error(err)
		}
	})
	return store
}

var benchNow = time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)

// highest watches the memory of the process, the store's in it, while work runs: what the
// Go runtime holds of the system, in MB.
func highest(work func()) float64 {
	debug.FreeOSMemory() // what was held before is not the work's
	var top atomic.Uint64
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		for {
			metrics.Read(s)
			top.Store(max(top.Load(), s[0].Value.Uint64()-s[1].Value.Uint64()))
			select {
			case <-stop:
				return
			case <-tick.C:
			}
		}
	}()
	work()
	close(stop)
	<-ended
	return float64(top.Load()) / (1 << 20)
}

// BenchmarkRefresh refreshes the leaderboards of one world: everything, then after so many
// players played for a while.
func BenchmarkRefresh(b *testing.B) {
	players := benchPlayers(b)
	store := benchWorld(b, players)
	run := func(b *testing.B, o jobs.Options) jobs.Report {
		r, err := jobs.Refresh(b.Context(), store, benchNow, o)
		if err != nil {
			b.Fatal(err)
		}
		return r
	}
	full := func(b *testing.B) {
		top := 0.0
		var r jobs.Report
		for b.Loop() {
			top = max(top, highest(func() { r = run(b, jobs.Options{Full: true}) }))
		}
		b.ReportMetric(top, "MB")
		b.ReportMetric(float64(r.Pages), "pages")
		b.ReportMetric(float64(r.Rankings), "rankings")
	}
	b.Run(fmt.Sprintf("first/players=%d", players), full)
	b.Run(fmt.Sprintf("full/players=%d", players), full)
	everybody := clearOnline(b, store)
	for _, n := range []int{players / 500, players / 50, players / 5} {
		b.Run(fmt.Sprintf("changed=%d/players=%d", n, players), func(b *testing.B) {
			top := 0.0
			var r jobs.Report
			for b.Loop() {
				b.StopTimer()
				play(b, store, everybody, n)
				b.StartTimer()
				top = max(top, highest(func() { r = run(b, jobs.Options{}) }))
			}
			b.ReportMetric(top, "MB")
			b.ReportMetric(float64(r.Players), "looked-at")
			b.ReportMetric(float64(r.Pages), "pages")
			b.ReportMetric(float64(r.Rankings), "rankings")
		})
	}
}

// clearOnline sends everybody home and lists them.
func clearOnline(b *testing.B, store *mongo.Store) []string {
	b.Helper()
	var all []string
	for after := ""; ; {
		uuids, err := store.Scores.UUIDsAfter(b.Context(), mongo.RankedPlayers, after, 1000)
		if err != nil {
			b.Fatal(err)
		}
		if len(uuids) == 0 {
			return all
		}
		after, all = uuids[len(uuids)-1], append(all, uuids...)
		ps, err := store.Players.ByUUID(b.Context(), uuids)
		if err != nil {
			b.Fatal(err)
		}
		var online []*model.Player
		for _, p := range ps {
			if p.Online {
				p.Online, p.World, p.ActiveCharacter = false, nil, nil
				online = append(online, p)
			}
		}
		if err := store.Players.Put(b.Context(), online); err != nil {
			b.Fatal(err)
		}
	}
}

var played int

// lastPlayed is when the last ones to play joined: two days after those before.
func lastPlayed() time.Time { return benchNow.AddDate(0, 0, 2*played) }

// play lets n players spread over the world gain experience in combat and one profession,
// win a war and finish a quest, and leave.
func play(b *testing.B, store *mongo.Store, everybody []string, n int) {
	b.Helper()
	played++
	for first := 0; first < n; first += 1000 {
		var uuids []string
		for i := first; i < min(first+1000, n); i++ {
			uuids = append(uuids, everybody[(i*len(everybody)/n+played*7)%len(everybody)])
		}
		ps, err := store.Players.ByUUID(b.Context(), uuids)
		if err != nil {
			b.Fatal(err)
		}
		all, err := store.Characters.ByOwner(b.Context(), uuids)
		if err != nil {
			b.Fatal(err)
		}
		var changed []*model.Character
		for i, p := range ps {
			p.Flagged = true
			p.LastJoinedAt = new(lastPlayed())
			p.Totals.Wars++
			p.Totals.ContentCompletion++
			if len(all[i]) == 0 {
				continue
			}
			c := all[i][0]
			c.XP += int64(1000 + i)
			*c.ContentCompletion++
			if c.ProfessionXP == nil {
				c.ProfessionXP = map[string]int64{}
			}
			c.ProfessionXP["mining"] += int64(100 + i)
			changed = append(changed, c)
		}
		if err := store.Players.Put(b.Context(), ps); err != nil {
			b.Fatal(err)
		}
		if err := store.Characters.Put(b.Context(), changed); err != nil {
			b.Fatal(err)
		}
	}
}
