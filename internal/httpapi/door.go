// Package httpapi holds what is true of every HTTP answer, whichever door it leaves by:
// who asks (client address, credentials, cross-site), what it costs (rate-limit
// counters and headers), how bodies are read, how answers and errors are written, and
// the /graphql handler. The REST adapter stands on the same functions.
//
// What a field means, where data comes from and how a REST body is shaped do not
// belong here: the package may import graph, graph/viewer, cache and limit, never
// resolvers, loaders, mongo or graph/model.
package httpapi

import (
	"log/slog"
	"net/netip"
	"time"

	"gamedata/graph"
	"gamedata/graph/viewer"
	"gamedata/internal/cache"
	"gamedata/internal/loadshed"
	"gamedata/internal/ratelimit"
)

// Defaults of Options.
const (
	DefaultMaxBody = 64 << 10 // bytes of a request body (WIRE §1.3)
	DefaultMaxURI  = 8 << 10  // bytes of a request target
	DefaultTimeout = 5 * time.Second
	DefaultVersion = "v3.7.0" // WIRE §1.1
)

// Options of a Door. Limiter is required, and Exec when GraphQL is served; everything
// else has a default.
type Options struct {
	Exec    *graph.Executor
	Limiter ratelimit.Counters
	Rates   Rates // by kind of viewer, DefaultRates when nil
	// BucketRates take the place of Rates in some buckets, for the kinds they name.
	BucketRates map[string]Rates

	// TrustedProxies are the peers whose X-Forwarded-For is believed. None by default:
	// the client is then whoever opened the connection.
	TrustedProxies []netip.Prefix

	// Credentials tell who sends one. Without them every credential is unknown.
	Credentials Credentials

	// Count is told what every request that passed was charged, and to whom; nil tells nobody.
	Count func(v viewer.Viewer, bucket string, cost int)

	// Answers keeps finished answers of both doors; nil keeps none. Its timeout is that of
	// the runs it shares.
	Answers *cache.Cache[Answer]

	// AddressFields are the root fields whose answer depends on the client's address.
	// GraphQL answers that hold one carry no CORS headers (WIRE §1.1).
	AddressFields []string

	// CounterFields are the root fields that tell about the caller's counters. A guest's are
	// those of the address, which they get to know; they tell nothing else of it.
	CounterFields []string

	// Observe is told of every request that is over, before its connection is used again;
	// nil is told nothing.
	Observe func(Observed)

	// Gate is what operations pass before they run; kept answers do not. nil lets all run.
	Gate *loadshed.Gate

	MaxAnswer int           // bytes, DefaultMaxAnswer
	MaxBody   int64         // bytes, DefaultMaxBody
	MaxURI    int           // bytes, DefaultMaxURI
	Timeout   time.Duration // of one operation, DefaultTimeout
	Version   string        // value of the Version header, DefaultVersion
	Log       *slog.Logger  // slog.Default()
	Now       func() time.Time
}

// Door writes and reads what Options say. It is safe for concurrent use.
type Door struct {
	o         Options
	always    []sharedHeader
	date      stamp
	bodies    cache.Memo[*asked] // what bodies of POSTs and addresses of GETs ask
	persisted persisted
}

// New returns a Door with the defaults filled in.
func New(o Options) *Door {
	if o.Rates == nil {
		o.Rates = DefaultRates()
	}
	if o.Credentials == nil {
		o.Credentials = noCredentials{}
	}
	if o.Count == nil {
		o.Count = func(viewer.Viewer, string, int) {}
	}
	if o.MaxAnswer <= 0 {
		o.MaxAnswer = DefaultMaxAnswer
	}
	if o.MaxBody <= 0 {
		o.MaxBody = DefaultMaxBody
	}
	if o.MaxURI <= 0 {
		o.MaxURI = DefaultMaxURI
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Version == "" {
		o.Version = DefaultVersion
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Door{o: o, always: alwaysHeaders(o.Version), bodies: cache.Memo[*asked]{Room: bodiesRoom}}
}

// MaxBody is the most bytes a request body may have, for ReadJSON.
func (d *Door) MaxBody() int64 { return d.o.MaxBody }
