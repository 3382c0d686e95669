package app_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"testing"

	"gamedata/graph/model"
	"gamedata/internal/benchtest"
)

// measuredPlayers is how many of the players have characters and are requested.
const measuredPlayers = 1000

// fewPlayers is the number of players in the small store.
func fewPlayers() int { return benchtest.Size(10_000, measuredPlayers) }

// benchPlayers returns the number of players in the large store: BENCH_PLAYERS, or few enough for a short run.
func benchPlayers(b *testing.B) int {
	text := os.Getenv("BENCH_PLAYERS")
	if text == "" {
		return benchtest.Size(40_000, measuredPlayers)
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < fewPlayers() {
		b.Fatalf("BENCH_PLAYERS is %q, want a number from %d", text, fewPlayers())
	}
	return n
}

// BenchmarkScale requests uncached players, in turns from a store with 10,000 players and one with many more.
func BenchmarkScale(b *testing.B) {
	few, many := populatedWorld(b, fewPlayers()), populatedWorld(b, benchPlayers(b))
	random := rand.New(rand.NewPCG(1, 2))
	big, small := dial(b, many.url, ""), dial(b, few.url, "")
	var t turns
	round := func() {
		name := "P" + strconv.Itoa(random.IntN(measuredPlayers))
		text, _ := rawRequest(b, http.MethodGet, "/v3/player/"+name+"?fullResult", "", "identity", "")
		big.text, small.text = []byte(text), []byte(text)
		few.expireCaches()
		many.expireCaches()
		o := elapsed(b, []*peer{big}, 1)
		t.take(o, elapsed(b, []*peer{small}, 1))
	}
	t.measure(b, 20, 100, round)
	grown, before := median(t.our), median(t.their)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(grown*1e3, "ms")
	b.ReportMetric(before*1e3, "few-ms")
	b.ReportMetric(grown/before, "ratio")
	addComparison(comparison{
		fmt.Sprintf("player, cold, %d players for %d", benchPlayers(b), fewPlayers()), milliseconds(grown),
		milliseconds(before), grown / before, atMost(1.5),
	})
}

// populatedWorld returns a service on a store with that many players besides the demo world. The requested ones are
// spread among the others and have three characters each.
func populatedWorld(b *testing.B, players int) *world {
	b.Helper()
	w := &world{testService: newTestService(b)}
	w.connect(b)
	open, sheets := openPlayer(b)
	const batch = 5000
	for from := 0; from < players; from += batch {
		var ps []*model.Player
		var cs []*model.Character
		for n := from; n < min(from+batch, players); n++ {
			name := "Other" + strconv.Itoa(n)
			known := n%(players/measuredPlayers) == 0 && n/(players/measuredPlayers) < measuredPlayers
			if known {
				name = "P" + strconv.Itoa(n/(players/measuredPlayers))
			}
			p := copyPlayer(open, fmt.Sprintf("%08x-0000-4000-8000-%012d", uint32(n)*2654435761, n), name)
			if ps = append(ps, p); known {
				for i, c := range charactersOf(sheets, p.UUID, 3, n) {
					c.UUID = fmt.Sprintf("%08x-0000-4000-9000-%011d%d", uint32(n)*2654435761, n, i)
					cs = append(cs, c)
				}
			}
		}
		if err := w.store.Players.Insert(b.Context(), ps); err != nil {
			b.Fatal(err)
		}
		if err := w.store.Characters.Insert(b.Context(), cs); err != nil {
			b.Fatal(err)
		}
	}
	return w
}
