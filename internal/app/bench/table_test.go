package bench

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"
	"text/tabwriter"
)

// comparison is a row of the table that benchmarks end with: a figure of the service, the figure of its baseline in the
// same run, their ratio and its target.
type comparison struct {
	row            string
	ours, baseline string  // formatted: "1.20 ms", "20,000/s"
	ratio          float64 // or a figure without a baseline
	target         target
}

type target struct {
	bound   float64
	atLeast bool // else at most
	none    bool // no target, for information only
}

func atLeast(ratio float64) target { return target{bound: ratio, atLeast: true} }
func atMost(ratio float64) target  { return target{bound: ratio} }

func (t target) String() string {
	switch {
	case t.none:
		return ""
	case t.atLeast:
		return fmt.Sprintf("≥ %.2f", t.bound)
	}
	return fmt.Sprintf("≤ %.2f", t.bound)
}

func (t target) met(ratio float64) string {
	switch {
	case t.none:
		return ""
	case t.atLeast == (ratio >= t.bound) || ratio == t.bound:
		return "met"
	}
	return "NOT MET"
}

// benchTable contains the comparisons of one run of the test binary.
var benchTable struct {
	sync.Mutex
	rows []comparison
}

// addComparison adds a row to the table, in place of the time of an operation. It replaces one of the same name, since
// a benchmark may run several times.
func addComparison(b *testing.B, c comparison) {
	b.ReportMetric(0, "ns/op")
	benchTable.Lock()
	defer benchTable.Unlock()
	if i := slices.IndexFunc(benchTable.rows, func(r comparison) bool { return r.row == c.row }); i >= 0 {
		benchTable.rows[i] = c
		return
	}
	benchTable.rows = append(benchTable.rows, c)
}

// addFigure adds a row with a figure that is compared with nothing but its target.
func addFigure(b *testing.B, row string, figure float64, goal target) {
	addComparison(b, comparison{row: row, ratio: figure, target: goal})
}

// writeTable prints the table at the end of a run of the test binary.
func writeTable(w io.Writer) {
	benchTable.Lock()
	defer benchTable.Unlock()
	if len(benchTable.rows) == 0 {
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\nrow\tours\tbaseline\tratio or figure\ttarget\t")
	for _, c := range benchTable.rows {
		fmt.Fprintf(t, "%s\t%s\t%s\t%.2f\t%s\t%s\n", c.row, c.ours, c.baseline, c.ratio, c.target, c.target.met(c.ratio))
	}
	fmt.Fprintln(t)
	_ = t.Flush()
}
