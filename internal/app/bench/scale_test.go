package bench

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/dustin/go-humanize"

	"gamedata/internal/app/apptest"
)

// sizes returns the players of the small and the large world of BenchmarkScale; BENCH_PLAYERS sets the large number.
func sizes(b *testing.B) (small, large int) {
	large, err := strconv.Atoi(cmp.Or(os.Getenv("BENCH_PLAYERS"), "200000"))
	if err != nil || large <= 2000 {
		b.Fatalf("BENCH_PLAYERS: %q is no number above 2000", os.Getenv("BENCH_PLAYERS"))
	}
	return 2000, large
}

// scaleRequests are requests whose time should not depend on the number of players.
var scaleRequests = []struct{ name, query string }{
	{"statistics", `statistics{players online}`},
	{"first page of players online", `onlinePlayers(first:20){totalCount nodes{username}}`},
	{"players, first page and count", `players(first:20){totalCount nodes{username uuid}}`},
	{"guilds, first page and count", `guilds(first:20){totalCount nodes{name level}}`},
	{"page of a leaderboard", `leaderboard(by:{type:"warsCompletion"}){entries(first:20){nodes{score}}}`},
}

// BenchmarkScale creates a small and a large demo world, refreshes their leaderboards, starts the program on them, and
// requests the same of both in turns. No response is requested twice, so none comes from the cache.
func BenchmarkScale(b *testing.B) {
	small, large := sizes(b)
	world, growth := humanize.Comma(int64(large))+" players", math.Log(float64(large)/float64(small))
	var bases []string
	for _, players := range []int{small, large} {
		binary, dir := buildProgram(b), apptest.Dir(b)
		command := func(args ...string) cost {
			return observe(b, exec.CommandContext(b.Context(), binary, append(args, "--data-dir", dir)...))
		}
		seed := command("seed", "--players", strconv.Itoa(players), "--seed-days", "0")
		refresh := command("jobs", "run", "leaderboards", "--full")
		if players == large {
			addFigure(b, "seed "+world+", s", seed.seconds, atMost(0.0006*float64(large)))
			addFigure(b, "seed "+world+", memory in MB", seed.mb, atMost(1500))
			addFigure(b, "full refresh, players a second", float64(players)/refresh.seconds, atLeast(4000))
			addFigure(b, "full refresh of "+world+", memory in MB", refresh.mb, atMost(200))
			addFigure(b, "full refresh, processor time of a player in µs", 1e6*refresh.processor/float64(players), atMost(200))
		}
		begun := time.Now()
		program := serveProgram(b, binary, dir, "--guest-rate", "1000000", "--leaderboard-refresh", "0")
		bases = append(bases, program.base)
		apptest.Get(b, program.base+"/readyz").Expect(b, "readyz", http.StatusOK)
		if took := time.Since(begun).Seconds(); players == large {
			addFigure(b, "start to ready, "+world+", s", took, atMost(0.5))
		}
	}
	for _, row := range scaleRequests {
		b.Run(row.name, func(b *testing.B) {
			n := 0
			another := func() (text []byte, body string) {
				n++
				query := fmt.Sprintf(`{n%d:__typename %s}`, n, row.query)
				request, body := rawRequest(b, http.MethodPost, "/graphql", query, "identity", "")
				return []byte(request), body
			}
			for _, base := range bases {
				_, body := another()
				apptest.RequestOK(b, base, http.MethodPost, "/graphql", body)
			}
			small, large := dial(b, bases[0], ""), dial(b, bases[1], "")
			var t turns
			t.measure(b, 5, 50, func() {
				large.text, _ = another()
				small.text, _ = another()
				o := elapsed(b, []*peer{large}, 1)
				t.take(o, elapsed(b, []*peer{small}, 1))
			})
			addComparison(b, comparison{
				row.name + ", " + world + " for 2,000, exponent", milliseconds(median(t.our)), milliseconds(median(t.their)),
				math.Log(median(t.ratios)) / growth, atMost(0.1),
			})
		})
	}
}

// cost is the cost of a program: its time, its processor time in seconds, and the most anonymous memory that it had.
type cost struct{ seconds, processor, mb float64 }

// observe runs a program to its end.
func observe(b *testing.B, program *exec.Cmd) cost {
	b.Helper()
	program.Stderr = os.Stderr
	begun := time.Now()
	if err := program.Start(); err != nil {
		b.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- program.Wait() }()
	seen := []float64{0}
	for {
		select {
		case err := <-ended:
			if err != nil {
				b.Fatal(err)
			}
			spent := program.ProcessState.UserTime() + program.ProcessState.SystemTime()
			return cost{time.Since(begun).Seconds(), spent.Seconds(), slices.Max(seen)}
		case <-time.After(50 * time.Millisecond):
			seen = append(seen, apptest.AnonymousMB(b, program.Process.Pid))
		}
	}
}
