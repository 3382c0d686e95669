package app_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"
)

// turns measures two things in turns, so that other work on the machine hurts both alike.
type turns struct{ our, their, ratios []float64 }

// take adds one turn: how long each took, in seconds.
func (t *turns) take(our, their time.Duration) {
	t.our, t.their = append(t.our, our.Seconds()), append(t.their, their.Seconds())
	t.ratios = append(t.ratios, our.Seconds()/their.Seconds())
}

// median is the middle of figures, 0 of none: single turns are slowed by other work.
func median(figures []float64) float64 {
	if len(figures) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(figures))[len(figures)/2]
}

// fewestTurns is how many turns a median is taken of at least.
const fewestTurns = 15

// benchCold measures single requests whose answer the service has to make, in turns with the same
// requests to a hand-written handler. Before each one, prepare may take away what is cached.
func (svc *testService) benchCold(b *testing.B, row, text string, baseline http.Handler, prepare func(), goal target) {
	bare := httptest.NewServer(baseline)
	defer bare.Close()
	ours, theirs := dial(b, svc.url, text), dial(b, bare.URL, text)
	var t turns
	round := func() {
		prepare()
		o := elapsed(b, []*peer{ours}, 1)
		t.take(o, elapsed(b, []*peer{theirs}, 1))
	}
	for range 3 {
		round()
	}
	t = turns{}
	for b.Loop() {
		round()
	}
	for len(t.ratios) < fewestTurns {
		round()
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(t.our)*1e3, "ms")
	b.ReportMetric(median(t.their)*1e3, "bare-ms")
	b.ReportMetric(median(t.ratios), "ratio")
	addComparison(comparison{row, milliseconds(median(t.our)), milliseconds(median(t.their)), median(t.ratios), goal})
}
