package mongotest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/mongo"
	"gamedata/mongo/conn"
	"gamedata/mongo/embedded"
)

// testURI names the MongoDB that tests use instead of the embedded server.
const testURI = "MONGO_TEST_URI"

var (
	errClosed = errors.New("the server of the test is closed")
	databases atomic.Int64 // makes their names different
)

// withoutBulkWrite hides the command bulkWrite of embedded servers.
var withoutBulkWrite = false

// BothWays runs tests twice, on servers with the command bulkWrite, as MongoDB 8.0, and without it; with -short only
// once. Use it in TestMain.
type BothWays struct{ *testing.M }

// Run runs the tests and returns the exit code.
func (b BothWays) Run() int {
	code := b.M.Run()
	if os.Getenv(testURI) != "" || testing.Short() {
		return code
	}
	withoutBulkWrite = true
	return max(code, b.M.Run())
}

// Server is the server behind the store of a test: the embedded one, or a separate database on the MongoDB that
// MONGO_TEST_URI names.
type Server struct {
	uri, database string
	embedded      *embedded.Server // nil with MONGO_TEST_URI

	mu       sync.Mutex
	closed   bool
	conns    []net.Conn       // with MONGO_TEST_URI
	commands map[string]int64 // with MONGO_TEST_URI: of stores opened with Options
}

// StartServer starts an embedded server in dir that does not sync to disk and is patient, for tests on a busy machine.
// With MONGO_TEST_URI it chooses a new database of that MongoDB.
func StartServer(dir string) (*Server, error) {
	if uri := os.Getenv(testURI); uri != "" {
		name := fmt.Sprintf("test_%d_%d_%d", time.Now().UnixNano(), os.Getpid(), databases.Add(1))
		return &Server{uri: uri, database: name, commands: map[string]int64{}}, nil
	}
	server, err := embedded.Open(dir, embedded.Options{
		NoSync: true, NoBulkWrite: withoutBulkWrite, MaxIdle: time.Minute,
	})
	if err != nil {
		return nil, err
	}
	return &Server{uri: server.URI(), database: "gamedata", embedded: server}, nil
}

// Options returns the options of a store on this server. The timeouts are long, since tests may run on a busy machine.
func (s *Server) Options() mongo.Options {
	o := mongo.Options{Options: conn.Options{
		URI: s.uri, Database: s.database, Dialer: s, Timeout: time.Minute,
		ServerSelectionTimeout: 3 * time.Second, TransactionTimeout: time.Minute, CommitTimeout: time.Minute,
	}}
	if s.embedded == nil {
		o.Monitor = &event.CommandMonitor{Started: func(_ context.Context, e *event.CommandStartedEvent) {
			s.mu.Lock()
			s.commands[e.CommandName]++
			s.mu.Unlock()
		}}
	}
	return o
}

// Database returns the database through the driver alone, for operations that the store does not have. It is
// disconnected at the end of the test.
func (s *Server) Database(t testing.TB) *driver.Database {
	t.Helper()
	client, err := driver.Connect(options.Client().ApplyURI(s.uri).SetDialer(s).SetTimeout(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second) // a server that is gone does not answer
		defer cancel()
		_ = client.Disconnect(ctx)
	})
	return client.Database(s.database)
}

// Address returns the address of the primary, for DialContext.
func (s *Server) Address(t testing.TB) string {
	t.Helper()
	if o := options.Client().ApplyURI(s.uri); o.Direct != nil && *o.Direct {
		return o.Hosts[0]
	}
	var hello struct{ Primary string }
	err := s.Database(t).RunCommand(t.Context(), bson.D{{Key: "hello", Value: 1}}).Decode(&hello)
	if err != nil || hello.Primary == "" {
		t.Fatalf("the server names no primary: %v", err)
	}
	return hello.Primary
}

// URI returns the address of the server; its connections are made by DialContext.
func (s *Server) URI() string { return s.uri }

// DialContext connects to the server. It fails once the server is closed.
func (s *Server) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if s.embedded != nil {
		return s.embedded.DialContext(ctx, network, address)
	}
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return nil, errClosed
	}
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns = append(s.conns, conn)
	return conn, nil
}

// Embedded reports whether this is the embedded server. Only it counts scans, index keys and documents.
func (s *Server) Embedded() bool { return s.embedded != nil }

// Stats returns the counters of the server. With MONGO_TEST_URI these are the commands of the stores that were opened
// with Options, and zeros.
func (s *Server) Stats() embedded.Stats {
	if s.embedded != nil {
		return s.embedded.Stats()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	stats := embedded.Stats{Commands: map[string]int64{}}
	for name, n := range s.commands {
		stats.Commands[name] = n
	}
	return stats
}

// Close makes the server unreachable. The database of a MongoDB is dropped. Closing twice does nothing.
func (s *Server) Close() error {
	if s.embedded != nil {
		return s.embedded.Close()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	for _, conn := range s.conns {
		_ = conn.Close()
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	client, err := driver.Connect(options.Client().ApplyURI(s.uri))
	if err != nil {
		return err
	}
	return errors.Join(client.Database(s.database).Drop(ctx), client.Disconnect(ctx))
}
