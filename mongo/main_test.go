package mongo_test

import (
	"os"
	"testing"

	"gamedata/mongo/mongotest"
)

func TestMain(m *testing.M) { os.Exit(mongotest.BothWays{M: m}.Run()) }

// check fails the test at the first error.
func check(t testing.TB, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// must returns a value, or fails the test with the error.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		check(t, err)
		return v
	}
}
