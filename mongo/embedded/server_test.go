package embedded

import (
	"context"
	"testing"
	"time"

	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
	"go.mongodb.org/mongo-driver/v2/mongo/writeconcern"
	"go.uber.org/goleak"
)

// openServer starts a server in a new directory.
func openServer(tb testing.TB, o Options) *Server {
	tb.Helper()
	s, err := Open(tb.TempDir(), o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// connect opens the driver as the service does.
func connect(tb testing.TB, s *Server) *driver.Database {
	tb.Helper()
	client, err := driver.Connect(options.Client().ApplyURI(s.URI()).SetDialer(s).SetTimeout(time.Minute).
		SetReadPreference(readpref.PrimaryPreferred()).SetWriteConcern(writeconcern.Majority()))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = client.Disconnect(context.Background()) })
	return client.Database("test")
}

func TestCloseLeavesNothing(t *testing.T) {
	ignore := goleak.IgnoreCurrent()
	s, err := Open(t.TempDir(), Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	client, err := driver.Connect(options.Client().ApplyURI(s.URI()).SetDialer(s))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Database("d").Collection("c").InsertOne(t.Context(), d()); err != nil {
		t.Fatal(err)
	}
	if err := client.Disconnect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.DialContext(t.Context(), "tcp", "embedded:27017"); err == nil {
		t.Error("a closed server accepted a connection")
	}
	goleak.VerifyNone(t, ignore)
}
