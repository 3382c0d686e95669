package mongo_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
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
		server := must(mongotest.StartServer(t.TempDir()))(t)
		defer func() { _ = server.Close() }()
		late := &lateStore{Server: server}
		late.refuse.Store(3)
		store, err := mongo.Open(t.Context(), mongo.Options{Options: conn.Options{
			URI: server.URI(), Dialer: late, StartTimeout: time.Minute,
			ServerSelectionTimeout: time.Millisecond,
		}})
		check(t, err)
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

// A store that is busy when the program starts, so that each command takes longer than a request would wait, is opened,
// and the log says what takes so long.
func TestOpenWaitsForABusyStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := must(mongotest.StartServer(t.TempDir()))(t)
		defer func() { _ = server.Close() }()
		proxy := mongotest.NewProxy(server)
		proxy.Handle(func(c mongotest.Command) (a mongotest.Action) {
			if c.Name == "listIndexes" || c.Name == "find" {
				time.Sleep(3 * time.Second)
			}
			return a
		})
		var logged bytes.Buffer
		store, err := mongo.Open(t.Context(), mongo.Options{Options: conn.Options{
			URI: server.URI(), Dialer: proxy, Log: slog.New(slog.NewTextHandler(&logged, nil)),
		}})
		check(t, err)
		if !strings.Contains(logged.String(), `msg="waiting for the store" waited=10s`) {
			t.Errorf("log: %s", &logged)
		}
		proxy.Handle(nil)
		if err := store.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// slowStore takes longer to connect than a command may take.
type slowStore struct{ *mongotest.Server }

func (s slowStore) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(5 * time.Minute):
	}
	return s.Server.DialContext(ctx, network, address)
}

// A server in the same process is waited for, however slow the machine is.
func TestOpenWaitsInProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := must(mongotest.StartServer(t.TempDir()))(t)
		defer func() { _ = server.Close() }()
		store, err := mongo.Open(t.Context(), mongo.Options{Options: conn.Options{
			URI: server.URI(), Dialer: slowStore{server}, InProcess: true, Log: slog.New(slog.DiscardHandler),
		}})
		check(t, err)
		if err := store.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
