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
// server is returned for its counters. Each change may adjust the store's options.
func Open(t testing.TB, changes ...func(*mongo.Options)) (*mongo.Store, *embedded.Server) {
	t.Helper()
	server, err := embedded.Open(t.TempDir(), embedded.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	// Tests may run on a busy machine, so the timeouts are long.
	o := mongo.Options{
		URI: server.URI(), Dialer: server, Timeout: 20 * time.Second,
		ServerSelectionTimeout: 3 * time.Second,
	}
	for _, change := range changes {
		change(&o)
	}
	store, err := mongo.Open(t.Context(), o)
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

// WithSelectionTimeout sets how long an operation waits for a server. Tests of a store that is down
// set it low, since every operation takes that long to fail.
func WithSelectionTimeout(d time.Duration) func(*mongo.Options) {
	return func(o *mongo.Options) { o.ServerSelectionTimeout = d }
}

// UUID returns the n-th uuid of a test.
func UUID(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }
