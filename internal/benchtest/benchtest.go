// Package benchtest runs the benchmarks of a package in its tests, once each, so that they cannot rot.
package benchtest

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const once = "1x"

// Brief reports whether benchmarks run once only: then small sizes and a single turn suffice.
func Brief() bool { return flag.Lookup("test.benchtime").Value.String() == once }

// Size returns how large something is in a benchmark, or how large if it is Brief.
func Size(usual, brief int) int {
	if Brief() {
		return brief
	}
	return usual
}

var declared = regexp.MustCompile(`(?m)^func (Benchmark\w+)\(`)

// nameOf returns the package and the name of a function.
func nameOf(f func(*testing.B)) (pkg, name string) {
	path := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	pkg, name, _ = strings.Cut(path[strings.LastIndex(path, "/")+1:], ".")
	return pkg, name
}

// Run runs benchmarks once each. It fails if one does, or if the package of the test has others.
func Run(t *testing.T, benchmarks ...func(*testing.B)) {
	t.Helper()
	usual := flag.Lookup("test.benchtime").Value.String()
	if err := flag.Set("test.benchtime", once); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = flag.Set("test.benchtime", usual) }()
	own, _ := nameOf(benchmarks[0])
	missing := map[string]bool{}
	files, _ := filepath.Glob("*_test.go")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains("\n"+string(text), "\npackage "+own+"\n") {
			continue
		}
		for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
			missing[m[1]] = true
		}
	}
	for _, f := range benchmarks {
		_, name := nameOf(f)
		delete(missing, name)
		failed := true
		testing.Benchmark(func(b *testing.B) {
			defer func() { failed = b.Failed() }()
			f(b)
		})
		if failed {
			t.Errorf("%s fails: go test -run '^$' -bench '^%s$' -benchtime %s", name, name, once)
		}
	}
	if len(missing) > 0 {
		t.Errorf("add the benchmarks %v", slices.Sorted(maps.Keys(missing)))
	}
}
