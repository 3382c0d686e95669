// Package conn is the connection to MongoDB. Every call has a timeout, reads from the servers that its consistency
// allows, passes a circuit breaker, and is tried at most twice. Its errors say whether the store answered.
package conn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
	"go.mongodb.org/mongo-driver/v2/mongo/writeconcern"
)

// Conn is a connection to a database. It is safe for concurrent use.
type Conn struct {
	db         *driver.Database
	options    Options
	timeout    time.Duration // of a command
	retryReads bool
	servers    *serverWatch
	breaker    *breaker // nil without Options.FailFast
	engine     engine
	malformed  *malformedLog

	refused atomic.Int64 // when a write was last refused, in Unix nanoseconds
	damaged atomic.Bool  // the file of the embedded store; true until the program ends
}

// Open connects to a database and waits until it responds.
func Open(ctx context.Context, o Options) (*Conn, error) {
	o.Database = cmp.Or(o.Database, "gamedata")
	o.StartTimeout = cmp.Or(o.StartTimeout, 10*time.Second)
	o.Log = cmp.Or(o.Log, slog.Default())
	if o.OnUnavailable == nil {
		o.OnUnavailable = func(bool) {}
	}
	opts, timeout := clientOptions(o)
	c := &Conn{options: o, timeout: timeout, retryReads: *opts.RetryReads, servers: watchServers(opts)}
	c.malformed = &malformedLog{log: o.Log, count: o.OnMalformed, logged: map[string]time.Time{}}
	opts.SetMonitor(limitTries(opts.Monitor, c.servers))
	client, err := driver.Connect(opts.SetRetryReads(false)) // see retried
	if err != nil {
		return nil, fmt.Errorf("store address: %w", err)
	}
	c.db = client.Database(o.Database)
	if err = c.waitUntilReady(ctx); err == nil {
		c.engine, err = c.readEngine(ctx)
	}
	if err != nil {
		_ = c.Close(context.WithoutCancel(ctx))
		return nil, err
	}
	if o.FailFast {
		c.breaker = newBreaker(func() error { return c.pingServer(context.Background(), configured) }, o.OnUnavailable)
	}
	return c, nil
}

// waitUntilReady pings the store until it responds or the time for the start has passed. It returns at once on an error
// that a retry would not change, such as a wrong password.
func (c *Conn) waitUntilReady(ctx context.Context) error {
	if c.options.InProcess {
		return c.Ping(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, c.options.StartTimeout)
	defer cancel()
	for {
		attempt, done := context.WithTimeout(ctx, time.Second)
		err := c.Ping(attempt)
		done()
		if !errors.Is(err, ErrUnavailable) || errors.Is(err, ErrDamaged) || ctx.Err() != nil {
			return err
		}
		// Ping returns at once when the connection is refused.
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Name returns the name of the database.
func (c *Conn) Name() string { return c.db.Name() }

// Close closes all connections.
func (c *Conn) Close(ctx context.Context) error { return c.db.Client().Disconnect(ctx) }

// Ping checks that the primary responds.
func (c *Conn) Ping(ctx context.Context) error { return c.ping(ctx, primary) }

// PingReads checks that a server for reads responds: a secondary may, while there is no primary.
func (c *Conn) PingReads(ctx context.Context) error { return c.ping(ctx, configured) }

func (c *Conn) ping(ctx context.Context, level consistency) error {
	_, err := call(ctx, c, func(ctx context.Context) (any, error) {
		return nil, c.pingServer(ctx, level)
	})
	return err
}

// pingServer is ping without a circuit breaker.
func (c *Conn) pingServer(ctx context.Context, level consistency) error {
	ctx, cancel := c.limited(ctx)
	defer cancel()
	where := readpref.Primary()
	if level == configured {
		where = nil
	}
	return Translate(c.db.Client().Ping(ctx, where))
}

// Run runs a command on the primary and decodes its reply. It passes no circuit breaker.
func (c *Conn) Run(ctx context.Context, command bson.D, reply any) error {
	ctx, cancel := c.limited(ctx)
	defer cancel()
	return Translate(c.db.RunCommand(ctx, command).Decode(reply))
}

// Collections lists the names of the collections.
func (c *Conn) Collections(ctx context.Context) ([]string, error) {
	ctx, cancel := c.limited(ctx)
	defer cancel()
	names, err := c.db.ListCollectionNames(ctx, bson.D{})
	return names, Translate(err)
}

// namespaceExists is the error code for a collection that already exists.
const namespaceExists = 48

// CreateCollection creates a collection unless it exists.
func (c *Conn) CreateCollection(ctx context.Context, name string) error {
	ctx, cancel := c.limited(ctx)
	defer cancel()
	err := c.db.CreateCollection(ctx, name)
	if HasCode(err, namespaceExists) {
		return nil
	}
	return Translate(err)
}

// BulkWrite writes to several collections, in order. MongoDB has had the command since 8.0: see HasBulkWrite.
func (c *Conn) BulkWrite(ctx context.Context, writes []driver.ClientBulkWrite) error {
	o := options.ClientBulkWrite().SetOrdered(true)
	if driver.SessionFromContext(ctx) == nil { // else the transaction sets it
		o.SetWriteConcern(writeconcern.Majority())
	}
	for i := range writes {
		writes[i].Database = c.db.Name()
	}
	_, err := call(ctx, c, func(ctx context.Context) (any, error) {
		return c.db.Client().BulkWrite(ctx, writes, o)
	})
	return err
}

// Unlimited returns the database over separate connections without any time limit: the driver sends a limit to the
// server, which would abort a long command. The caller disconnects the database's client.
func (c *Conn) Unlimited() (*driver.Database, error) {
	opts, _ := clientOptions(c.options)
	opts.Timeout = nil
	client, err := driver.Connect(opts)
	if err != nil {
		return nil, fmt.Errorf("store address: %w", err)
	}
	return client.Database(c.options.Database), nil
}
