package jobs_test

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gamedata/internal/jobs"
	"gamedata/mongo/mongotest"
)

// A sorter returns what was added in order, whether it fits into memory or not, and leaves no file.
func TestSorter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 9).Draw(t, "size")
		want := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), size, size), 0, 60).Draw(t, "records")
		s := jobs.NewSorter(size, rapid.IntRange(0, 200).Draw(t, "memory"), dir)
		defer s.Close()
		for _, record := range want {
			mongotest.Must(t, s.Add(record))
		}
		sorted := mongotest.Value(s.Sorted())(t)
		var got [][]byte
		for sorted.Record() != nil {
			got = append(got, slices.Clone(sorted.Record()))
			mongotest.Must(t, sorted.Advance())
		}
		slices.SortFunc(want, bytes.Compare)
		if !slices.EqualFunc(got, want, bytes.Equal) {
			t.Fatalf("got %x, want %x", got, want)
		}
	})
	checkEmpty(t, dir)
}

// checkEmpty checks that a directory has no files.
func checkEmpty(t *testing.T, dir string) {
	t.Helper()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("got files %v, %v, want none", left, err)
	}
}
