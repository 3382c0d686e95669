// Package mongotest opens stores for tests: real ones, on the embedded server. Only tests may import it.
package mongotest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"gamedata/mongo"
	"gamedata/mongo/embedded"
)

// Open opens an empty store that is closed at the end of the test and does not sync to disk. The
// server is returned for its counters.
func Open(t testing.TB) (*mongo.Store, *embedded.Server) {
	t.Helper()
	server, err := embedded.Open(t.TempDir(), embedded.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	// Tests may run on a busy machine, so the timeouts are long.
	store, err := mongo.Open(t.Context(), mongo.Options{
		URI: server.URI(), Dialer: server, Timeout: 20 * time.Second,
		ServerSelectionTimeout: 3 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return store, server
}

// UUID returns the n-th uuid of a test.
func UUID(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }
