package mongo_test

import (
	"os"
	"testing"

	"gamedata/mongo/mongotest"
)

func TestMain(m *testing.M) { os.Exit(mongotest.BothWays{M: m}.Run()) }

// must fails the test at the first error.
func must(t testing.TB, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}
