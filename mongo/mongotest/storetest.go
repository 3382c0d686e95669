// Package mongotest opens stores for the tests of other rooms: real ones, on the embedded
// server. Nothing but tests may import it.
package mongotest

import (
	"context"
	"testing"
	"time"

	"gamedata/mongo"
	"gamedata/mongo/embedded"
)

// Open opens an empty store that is closed at the end of the test. It does not wait for the
// disk. The server is given too, for its counters.
func Open(t testing.TB) (*mongo.Store, *embedded.Server) {
	t.Helper()
	server, err := embedded.Open(t.TempDir(), embedded.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	// Tests may run beside much other work, so the store may take its time.
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
