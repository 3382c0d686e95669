package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"gamedata/internal/auth"
	"gamedata/internal/ratelimit"
	"gamedata/internal/simulator"
	"gamedata/internal/telemetry"
	"gamedata/mongo"
)

func serveCommand() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the service",
		Long: `Run the service until SIGTERM or an interrupt: readiness fails, requests in flight are
finished, the store is closed.`,
		Example: `  gamedata serve --demo
  gamedata serve --mongo-uri mongodb://localhost:27017 --listen :8080 --trusted-proxies 10.0.0.0/8`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := settle(cmd); err != nil {
				return err
			}
			return f.serve(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *serveFlags) serve(ctx context.Context, stdout, stderr io.Writer) (err error) {
	if err := f.check(); err != nil {
		return err
	}
	world, err := f.world.options(stdout)
	if err != nil {
		return err
	}
	proxies, err := f.proxies()
	if err != nil {
		return err
	}
	log, err := f.logger(stderr)
	if err != nil {
		return err
	}
	secrets, err := f.secrets()
	if err != nil {
		return err
	}
	counters, err := f.counting.open(log)
	if err != nil {
		return err
	}
	defer counters.close()
	// The address is taken first: nothing is made when it is not ours to have.
	listener, err := net.Listen("tcp", f.listen)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	defer listener.Close()
	ops, err := f.admin.bind()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ops.close()) }()
	watch := f.watch.watcher(ops.listener != nil, log)
	if watch.tracer, err = telemetry.NewTracer(ctx, buildVersion(), log); err != nil {
		return err
	}
	defer func() {
		if err := watch.tracer.Close(); err != nil {
			log.Warn("the last spans were not sent", "error", err)
		}
	}()
	f.store.watch = watch.command
	f.store.lost = func(lost bool) {
		if lost {
			log.Warn("the store is lost: what is kept is served, the rest is refused")
		} else {
			log.Info("the store is back")
		}
	}
	db, err := f.store.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.close()) }()
	if f.demo {
		if err := ensureDemo(ctx, db, world, stdout); err != nil {
			return err
		}
		// What lives as long as the service takes the place of what making a world left.
		runtime.GC()
	}
	if db.server != nil {
		if err := db.server.Listen(); err != nil {
			log.Warn("other verbs cannot work on this store while the service runs", "error", err)
		}
	}
	users, err := secrets.accounts(ctx, db.Store, counters, log)
	if err != nil {
		return err
	}
	base := "http://" + listener.Addr().String()
	origin, err := f.origin(base)
	if err != nil {
		return err
	}
	s, err := newService(db.Store, f, watch, users, counters, origin, proxies, log)
	if err != nil {
		return err
	}
	defer s.close()
	unfollow, err := s.caches.follow(ctx, db.Store, log)
	if err != nil {
		return err
	}
	defer unfollow()
	ops.serve(s)
	count, err := db.CountPlayers(ctx)
	if err != nil {
		return err
	}
	p := present()
	if f.demo && !f.demoStill {
		if p, err = demoPace(ctx, db.Store, f.demoSpeed); err != nil {
			return err
		}
		stop, err := playDemo(ctx, db.Store, simulator.Options{Seed: f.world.seed, Speed: f.demoSpeed, Rest: castUUIDs()}, p,
			log)
		if err != nil {
			return err
		}
		defer stop()
	}
	defer startClock(ctx, db.Store, f.refresh, p, watch, log)()
	defer giveBack(ctx, db, log)()
	fmt.Fprintf(stdout, `gamedata %s
  store    %s, %d players
  GraphQL  %s/graphql
  REST     %s/v3/player
  pages    %s/  %s/playground  %s/docs
  health   %s/livez  %s/readyz
%s`, buildVersion(), db.name, count, base, base, base, base, base, base, base, ops.told())
	return s.run(ctx, listener, f.drainDelay, f.drain)
}

// secrets are what credentials rest on.
type secrets struct{ pepper, bootstrap string }

// secrets reads them before anything is made.
func (f *serveFlags) secrets() (s secrets, err error) {
	if s.pepper, err = f.pepper.read(); err != nil {
		return s, err
	}
	if s.bootstrap, err = f.bootstrap.read(); err == nil && s.bootstrap != "" && !auth.IsTokenValue(s.bootstrap) {
		err = usageError{fmt.Errorf("--bootstrap-token: %w", auth.ErrInvalidTokenValue)}
	}
	return s, err
}

// accounts are the users of the service. The operator's token is made when it is given and
// not there yet.
func (s secrets) accounts(ctx context.Context, store *mongo.Store, counters ratelimit.Counters,
	log *slog.Logger,
) (*auth.Accounts, error) {
	users := auth.New(store, auth.Options{Pepper: s.pepper, Throttle: counters, Log: log})
	if s.bootstrap == "" {
		return users, nil
	}
	changed, err := users.EnsureToken(ctx, auth.Operator, "bootstrap", s.bootstrap)
	if err != nil {
		return nil, fmt.Errorf("--bootstrap-token: %w", err)
	}
	if changed {
		log.Info("the account operator has the token of --bootstrap-token")
	}
	return users, nil
}

// run serves until ctx ends, then drains.
func (s *service) run(ctx context.Context, listener net.Listener, delay, drain time.Duration) error {
	failed := make(chan error, 1)
	go func() { failed <- s.server.Serve(s.door.Listener(listener)) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.draining.Store(true)
	s.log.Info("draining")
	s.pause(delay)
	end, cancel := context.WithTimeout(context.Background(), drain)
	defer cancel()
	err := s.server.Shutdown(end)
	if errors.Is(err, context.DeadlineExceeded) {
		s.log.Warn("requests were still in flight at the end of --drain-timeout")
		err = s.server.Close()
	}
	if served := <-failed; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	s.log.Info("stopped")
	return err
}
