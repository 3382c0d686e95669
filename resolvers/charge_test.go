package resolvers_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"gamedata/graph/viewer"
	"gamedata/mongo/mongotest"
)

// charged is a query with the processor time that each unit of its charge took, and the bytes of the response.
type charged struct {
	name, query string
	units       int
	perUnit     time.Duration
	bytes       int // per unit
}

// BenchmarkCharges measures the processor time of a unit, the embedded store included: of each example of the console
// and of the worst query of each root field. No record is cached. It measures the bytes of a unit too, with names of
// fields as long as they may be.
func BenchmarkCharges(b *testing.B) {
	w := newWorstWorld(b, 2000)
	var all []charged
	for b.Loop() {
		all = nil
		files, err := filepath.Glob("../internal/web/console/examples/*/*.graphql")
		if err != nil || len(files) < 30 {
			b.Fatal(files, err)
		}
		for _, file := range files {
			text := mongotest.Value(os.ReadFile(file))(b)
			if !strings.Contains(string(text), "\nsubscription") {
				all = append(all, w.charge(b, filepath.Base(file), string(text), 3))
			}
		}
		g := newWorstQueries(w)
		for _, root := range g.roots() {
			var worst charged
			for query := range g.queries(root) {
				if c := w.charge(b, root.Name, query, 1); c.perUnit > worst.perUnit {
					worst = c
				}
			}
			all = append(all, w.charge(b, worst.name, worst.query, 3))
		}
		for _, length := range []int{8, 32, 128} {
			var names strings.Builder
			for i := range 29 {
				name := fmt.Sprintf("a%d_", i)
				fmt.Fprintf(&names, " %s%s:username", name, strings.Repeat("x", length-len(name)))
			}
			all = append(all, w.charge(b, fmt.Sprint("names of ", length), "{players(first:1000){nodes{"+names.String()+"}}}", 1))
		}
	}
	slices.SortFunc(all, func(x, y charged) int { return cmp.Compare(x.perUnit, y.perUnit) })
	for _, c := range all {
		fmt.Printf("%8d µs/unit %8d bytes/unit %4d units  %s  %.300q\n",
			c.perUnit.Microseconds(), c.bytes, c.units, c.name, c.query)
	}
	median, most := all[len(all)/2].perUnit, all[len(all)-1].perUnit
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(median.Microseconds()), "median-µs")
	b.ReportMetric(float64(most.Microseconds()), "most-µs")
	largest := slices.MaxFunc(all, func(x, y charged) int { return cmp.Compare(x.bytes, y.bytes) })
	b.ReportMetric(float64(largest.bytes)/1e3, "most-kB")
}

// charge measures a query: the best of some turns, since other work on the machine only adds to them.
func (w *world) charge(b *testing.B, name, query string, turns int) charged {
	op := parse(b, w.exec, query)
	charges, err := w.exec.Charges(op, nil)
	if err != nil {
		b.Fatal(query, err)
	}
	ctx := viewer.With(b.Context(), viewer.Viewer{Kind: viewer.Guest})
	response := w.exec.Run(ctx, op, nil) // content is cached
	c := charged{name: name, query: query}
	for _, units := range charges {
		c.units += units
	}
	c.bytes = len(response.Data) / max(1, c.units)
	for range turns {
		runtime.GC()
		before, runs := processorTime(b), 0
		for runs == 0 || processorTime(b)-before < 5*time.Millisecond {
			w.exec.Run(ctx, op, nil)
			runs++
		}
		took := (processorTime(b) - before) / time.Duration(runs*max(1, c.units))
		if c.perUnit == 0 || took < c.perUnit {
			c.perUnit = took
		}
	}
	return c
}

func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	mongotest.Must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
