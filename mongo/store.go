package mongo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
	"go.mongodb.org/mongo-driver/v2/mongo/writeconcern"
)

// ErrUnavailable is wrapped by every error that says the store did not answer: time ran
// out, the connection broke, no server could be chosen. Asking again later may help.
var ErrUnavailable = errors.New("the store does not answer")

// Options say which store to open.
type Options struct {
	// URI is a MongoDB connection string.
	URI string
	// Database names the database; "gamedata" when empty.
	Database string
	// Dialer replaces the network: the embedded store is reached through it.
	Dialer options.ContextDialer
	// Timeout bounds each command, those that load or read much left out; 800 ms when 0.
	Timeout time.Duration
	// ServerSelectionTimeout bounds the search for a server; 300 ms when 0.
	ServerSelectionTimeout time.Duration
	// Start bounds the wait for a first answer when the store is opened: it may start beside
	// the program. 10 s when 0.
	StartTimeout time.Duration
	// FailFast has calls refused at once while the store does not answer, for the one that serves
	// people: every second or so one call tries again. Without it each waits for its time.
	FailFast bool
	// Lost is told when FailFast begins to refuse calls, and with false when they are let
	// through again; nil is told of nothing. It must not call the store.
	OnUnavailable func(lost bool)
	// Monitor sees every command; tests count with it.
	Monitor *event.CommandMonitor
	// Watch is told of every command that begins, by its name and its collection (empty when
	// it has none), and returns what is to be told of its end; nil is told of none. It takes the place of Monitor.
	OnCommand func(ctx context.Context, command, collection string) func(took time.Duration, failure error)
}

// Store is the open database.
type Store struct {
	client *driver.Client
	db     database
	guard  *guard
	self   process
}

// Open connects to the store and creates the indexes every query relies on.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Database == "" {
		o.Database = "gamedata"
	}
	if o.Timeout == 0 {
		o.Timeout = 800 * time.Millisecond
	}
	if o.ServerSelectionTimeout == 0 {
		o.ServerSelectionTimeout = 300 * time.Millisecond
	}
	if o.OnUnavailable == nil {
		o.OnUnavailable = func(bool) {}
	}
	if o.StartTimeout == 0 {
		o.StartTimeout = 10 * time.Second
	}
	client, err := connect(o, o.Timeout)
	if err != nil {
		return nil, err
	}
	g := &guard{timeout: o.Timeout}
	s := &Store{client: client, db: database{client.Database(o.Database), g}, guard: g, self: newProcess()}
	if err := s.waitUntilReady(ctx, o.StartTimeout); err != nil {
		_ = client.Disconnect(context.WithoutCancel(ctx))
		return nil, err
	}
	if err := s.createIndexes(ctx); err != nil {
		_ = client.Disconnect(ctx)
		return nil, err
	}
	if o.FailFast {
		g.breaker = newBreaker(o.OnUnavailable)
	}
	return s, nil
}

// waitUntilReady asks until the store answers, or has not for as long as wait. An answer that asking
// again would not change, such as a wrong password, is an error at once.
func (s *Store) waitUntilReady(ctx context.Context, wait time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		asked, done := context.WithTimeout(ctx, time.Second)
		err := s.Ping(asked)
		done()
		if !errors.Is(err, ErrUnavailable) || ctx.Err() != nil {
			return err
		}
		// A refused connection is known at once; one that is being made is waited for by Ping.
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func connect(o Options, timeout time.Duration) (*driver.Client, error) {
	opts := options.Client().ApplyURI(o.URI).
		SetBSONOptions(&options.BSONOptions{UseJSONStructTags: true}).
		SetTimeout(timeout).
		SetServerSelectionTimeout(o.ServerSelectionTimeout).
		SetReadPreference(readpref.PrimaryPreferred()).
		SetWriteConcern(writeconcern.Majority()).
		SetAppName("gamedata")
	if o.Dialer != nil {
		opts.SetDialer(o.Dialer)
	}
	if o.OnCommand != nil {
		o.Monitor = commandMonitor(o.OnCommand)
	}
	if o.Monitor != nil {
		opts.SetMonitor(o.Monitor)
	}
	if opts.ConnectTimeout == nil {
		// It bounds looking after a server too: one that fell silent is noticed to be back by a
		// connection that is tried then, not by one that has been waiting for half a minute.
		opts.SetConnectTimeout(max(2*time.Second, timeout))
	}
	client, err := driver.Connect(opts)
	if err != nil {
		return nil, fmt.Errorf("store address: %w", err)
	}
	return client, nil
}

// Close ends all connections.
func (s *Store) Close(ctx context.Context) error { return s.client.Disconnect(ctx) }

// Ping asks the primary for a sign of life.
func (s *Store) Ping(ctx context.Context) error {
	_, err := withBreaker(ctx, s.guard, func(ctx context.Context) (any, error) {
		return nil, s.client.Ping(ctx, readpref.Primary())
	})
	return translateError(err)
}

// translateError gives a driver's error its meaning.
func translateError(err error) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return err
	case driver.IsTimeout(err), driver.IsNetworkError(err), errors.Is(err, context.DeadlineExceeded),
		errors.Is(err, driver.ErrClientDisconnected), isConnError(err), isTransient(err):
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return err
}

// isConnError tells whether a connection to the server broke: also while it was being made, or since
// another call found that it had; the driver gives those no label.
func isConnError(err error) bool {
	var conn net.Error
	var again interface{ Retryable() bool }
	return errors.As(err, &conn) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.As(err, &again) && again.Retryable()
}

// isTransient tells whether the server itself says that it cannot answer now: another one becomes
// primary, or it is shut down.
func isTransient(err error) bool {
	var e driver.ServerError
	return errors.As(err, &e) && (e.HasErrorLabel("TransientTransactionError") || e.HasErrorLabel("RetryableWriteError") ||
		slices.ContainsFunc(transientCodes, e.HasErrorCode))
}

// passingCodes: ShutdownInProgress, InterruptedAtShutdown, InterruptedDueToReplStateChange,
// PrimarySteppedDown, NotWritablePrimary, NotPrimaryNoSecondaryOk, NotPrimaryOrSecondary.
var transientCodes = []int{91, 11600, 11602, 189, 10107, 13435, 13436}

// find reads every record a filter matches.
func find[T any](ctx context.Context, c *collection, filter any, opts ...options.Lister[options.FindOptions]) ([]*T,
	error,
) {
	// One reply holds what fits into 16 MB, so that a batch of keys is one command.
	opts = append([]options.Lister[options.FindOptions]{options.Find().SetBatchSize(100_000)}, opts...)
	return read(ctx, c, func(ctx context.Context, c *driver.Collection) (*driver.Cursor, error) {
		return c.Find(ctx, filter, opts...)
	}, all[*T])
}

// inKeyOrder places records at the positions of their keys: nil where none has the key.
func inKeyOrder[T any](keys []string, records []*T, key func(*T) string) []*T {
	at := make(map[string]*T, len(records))
	for _, r := range records {
		at[key(r)] = r
	}
	out := make([]*T, len(keys))
	for i, k := range keys {
		out[i] = at[k]
	}
	return out
}

// groupedByKey collects records under the positions of their keys, in the order read.
func groupedByKey[T any](keys []string, records []*T, key func(*T) string) [][]*T {
	at := make(map[string][]*T, len(keys))
	for _, r := range records {
		at[key(r)] = append(at[key(r)], r)
	}
	out := make([][]*T, len(keys))
	for i, k := range keys {
		out[i] = at[k]
	}
	return out
}

// in matches one of some keys; of no keys it matches nothing.
func in(keys []string) bson.D {
	if keys == nil { // would be written as null, which is no list
		keys = []string{}
	}
	return bson.D{{Key: "$in", Value: keys}}
}

// insert adds new records with as few commands as the protocol allows.
func insert[T any](ctx context.Context, c *collection, records []*T) error {
	if len(records) == 0 {
		return nil
	}
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	_, err := c.InsertMany(ctx, records, options.InsertMany().SetOrdered(false))
	return translateError(err)
}

// put replaces each record that has the same key, or adds it.
func put[T any, K string | int](ctx context.Context, c *collection, field string, records []*T, key func(*T) K) error {
	if len(records) == 0 {
		return nil
	}
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	writes := make([]driver.WriteModel, len(records))
	for i, r := range records {
		writes[i] = driver.NewReplaceOneModel().SetFilter(bson.D{{
			Key:   field,
			Value: key(r),
		}}).SetReplacement(r).SetUpsert(true)
	}
	_, err := c.BulkWrite(ctx, writes, options.BulkWrite().SetOrdered(false))
	return translateError(err)
}

// BulkUpdate runs updates of a collection in one unordered command and returns how many records
// matched.
func (s *Store) BulkUpdate(ctx context.Context, collection string, writes []driver.WriteModel) (matched int64,
	err error,
) {
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	r, err := s.db.Collection(collection).BulkWrite(ctx, writes, options.BulkWrite().SetOrdered(false))
	if err != nil {
		return 0, translateError(err)
	}
	return r.MatchedCount, nil
}
