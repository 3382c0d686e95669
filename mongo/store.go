package mongo

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
	"go.mongodb.org/mongo-driver/v2/mongo/writeconcern"

	"gamedata/graph/model"
)

// Options are those of Open.
type Options struct {
	// URI is a MongoDB connection string. Its options win over the defaults here, for game data:
	// readPreference (primaryPreferred when it says nothing), maxStalenessSeconds, readConcernLevel,
	// w (majority), retryReads, appName, compressors … Accounts and credentials are always read from
	// the primary and written with majority.
	URI string
	// Database names the database; "gamedata" when empty.
	Database string
	// Dialer replaces the network: the embedded server is reached through it.
	Dialer options.ContextDialer
	// Timeout bounds each command, except those that read or write much; 800 ms when 0. The URI's
	// timeoutMS wins.
	Timeout time.Duration
	// ServerSelectionTimeout bounds the selection of a server; 300 ms when 0. The URI's
	// serverSelectionTimeoutMS wins.
	ServerSelectionTimeout time.Duration
	// StartTimeout bounds the wait for the first response in Open: the store may be starting too.
	// 10 s when 0.
	StartTimeout time.Duration
	// EventRetention is how long events are stored, by type; those that it lacks as model.EventKinds says.
	EventRetention map[model.EventType]time.Duration
	// EventClock is the clock that events are stamped with; time.Now when nil.
	EventClock func() time.Time
	// ReadOnly creates nothing: no collection and no index.
	ReadOnly bool
	// FailFast enables the circuit breakers, one of the calls that need the primary and one of the other
	// reads: while the store does not answer, calls fail at once, and one call a second probes it. Without
	// it each call waits for its timeout.
	FailFast bool
	// OnUnavailable is called with true when the first circuit breaker opens and with false when the last
	// one closes; it may be nil. It must not call the store.
	OnUnavailable func(unavailable bool)
	// OnDamage is called, once, with the first error that wraps ErrDamaged; it may be nil.
	OnDamage func(error)
	// OnMalformed is called with the collection and the id of each record that cannot be decoded, each
	// time; may be nil.
	OnMalformed func(collection, id string)
	// Log receives what the driver logs, and a message about each malformed record, once in a while;
	// slog.Default() when nil.
	Log *slog.Logger
	// Monitor observes every command; tests count with it.
	Monitor *event.CommandMonitor
	// OnCommand is called when a command starts, with its name and its collection (empty when it has
	// none). The function it returns is called when the command ends. It replaces Monitor.
	OnCommand func(ctx context.Context, command, collection string) func(took time.Duration, failure error)
}

// Store is an open database. It is safe for concurrent use.
type Store struct {
	Players      *PlayerStore
	Characters   *CharacterStore
	Guilds       *GuildStore
	Territories  *TerritoryStore
	Captures     *CaptureStore
	Deletions    *DeletionStore
	Events       *EventStore
	History      *HistoryStore
	Census       *CensusStore
	Content      *ContentStore
	Boards       *BoardStore
	Standings    *StandingStore
	Scores       *ScoreStore
	Accounts     *AccountStore
	Tokens       *TokenStore
	Sessions     *SessionStore
	Applications *ApplicationStore
	Grants       *GrantStore
	SavedQueries *SavedQueryStore
	Feed         *FeedStore
	Leases       *LeaseStore
	Lookups      *LookupStore
	Indexes      *IndexStore
	Export       *ExportStore

	client  *driver.Client
	engine  engine
	db      database
	guard   *guard
	options Options
	log     *slog.Logger

	stopBuilding func() // stops the builds of indexes
	process      string // identifies this store among all that are open
	eventIDs     *eventIDs
	purge        func(tags ...string) // see OnPurge
}

// Open connects to the store and builds the indexes that small collections lack.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Database == "" {
		o.Database = "gamedata"
	}
	if o.StartTimeout == 0 {
		o.StartTimeout = 10 * time.Second
	}
	o.Log = cmp.Or(o.Log, slog.Default())
	if o.OnUnavailable == nil {
		o.OnUnavailable = func(bool) {}
	}
	opts, timeout := clientOptions(o)
	g := &guard{
		onDamage: o.OnDamage, timeout: timeout, retryReads: *opts.RetryReads, servers: watchServers(opts),
		malformed: newMalformedLog(o.Log, o.OnMalformed),
	}
	if opts.RetryWrites == nil || *opts.RetryWrites {
		opts.SetMonitor(limitTries(opts.Monitor, g.servers))
	}
	client, err := driver.Connect(opts.SetRetryReads(false)) // see retried
	if err != nil {
		return nil, fmt.Errorf("store address: %w", err)
	}
	s := &Store{
		client: client, db: database{client.Database(o.Database), g}, guard: g, options: o, log: o.Log, process: rand.Text(),
		stopBuilding: func() {}, eventIDs: newEventIDs(o.EventClock),
	}
	s.addFamilies()
	if err = s.waitUntilReady(ctx, o.StartTimeout); err == nil {
		s.engine, err = s.readEngine(ctx)
	}
	if err != nil {
		_ = client.Disconnect(context.WithoutCancel(ctx))
		return nil, err
	}
	if !o.ReadOnly {
		err := s.Indexes.buildSmall(ctx, o.StartTimeout)
		if err == nil {
			err = s.Lookups.build(ctx)
		}
		if err != nil {
			_ = s.Close(context.WithoutCancel(ctx))
			return nil, err
		}
	}
	if o.FailFast {
		g.breakers = newBreakers(o.OnUnavailable)
	}
	return s, nil
}

// transactionTimeout bounds a commit, and how long the driver tries a transaction again. Commands have other timeouts.
const transactionTimeout = 5 * time.Second

// clientOptions returns the options of the URI, completed by ours: what the URI says wins. It also returns the timeout
// of a command, which the guard applies: the driver would apply it to a whole transaction.
func clientOptions(o Options) (*options.ClientOptions, time.Duration) {
	opts := options.Client().ApplyURI(o.URI).SetBSONOptions(&options.BSONOptions{UseJSONStructTags: true})
	timeout := cmp.Or(o.Timeout, 800*time.Millisecond)
	if opts.Timeout != nil && *opts.Timeout > 0 { // 0 would be no limit
		timeout = *opts.Timeout
	}
	opts.SetTimeout(transactionTimeout)
	if opts.ServerSelectionTimeout == nil {
		opts.SetServerSelectionTimeout(cmp.Or(o.ServerSelectionTimeout, 300*time.Millisecond))
	}
	if opts.ConnectTimeout == nil {
		// It bounds the driver's server monitoring too: with a short one, the recovery of a server that
		// stopped responding is noticed by the next connection, not after the default 30 seconds.
		opts.SetConnectTimeout(max(2*time.Second, timeout))
	}
	if opts.HeartbeatInterval == nil {
		// Several connections that break one right after another can leave the driver without a server until its
		// next regular look: it misses a request to look that comes just when a look begins. The default is 10 s.
		opts.SetHeartbeatInterval(2 * time.Second)
	}
	if opts.ReadPreference == nil {
		opts.SetReadPreference(readpref.PrimaryPreferred())
	}
	if opts.WriteConcern == nil {
		opts.SetWriteConcern(writeconcern.Majority())
	}
	if opts.RetryReads == nil {
		opts.SetRetryReads(true)
	}
	opts.SetLoggerOptions(options.Logger().SetSink(driverLog{cmp.Or(o.Log, slog.Default())}))
	if opts.AppName == nil {
		opts.SetAppName("gamedata")
	}
	if o.Dialer != nil {
		opts.SetDialer(o.Dialer)
	}
	if o.OnCommand != nil {
		o.Monitor = commandMonitor(o.OnCommand)
	}
	if o.Monitor != nil {
		opts.SetMonitor(o.Monitor)
	}
	return opts, timeout
}

// waitUntilReady pings the store until it responds or timeout has passed. It returns at once on an
// error that a retry would not change, such as a wrong password.
func (s *Store) waitUntilReady(ctx context.Context, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	for {
		attempt, done := context.WithTimeout(ctx, time.Second)
		err := s.Ping(attempt)
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

// Close closes all connections.
func (s *Store) Close(ctx context.Context) error {
	s.stopBuilding()
	return s.client.Disconnect(ctx)
}

// Ping checks that the primary responds.
func (s *Store) Ping(ctx context.Context) error { return s.ping(ctx, primary, readpref.Primary()) }

// PingReads checks that a server responds which serves reads: a secondary may, while there is no primary.
func (s *Store) PingReads(ctx context.Context) error { return s.ping(ctx, configured, nil) }

func (s *Store) ping(ctx context.Context, level consistency, where *readpref.ReadPref) error {
	_, err := withBreaker(ctx, s.guard, level, func(ctx context.Context) (any, error) {
		return nil, s.client.Ping(ctx, where)
	})
	return translateError(err)
}

// Unused reports whether the database has no collections yet.
func (s *Store) Unused(ctx context.Context) (bool, error) {
	names, err := s.db.ListCollectionNames(ctx, bson.D{})
	return len(names) == 0, translateError(err)
}

// Clock returns the time of the store's primary.
func (s *Store) Clock(ctx context.Context) (time.Time, error) {
	var hello struct {
		LocalTime time.Time `bson:"localTime"`
	}
	if err := s.db.Database.RunCommand(ctx, bson.D{{Key: "hello", Value: 1}}).Decode(&hello); err != nil {
		return time.Time{}, translateError(err)
	}
	if hello.LocalTime.IsZero() {
		return time.Time{}, errors.New("the store does not report its time")
	}
	return hello.LocalTime, nil
}

// Verify makes the embedded server read all of its file: an error that wraps ErrDamaged when some of it makes no sense.
// MongoDB has no such command.
func (s *Store) Verify(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, backupTimeout)
	defer cancel()
	return translateError(s.db.Database.RunCommand(ctx, bson.D{{Key: "verify", Value: 1}}).Err())
}

// backupTimeout bounds the reading of the whole store.
const backupTimeout = time.Hour

// Backup makes the embedded server write a consistent copy of itself to a new file on its machine;
// path is absolute. Reads and writes continue meanwhile. MongoDB has no such command.
func (s *Store) Backup(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, backupTimeout)
	defer cancel()
	err := s.db.Database.RunCommand(ctx, bson.D{{Key: "backup", Value: path}}).Err()
	if rejected := (driver.CommandError{}); errors.As(err, &rejected) && !isDamaged(err) {
		return errors.New(rejected.Message)
	}
	return translateError(err)
}
