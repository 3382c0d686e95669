package mongo_test

import (
	"context"
	"errors"
	"net"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gamedata/mongo"
	"gamedata/mongo/conn"
	"gamedata/mongo/mongotest"
)

// lateStore refuses its first connections, like a server that is starting.
type lateStore struct {
	*mongotest.Server
	refuse atomic.Int32
}

func (l *lateStore) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if l.refuse.Add(-1) >= 0 {
		return nil, errors.New("connection refused")
	}
	return l.Server.DialContext(ctx, network, address)
}

// The program may start before its store does.
func TestOpenWaitsForTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, err := mongotest.StartServer(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = server.Close() }()
		late := &lateStore{Server: server}
		late.refuse.Store(3)
		store, err := mongo.Open(t.Context(), mongo.Options{Options: conn.Options{
			URI: server.URI(), Dialer: late, StartTimeout: time.Minute,
			ServerSelectionTimeout: time.Millisecond,
		}})
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Close(t.Context()); err != nil {
			t.Error(err)
		}

		late.refuse.Store(1 << 30)
		if _, err := mongo.Open(t.Context(), mongo.Options{Options: conn.Options{
			URI: server.URI(), Dialer: late,
			StartTimeout: time.Second,
		}}); !errors.Is(err, mongo.ErrUnavailable) {
			t.Errorf("store that never answers: got %v, want ErrUnavailable", err)
		}
	})
}
