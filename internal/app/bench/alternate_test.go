package bench

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"
)

// turns are alternating measurements of two things, so that other work on the machine affects both equally.
type turns struct{ our, their, ratios []float64 }

func (t *turns) take(our, their time.Duration) {
	t.our, t.their = append(t.our, our.Seconds()), append(t.their, their.Seconds())
	t.ratios = append(t.ratios, our.Seconds()/their.Seconds())
}

// measure repeats rounds, each of which takes a turn: some to warm up, which do not count, then a number at least.
func (t *turns) measure(b *testing.B, warm, least int, round func()) {
	for range warm {
		round()
	}
	*t = turns{}
	for b.Loop() {
		round()
	}
	for len(t.ratios) < least {
		round()
	}
}

// median returns the median, 0 without figures. A median ignores single turns slowed by other work.
func median(figures []float64) float64 {
	if len(figures) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(figures))[len(figures)/2]
}

const fewestTurns = 15

// benchCold measures single uncached requests, in turns with the same requests to a hand-written handler. It calls
// prepare, which may empty caches, before each turn.
func (w *world) benchCold(b *testing.B, row, text string, baseline http.Handler, prepare func(), goal target,
) {
	bare := httptest.NewServer(baseline)
	defer bare.Close()
	ours, theirs := dial(b, w.URL, text), dial(b, bare.URL, text)
	var t turns
	round := func() {
		prepare()
		o := elapsed(b, []*peer{ours}, 1)
		t.take(o, elapsed(b, []*peer{theirs}, 1))
	}
	t.measure(b, 3, fewestTurns, round)
	addComparison(b, comparison{row, milliseconds(median(t.our)), milliseconds(median(t.their)), median(t.ratios), goal})
}
