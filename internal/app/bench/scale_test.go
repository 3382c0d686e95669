package bench

import (
	"fmt"
	"math"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
)

func sizes() []int { return []int{2000, 200_000} }

// scaleRequests are requests whose time should not depend on the number of players.
var scaleRequests = []struct{ name, query string }{
	{"statistics", `statistics{players online}`},
	{"first page of players online", `onlinePlayers(first:20){totalCount nodes{username}}`},
	{"players, first page and count", `players(first:20){totalCount nodes{username uuid}}`},
	{"guilds, first page and count", `guilds(first:20){totalCount nodes{name level}}`},
	{"page of a leaderboard", `leaderboard(by:{type:"warsCompletion"}){entries(first:20){nodes{score}}}`},
}

// BenchmarkScale creates demo worlds of 2,000 and 200,000 players, refreshes their leaderboards, starts the program on
// them, and requests the same of both in turns. No response is requested twice, so none comes from the cache.
func BenchmarkScale(b *testing.B) {
	var bases []string
	for _, players := range sizes() {
		binary, dir := buildProgram(b), apptest.Dir(b)
		command := func(args ...string) (seconds, mb float64) {
			return observe(b, exec.CommandContext(b.Context(), binary, append(args, "--data-dir", dir)...))
		}
		seconds, mb := command("seed", "--players", strconv.Itoa(players), "--seed-days", "0")
		refresh, most := command("jobs", "run", "leaderboards", "--full")
		if players == sizes()[1] {
			addFigure(b, "seed 200,000 players, s", seconds, atMost(120))
			addFigure(b, "seed 200,000 players, memory in MB", mb, atMost(1500))
			addFigure(b, "full refresh, players a second", float64(players)/refresh, atLeast(4000))
			addFigure(b, "full refresh of 200,000 players, memory in MB", most, atMost(200))
		}
		begun := time.Now()
		program := serveProgram(b, binary, dir, "--guest-rate", "1000000", "--leaderboard-refresh", "0")
		bases = append(bases, program.base)
		apptest.Get(b, program.base+"/readyz").Expect(b, "readyz", http.StatusOK)
		if took := time.Since(begun).Seconds(); players == sizes()[1] {
			addFigure(b, "start to ready, 200,000 players, s", took, atMost(0.5))
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
			exponent := math.Log(median(t.ratios)) / math.Log(100)
			addComparison(b, comparison{
				row.name + ", 200,000 players for 2,000, exponent", milliseconds(median(t.our)), milliseconds(median(t.their)),
				exponent, atMost(0.1),
			})
		})
	}
}

// observe runs a program to its end, and returns how long it took and the most anonymous memory that it had.
func observe(b *testing.B, program *exec.Cmd) (seconds, mb float64) {
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
			return time.Since(begun).Seconds(), slices.Max(seen)
		case <-time.After(50 * time.Millisecond):
			seen = append(seen, apptest.AnonymousMB(b, program.Process.Pid))
		}
	}
}
