package conn

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"go.mongodb.org/mongo-driver/v2/event"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readconcern"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
	"go.mongodb.org/mongo-driver/v2/mongo/writeconcern"
)

// Options configure Open.
type Options struct {
	// URI is a MongoDB connection string. Its options win over the defaults here, for game data: readPreference
	// (primaryPreferred when missing), maxStalenessSeconds, readConcernLevel (majority), w (majority), retryReads,
	// appName, compressors … Accounts and credentials are always read from the primary and written with majority.
	URI string
	// Database names the database; "gamedata" when empty.
	Database string
	// Dialer replaces the network: the embedded server is reached through it.
	Dialer options.ContextDialer
	// InProcess says that the server is in this process, where only a slow machine delays it. Open waits as long as ctx
	// allows, and neither connections nor server selection have a timeout of their own.
	InProcess bool
	// Timeout bounds each command, except commands that read or write a lot; 800 ms when 0. The URI's timeoutMS wins.
	Timeout time.Duration
	// ServerSelectionTimeout bounds the selection of a server; 300 ms when 0. The URI's
	// serverSelectionTimeoutMS wins.
	ServerSelectionTimeout time.Duration
	// TransactionTimeout bounds the work of one run of a transaction, 5 s when 0; CommitTimeout its commit, 4 s when 0.
	TransactionTimeout, CommitTimeout time.Duration
	// StartTimeout bounds the wait for the first response in Open: the store may be starting too.
	// 10 s when 0.
	StartTimeout time.Duration
	// FailFast enables the circuit breaker: while the store does not answer, calls fail at once, and one call a second
	// probes it. Without it each call waits for its timeout, or forever if the server is in this process: nobody waits
	// for a response, and the process may be starved or suspended.
	FailFast bool
	// OnUnavailable is called with true when the circuit breaker opens and with false when it closes; it may be nil. It
	// must not call the store.
	OnUnavailable func(unavailable bool)
	// OnDamage is called, once, with the first error that wraps ErrDamaged; it may be nil.
	OnDamage func(error)
	// OnTransaction is called after each transaction with the number of repeats after conflicts, and its error; it may
	// be nil.
	OnTransaction func(repeats int, err error)
	// OnMalformed is called with the collection and the id of each record that cannot be decoded, each time; it may be
	// nil.
	OnMalformed func(collection, id string)
	// Log receives the driver's messages, and now and then a message about each malformed record; slog.Default() when
	// nil.
	Log *slog.Logger
	// Monitor observes every command; tests count with it.
	Monitor *event.CommandMonitor
	// OnCommand is called when a command starts, with its name and its collection (empty when it has
	// none). The function it returns is called when the command ends. It replaces Monitor.
	OnCommand func(ctx context.Context, command, collection string) func(took time.Duration, failure error)
}

// clientOptions returns the options of the URI, completed by our defaults. It also returns the timeout of a command,
// which Conn applies: the driver would apply it to a whole transaction.
func clientOptions(o Options) (*options.ClientOptions, time.Duration) {
	opts := options.Client().ApplyURI(o.URI).SetBSONOptions(&options.BSONOptions{UseJSONStructTags: true})
	timeout := cmp.Or(o.Timeout, 800*time.Millisecond)
	connect := max(2*time.Second, timeout)
	if o.InProcess {
		o.ServerSelectionTimeout, connect = unlimited, unlimited
	}
	unhurried := o.InProcess && !o.FailFast
	if unhurried {
		timeout = unlimited
	}
	if opts.Timeout != nil && *opts.Timeout > 0 { // 0 would be no limit
		timeout = *opts.Timeout
	}
	opts.SetTimeout(cmp.Or(o.CommitTimeout, commitTimeout))
	if unhurried {
		opts.Timeout = nil
	}
	if opts.ServerSelectionTimeout == nil {
		opts.SetServerSelectionTimeout(cmp.Or(o.ServerSelectionTimeout, 300*time.Millisecond))
	}
	if opts.ConnectTimeout == nil {
		// The timeout also bounds the driver's server monitoring: with a short one, the next connection notices the
		// recovery of a server that stopped responding. The default is 30 seconds.
		opts.SetConnectTimeout(connect)
	}
	if opts.HeartbeatInterval == nil {
		// Several connections that break one right after another can leave the driver without a server until its next
		// regular check: it misses a request to check that arrives just as a check begins. The default is 10 s.
		opts.SetHeartbeatInterval(2 * time.Second)
	}
	if opts.ReadPreference == nil {
		opts.SetReadPreference(readpref.PrimaryPreferred())
	}
	if opts.WriteConcern == nil {
		opts.SetWriteConcern(writeconcern.Majority())
	}
	if opts.ReadConcern == nil {
		opts.SetReadConcern(readconcern.Majority()) // nobody reads data that an election may roll back
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
