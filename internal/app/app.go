// Package app wires the packages together and runs the background work. Commands are in cmd/gamedata.
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"gamedata/internal/auth"
	"gamedata/internal/buildinfo"
	"gamedata/internal/config"
	"gamedata/internal/demo"
	"gamedata/internal/demo/simulator"
	"gamedata/internal/dump"
	"gamedata/internal/jobs"
	"gamedata/internal/telemetry"
	"gamedata/internal/terminal"
	"gamedata/mongo"
	"gamedata/mongo/conn"
	"gamedata/mongo/embedded"
)

// App is `gamedata serve`: the listeners, the store, the service and the background work.
type App struct {
	config *config.Service
	out    io.Writer
	log    *slog.Logger
	// accessLog is buffered; other lines are written at once.
	accessLog *slog.Logger

	listener net.Listener
	admin    *adminServer
	starting starting
	store    *Store
	service  *Service
	clock    scaledClock
	simulate bool
	active   int            // players of the simulation
	closers  []func() error // called in reverse order
}

// New validates the settings, binds the listeners and opens the store. It fills the store if the settings ask for a
// demo world. Progress and the startup message go to out, the log to logs. The caller calls Run, then Close.
func New(ctx context.Context, c *config.Service, out, logs io.Writer) (_ *App, err error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	a := &App{config: c, out: out}
	if a.log, err = c.Log.Logger(logs); err != nil {
		return nil, err
	}
	lines := &logWriter{out: logs}
	if a.accessLog, err = c.Log.Logger(lines); err != nil {
		return nil, err
	}
	a.onClose(lines.Close)
	defer func() {
		if err != nil {
			err = errors.Join(err, a.Close())
		}
	}()
	return a, a.open(ctx)
}

func (a *App) open(ctx context.Context) error {
	c := a.config
	pepper, bootstrapToken, err := c.Secrets()
	if err != nil {
		return err
	}
	counters, err := OpenCounters(&c.RedisURL, a.log)
	if err != nil {
		return err
	}
	a.onClose(func() error { counters.Close(); return nil })
	// Bind before creating anything, so that a port conflict fails fast.
	if a.listener, err = net.Listen("tcp", c.Listen); err != nil {
		return listenError("--listen", err)
	}
	a.onClose(func() error { _ = a.listener.Close(); return nil }) // Run may have closed it
	if a.admin, err = listenAdmin(c); err != nil {
		return err
	}
	a.onClose(a.admin.close)
	a.starting.report("opening the store", 0, 0)
	a.starting.serve(a.listener, a.log)
	if a.admin.listener != nil {
		a.starting.serve(a.admin.listener, a.log)
	}
	a.onClose(func() error { a.starting.stop(); return nil })
	if c.ListensOnAll() && c.PublicURL == "" {
		a.log.Warn("links contain an address of this machine alone: set --public-url", "url", a.url())
	}
	watch, err := a.instrumentation(ctx)
	if err != nil {
		return err
	}
	ctx = conn.WithStartTimeout(ctx, c.Store.MongoURI == "") // at the start, wait for a busy store
	if err := a.openStore(ctx, watch); err != nil {
		return err
	}
	users, err := a.accounts(ctx, pepper, bootstrapToken, counters)
	if err != nil {
		return err
	}
	a.clock = newScaledClock(a.store.Now, 1)
	if c.Demo && c.DemoSpeed > 0 {
		if a.clock, err = demoClock(ctx, a.store.Store, c.DemoSpeed); err != nil {
			return err
		}
		var mark demo.Mark
		a.simulate, err = a.store.ReadMark(ctx, demo.MarkKey, &mark) // simulate only demo worlds
		if mark.Days > 0 {
			a.active = mark.Players // those simulated in the past
		}
		if err != nil {
			return err
		}
	}
	a.service, err = NewService(c, Dependencies{
		Store: a.store.Store, Accounts: users, Counters: counters, URL: a.url(), Log: a.log,
		instrumentation: watch, clock: &a.clock,
	})
	if err != nil {
		return err
	}
	a.onClose(func() error { a.service.Close(); return nil })
	return nil
}

func (a *App) onClose(f func() error) { a.closers = append(a.closers, f) }

// Close releases what New opened. Run must have returned.
func (a *App) Close() error {
	var errs []error
	for _, f := range slices.Backward(a.closers) {
		errs = append(errs, f())
	}
	a.closers = nil
	return errors.Join(errs...)
}

func (a *App) instrumentation(ctx context.Context) (instrumentation, error) {
	watch := newInstrumentation(&a.config.AccessLog, a.accessLog)
	var err error
	if watch.tracer, err = telemetry.NewTracer(ctx, buildinfo.Version, a.log); err != nil {
		return watch, err
	}
	a.onClose(func() error {
		if err := watch.tracer.Close(); err != nil {
			a.log.Warn("sending the last spans failed", "error", err)
		}
		return nil
	})
	return watch, nil
}

func (a *App) openStore(ctx context.Context, watch instrumentation) error {
	c := a.config
	world, err := c.World.Options()
	if err != nil {
		return err
	}
	a.store, err = openStore(ctx, &c.Store, mongo.Options{Options: conn.Options{
		Log:       a.log,
		OnCommand: watch.command, OnTransaction: watch.transaction, OnMalformed: watch.malformed,
		OnDamage: func(err error) {
			a.log.Error("store damaged: serving what can be read, refusing writes; run gamedata doctor", "error", err)
		},
		OnUnavailable: func(lost bool) {
			if lost {
				a.log.Warn("store unavailable: serving stale cache, rejecting requests that need it")
			} else {
				a.log.Info("store available again")
			}
		},
	}})
	if err != nil {
		return err
	}
	a.onClose(a.store.Close)
	if err := dump.CheckWhole(ctx, a.store.Store); err != nil {
		return err
	}
	if !a.store.Transactional() {
		a.log.Warn(mongo.NoTransactions)
	}
	if c.LeaderboardRefresh > 0 {
		if err := jobs.CheckTempDir(c.Store.TempDir()); err != nil {
			return err
		}
		if c.DumpsDir != "" {
			if err := os.MkdirAll(c.DumpsDir, 0o755); err != nil {
				return fmt.Errorf("--dumps-dir: %w", err)
			}
		}
	}
	if c.Demo {
		a.starting.report("creating the demo world", 0, 0)
		world.Progress = func(step string, done, total int) {
			a.starting.report("creating the demo world: "+step, done, total)
		}
		if err := ensureDemo(ctx, a.store.Store, world, c.Store.TempDir(), a.out, a.log); err != nil {
			return err
		}
	}
	if a.store.server != nil {
		watch.addDisk(c.Store.DataDir)
		if embedded.Exposed(c.Store.DataDir) {
			a.log.Warn("other users can write to the data directory: run chmod o-w", "dir", c.Store.DataDir)
		}
		if err := a.store.server.Listen(); err != nil {
			a.log.Warn("other commands cannot use this store while the service runs", "error", err)
		}
	}
	return nil
}

// accounts returns the accounts of the service. It gives the bootstrap token, if set, to the operator.
func (a *App) accounts(ctx context.Context, pepper, token string, counters *Counters) (*auth.Accounts, error) {
	users := auth.New(a.store.Store, auth.Options{
		Pepper: pepper, Throttle: counters, PrivateWebhooks: a.config.PrivateWebhooks, Log: a.log,
	})
	known, err := users.CheckPepper(ctx)
	changed := errors.Is(err, auth.ErrOtherPepper)
	if changed {
		a.log.Warn("the pepper has changed: all tokens, sessions, codes and secrets of applications issued before are " +
			"invalid, and the secrets of webhooks have changed; passwords are valid")
	}
	if changed || err == nil && !known {
		err = users.SetPepper(ctx)
	}
	if err != nil { // a store that refuses writes can still be read
		a.log.Warn("comparing the pepper with the store's failed", "error", err)
	}
	if token == "" {
		return users, nil
	}
	set, err := users.Tokens.Ensure(ctx, auth.Operator, "bootstrap", token)
	if err != nil {
		return nil, fmt.Errorf("--bootstrap-token: %w", err)
	}
	if set {
		a.log.Info("set the API token of the operator", "account", auth.Operator)
	}
	return users, nil
}

func (a *App) url() string { return urlOf(a.listener.Addr().(*net.TCPAddr)) }

// urlOf returns the URL of an address. The unspecified address becomes localhost, since no link can name it.
func urlOf(to *net.TCPAddr) string {
	if to.IP == nil || to.IP.IsUnspecified() {
		return fmt.Sprintf("http://localhost:%d", to.Port)
	}
	return "http://" + to.String()
}

// Run serves requests and works in the background until ctx ends. Then it drains: readiness fails, requests in flight
// are finished, the background work stops.
func (a *App) Run(ctx context.Context) error {
	if os.Getenv("GOGC") == "" { // 100 makes cached responses a tenth slower (BenchmarkCached), 200 needs more memory
		debug.SetGCPercent(150)
	}
	if limit := containerMemory(); limit > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit / 10 * 8)
	}
	working, stop := context.WithCancel(ctx)
	var background sync.WaitGroup
	defer func() { stop(); background.Wait() }()
	followPurges, err := a.service.caches.followPurges(working, a.store.Store, a.log)
	if err != nil {
		return err
	}
	a.service.indexes.compare(ctx)
	a.starting.stop()
	a.admin.serve(a.service)
	if err := a.printBanner(ctx); err != nil {
		return err
	}
	background.Go(followPurges)
	background.Go(func() {
		everyInterval(working, indexCheckInterval, func() { a.service.indexes.compare(working) })
	})
	background.Go(func() { a.service.FollowEvents(ctx) }) // subscriptions end when draining begins
	background.Go(func() { a.service.webhooks.Run(ctx) })
	if a.simulate {
		background.Go(func() {
			o := simulator.Options{
				Seed: a.config.World.Seed, Speed: a.config.DemoSpeed, Players: a.active, Start: a.clock.now(),
			}
			keepSimulating(working, o, logSimulation(a.log), simulateOn(working, a.store.Store))
		})
	}
	if every := a.config.LeaderboardRefresh; every > 0 {
		jobs := newScheduler(a.store.Store, every, a.config.History, a.log)
		jobs.watch, jobs.tempDir = a.service.watch, a.config.Store.TempDir()
		background.Go(func() { jobs.run(working, a.clock) })
		if dir := a.config.DumpsDir; dir != "" {
			background.Go(func() { keepDumps(working, a.store.Store, dir, a.service.watch, a.log) })
		}
	}
	delay := a.config.DrainDelay
	if terminal.Is(a.out) {
		delay = 0 // do not keep a user at a terminal waiting
	}
	return a.service.Serve(ctx, a.listener, delay, drainTimeout)
}

// containerMemory returns the container's memory limit in bytes, 0 without one.
func containerMemory() int64 {
	text, _ := os.ReadFile("/sys/fs/cgroup/memory.max")                   // missing outside of Linux
	limit, _ := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64) // "max" without a limit
	return limit
}

// drainTimeout is the time limit for requests in flight at shutdown.
const drainTimeout = 10 * time.Second

// listenError names the flag of an address that cannot be bound, and the remedy if another process uses it.
func listenError(flag string, err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%s: %w: stop the process that uses the address, or choose another with %s", flag, err, flag)
	}
	return fmt.Errorf("%s: %w", flag, err)
}

func (a *App) printBanner(ctx context.Context) error {
	players, err := a.store.Players.EstimateCount(ctx)
	if err != nil {
		return err
	}
	base := a.url()
	hint := ""
	if players == 0 {
		hint = "\nThe store is empty. Start with --demo for a demo world, or fill it: gamedata import, or POST /feed.\n"
	}
	fmt.Fprintf(a.out, `gamedata %s
  store    %s, %d players
  GraphQL  %s/graphql
  REST     %s/v3/player
  pages    %s/  %s/playground  %s/docs
  health   %s/livez  %s/readyz
%s%s`, buildinfo.Version, a.store.Name, players, base, base, base, base, base, base, base, a.admin.banner(), hint)
	return nil
}
