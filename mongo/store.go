package mongo

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/graph/model"
	"gamedata/mongo/conn"
)

// Options configure Open.
type Options struct {
	conn.Options
	// EventClock is the clock that events are stamped with; the store's when nil.
	EventClock func() time.Time
	// LocalClock is the clock of this machine; time.Now when nil. Only tests set a wrong one.
	LocalClock func() time.Time
	// LeaseTerm is how long a lease is taken for, 30 s when 0. It bounds how long other instances wait after the holder
	// has died.
	LeaseTerm time.Duration
	// ReadOnly creates nothing: no collection and no index.
	ReadOnly bool
}

// Store is an open database. It is safe for concurrent use.
type Store struct {
	Players      PlayerStore
	Characters   CharacterStore
	Guilds       GuildStore
	FormerGuilds FormerGuildStore
	Territories  TerritoryStore
	Captures     CaptureStore
	Deletions    DeletionStore
	Events       EventStore
	History      HistoryStore
	Census       CensusStore
	Content      ContentStore
	Items        ItemStore
	Boards       BoardStore
	Standings    StandingStore
	Scores       ScoreStore
	Accounts     AccountStore
	LinkCodes    LinkCodeStore
	Sessions     SessionStore
	Usage        UsageStore
	Applications ApplicationStore
	Codes        CodeStore
	Grants       GrantStore
	Webhooks     WebhookStore
	Competitions accountTable[model.Competition]
	FeedTokens   FeedTokenStore
	FeedKeys     table[FeedKey]
	Peppers      gameTable[model.Pepper]
	Leases       LeaseStore
	Indexes      IndexStore
	Export       ExportStore

	db      database
	options Options
	log     *slog.Logger

	stopBuilding func() // stops the builds of indexes
	process      string // identifies this store among all that are open
	clock        *clock
	eventClock   *eventClock
	purge        func(tags ...string) // see OnPurge
	uncertain    atomic.Int64         // when a write last ended without a known result, in Unix nanoseconds
}

// Open connects to the store, and creates missing collections and the missing indexes of small collections.
func Open(ctx context.Context, o Options) (*Store, error) {
	o.Log = cmp.Or(o.Log, slog.Default())
	o.LeaseTerm = cmp.Or(o.LeaseTerm, leaseTerm)
	defer reportWaiting(o.Log)()
	ctx = conn.WithStartTimeout(ctx, o.InProcess) // the store may be large, or its disk busy
	c, err := conn.Open(ctx, o.Options)
	if err != nil {
		return nil, err
	}
	s := &Store{
		db: database{c}, options: o, log: o.Log, process: rand.Text(), stopBuilding: func() {},
		clock: newClock(o.LocalClock),
	}
	if o.EventClock == nil {
		o.EventClock = s.Now
	}
	s.eventClock = &eventClock{now: o.EventClock}
	s.addFamilies()
	_, err = s.hello(ctx)
	if err == nil && !o.ReadOnly {
		if err = s.createCollections(ctx); err == nil {
			err = s.Indexes.buildSmall(ctx)
		}
	}
	if err != nil {
		_ = s.Close(context.WithoutCancel(ctx))
		return nil, err
	}
	return s, nil
}

// createCollections creates the missing collections of the table. A transaction across shards cannot create any.
func (s *Store) createCollections(ctx context.Context) error {
	names, err := s.db.Collections(ctx)
	for _, c := range Collections {
		if err == nil && !slices.Contains(names, c.Name) {
			err = s.db.CreateCollection(ctx, c.Name)
		}
	}
	return err
}

// waitProgress is the interval of messages about a store that takes long to open.
const waitProgress = 5 * time.Second

// reportWaiting logs that a store is still being opened, until the caller stops it.
func reportWaiting(log *slog.Logger) (stop func()) {
	begun, ticker, done := time.Now(), time.NewTicker(waitProgress), make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		for {
			select {
			case <-ticker.C:
				log.Info("waiting for the store", "waited", time.Since(begun).Round(time.Second))
			case <-done:
				return
			}
		}
	})
	return func() { ticker.Stop(); close(done); running.Wait() }
}

// Close closes all connections.
func (s *Store) Close(ctx context.Context) error {
	s.stopBuilding()
	return s.db.Close(ctx)
}

// Ping checks that the primary responds.
func (s *Store) Ping(ctx context.Context) error { return s.db.Ping(ctx) }

// PingReads checks that a server for reads responds.
func (s *Store) PingReads(ctx context.Context) error { return s.db.PingReads(ctx) }

// Circuit returns the state of the circuit breaker, see conn.Conn.Circuit.
func (s *Store) Circuit() string { return s.db.Circuit() }

// Damaged reports whether the file of the embedded store was found to be damaged.
func (s *Store) Damaged() bool { return s.db.Damaged() }

// RefusesWrites reports whether the store refused a write in the last minute.
func (s *Store) RefusesWrites() bool { return s.db.RefusesWrites() }

// FromPrimary returns a context whose calls read from the primary, whatever the URI says. Use it when a write depends
// on what was read.
func FromPrimary(ctx context.Context) context.Context { return conn.FromPrimary(ctx) }

// LiftCallLimit removes the limit of store calls of a context and of contexts that share it.
func LiftCallLimit(ctx context.Context) { conn.LiftCallLimit(ctx) }

// Unlimited returns the database over separate connections, without any time limit: for commands that take long. The
// caller disconnects its client.
func (s *Store) Unlimited() (*driver.Database, error) { return s.db.Unlimited() }

// Unused reports whether the database has no collections yet.
func (s *Store) Unused(ctx context.Context) (bool, error) {
	names, err := s.db.Collections(ctx)
	return len(names) == 0, err
}

// Verify makes the embedded server read all of its file. It returns an error wrapping ErrDamaged if any page is
// corrupt. MongoDB has no such command.
func (s *Store) Verify(ctx context.Context) error {
	return s.db.Run(conn.WithTimeout(ctx, backupTimeout), bson.D{{Key: "verify", Value: 1}}, &bson.Raw{})
}

// backupTimeout bounds the reading of the whole store.
const backupTimeout = time.Hour

// Backup makes the embedded server write a consistent copy of itself to a new file on its machine;
// path is absolute. Reads and writes continue. MongoDB has no such command.
func (s *Store) Backup(ctx context.Context, path string) error {
	err := s.db.Run(conn.WithTimeout(ctx, backupTimeout), bson.D{{Key: "backup", Value: path}}, &bson.Raw{})
	if rejected := (driver.CommandError{}); errors.As(err, &rejected) && !errors.Is(err, ErrUnavailable) {
		return errors.New(rejected.Message)
	}
	return err
}
