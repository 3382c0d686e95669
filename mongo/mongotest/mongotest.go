// Package mongotest opens stores for tests: real ones, on the embedded server or on the MongoDB that MONGO_TEST_URI
// names. Only tests may import it.
package mongotest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"gamedata/mongo"
)

// Open opens an empty store that is closed at the end of the test. Each change may adjust its options.
func Open(t testing.TB, changes ...func(*mongo.Options)) (*mongo.Store, *Server) {
	t.Helper()
	return openIn(t, t.TempDir(), changes...)
}

// openIn opens a store whose files are in dir.
func openIn(t testing.TB, dir string, changes ...func(*mongo.Options)) (*mongo.Store, *Server) {
	t.Helper()
	server, err := StartServer(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return OpenOn(t, server, changes...), server
}

// OpenOn opens another store on a server; it is closed at the end of the test.
func OpenOn(t testing.TB, server *Server, changes ...func(*mongo.Options)) *mongo.Store {
	t.Helper()
	o := server.Options()
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
	})
	return store
}

// WithSelectionTimeout sets how long an operation waits for a server. Tests of a store that is down
// set it low, since every operation takes that long to fail.
func WithSelectionTimeout(d time.Duration) func(*mongo.Options) {
	return func(o *mongo.Options) { o.ServerSelectionTimeout = d }
}

// UUID returns the n-th uuid of a test.
func UUID(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }
