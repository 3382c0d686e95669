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

// failing is a test of the packages testing or rapid.
type failing interface {
	Helper()
	Fatal(args ...any)
}

// must returns a value, or ends the test with the error.
func must[T any](v T, err error) func(failing) T {
	return func(t failing) T {
		t.Helper()
		check(t, err)
		return v
	}
}

// check ends the test if there is an error.
func check(t failing, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// openServer starts a server in a new directory.
func openServer(tb testing.TB, o Options) *Server {
	tb.Helper()
	s := must(Open(tb.TempDir(), o))(tb)
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
	client := must(driver.Connect(options.Client().ApplyURI(s.URI()).SetDialer(s).SetTimeout(time.Minute).
		SetReadPreference(readpref.PrimaryPreferred()).SetWriteConcern(writeconcern.Majority())))(tb)
	tb.Cleanup(func() { _ = client.Disconnect(context.Background()) })
	return client.Database("test")
}

func TestCloseLeavesNothing(t *testing.T) {
	ignore := goleak.IgnoreCurrent()
	s := must(Open(t.TempDir(), Options{NoSync: true}))(t)
	client := must(driver.Connect(options.Client().ApplyURI(s.URI()).SetDialer(s)))(t)
	must(client.Database("d").Collection("c").InsertOne(t.Context(), d()))(t)
	check(t, client.Disconnect(t.Context()))
	check(t, s.Close())
	if _, err := s.DialContext(t.Context(), "tcp", "embedded:27017"); err == nil {
		t.Error("a closed server accepted a connection")
	}
	goleak.VerifyNone(t, ignore)
}
