package app

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"gamedata/graph"
	"gamedata/graph/generated"
	"gamedata/internal/auth"
	"gamedata/internal/buildinfo"
	"gamedata/internal/config"
	"gamedata/internal/events"
	"gamedata/internal/feed"
	"gamedata/internal/httpapi"
	"gamedata/internal/loadshed"
	"gamedata/internal/telemetry"
	"gamedata/internal/webhook"
	"gamedata/loaders"
	"gamedata/mongo"
	"gamedata/resolvers"
)

// Service is the HTTP service on an open store.
type Service struct {
	server   *http.Server
	api      *httpapi.API
	sleep    func(time.Duration)
	store    *mongo.Store
	caches   *caches
	counters *Counters
	log      *slog.Logger
	watch    instrumentation
	feed     *feed.Feed
	events   *events.Hub
	webhooks *webhook.Runner
	indexes  *indexCheck
	stopUses func() // stops counting usage and stores the rest
	ready    http.Handler
	draining atomic.Bool
}

// Dependencies holds what a Service uses but does not own.
type Dependencies struct {
	Store    *mongo.Store
	Accounts *auth.Accounts
	Counters *Counters
	URL      string           // of the listener, unless the settings have a public one
	Now      func() time.Time // clock for freshness; nil: time.Now
	Log      *slog.Logger

	// Sleep waits between failing readiness and refusing connections; nil: time.Sleep.
	Sleep func(time.Duration)

	instrumentation instrumentation
	clock           *scaledClock // of the game; nil: real time
}

func (d *Dependencies) gameNow() time.Time {
	if d.Now != nil {
		return d.clock.at(d.Now())
	}
	return d.clock.at(time.Now())
}

func newSource(d Dependencies, caches *caches) *loaders.Source {
	return loaders.New(d.Store, loaders.Options{
		Now: d.Now, Log: d.Log, Records: caches.records, Purges: caches.purges, Batch: d.instrumentation.batch,
	})
}

func newExecutor(d Dependencies, source *loaders.Source, api *httpapi.API, hooks *webhook.Sender) *graph.Executor {
	limits := graph.DefaultLimits()
	root := resolvers.New(resolvers.Settings{
		PageSize: limits.PageSize, Accounts: d.Accounts, Limits: limits, MaxBody: httpapi.DefaultMaxBody,
		TestWebhook: hooks.Test, Counters: api.Limits.Counters, GameTime: d.clock.at,
	})
	return graph.New(generated.NewExecutableSchema(generated.Config{Resolvers: root}), graph.Options{
		Limits: limits, Loaders: source, Field: d.instrumentation.field(), Log: d.Log,
	})
}

// NewService wires the service. The caller calls Close when its server is shut down.
func NewService(c *config.Service, d Dependencies) (*Service, error) {
	if d.instrumentation.metrics == nil { // in tests
		d.instrumentation.metrics = telemetry.NewMetrics(buildinfo.Version)
	}
	proxies, err := c.Proxies()
	if err != nil {
		return nil, err
	}
	caches, err := newCaches(int64(c.CacheSize), c.RequestTimeout, d.Now)
	if err != nil {
		return nil, err
	}
	d.Store.OnPurge(caches.purges.Purge)
	limiter := loadshed.New(c.Capacity.Loadshed(c.Store.MongoURI == ""))
	d.instrumentation.addGauges(d.Store, d.Counters, limiter, caches)
	metrics := d.instrumentation.metrics
	api := httpapi.New(httpapi.Options{
		RateLimit: httpapi.RateLimitOptions{
			Counters: d.Counters, Rates: c.Rates.Limits(), BucketRates: c.Rates.Buckets, Count: d.Accounts.Usage.Count,
		},
		Cache: httpapi.CacheOptions{
			Responses: caches.responses, Limiter: limiter, Timeout: c.RequestTimeout,
		},
		Streams: httpapi.StreamOptions{
			PerCaller: c.StreamsPerCaller, OnEnd: metrics.ObserveStreamEnd, OnLag: metrics.ObserveStreamLag,
		},
		Authenticator: d.Accounts.Credentials, TrustedProxies: proxies, OnDone: d.instrumentation.request,
		Log: d.Log, Now: d.Now,
	})
	source := newSource(d, caches)
	hooks := webhook.NewSender(d.Accounts.Webhooks)
	exec := newExecutor(d, source, api, hooks)
	s := &Service{
		sleep: d.Sleep, api: api, store: d.Store, counters: d.Counters, caches: caches, log: d.Log,
		indexes: &indexCheck{store: d.Store, log: d.Log},
		watch:   d.instrumentation, stopUses: d.Accounts.Usage.StartFlusher(),
	}
	if s.sleep == nil {
		s.sleep = time.Sleep
	}
	s.ready = telemetry.HealthHandler(s.readinessChecks(c.LeaderboardRefresh))
	s.feed = feed.New(d.Store, feed.Options{LinkCode: d.Accounts.Players.NewLinkCode})
	s.events = events.New(d.Store, events.Options{Log: d.Log})
	origin, err := c.Origin(d.URL)
	if err != nil {
		return nil, err
	}
	s.webhooks = webhook.New(hooks, webhook.Options{
		Store: d.Store, Hub: s.events, Holder: Holder(), Origin: origin, Visible: visibleEvents(source),
		Observe: metrics.ObserveWebhook, Log: d.Log,
	})
	d.instrumentation.addStreams(api.Streams, s.webhooks)
	handler, err := s.handler(c, d, exec, source, limiter)
	if err != nil {
		s.Close()
		return nil, err
	}
	s.server = httpapi.NewServer(s.closeWhileDraining(handler), d.Log)
	return s, nil
}

// Server returns the HTTP server, not yet serving.
func (s *Service) Server() *http.Server { return s.server }

// Close stops counting usage and closes the caches. The server must be shut down first.
func (s *Service) Close() {
	s.stopUses()
	s.caches.close()
}

// closeWhileDraining ends each connection with its next response, so none is idle at shutdown: a request sent while its
// idle connection is being closed would be lost.
func (s *Service) closeWhileDraining(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.draining.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// Serve serves on listener until ctx ends. Then it drains: readiness fails and responses end their connections, after
// delay connections are refused, and requests in flight get until timeout to finish.
func (s *Service) Serve(ctx context.Context, listener net.Listener, delay, timeout time.Duration) error {
	failed := make(chan error, 1)
	go func() { failed <- s.server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.draining.Store(true)
	s.log.Info("draining")
	s.api.Streams.Close()
	s.sleep(delay)
	end, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	err := s.server.Shutdown(end)
	if errors.Is(err, context.DeadlineExceeded) {
		s.log.Warn("requests were still in flight at the end of the time limit")
		err = s.server.Close()
	}
	s.api.Streams.Wait(end)
	if served := <-failed; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	s.log.Info("stopped")
	return err
}
