package seed_test

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"
	"time"

	"gamedata/internal/demo/seed"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// demoOptions is the world in demoStore.
var demoOptions = seed.Options{Players: 1200, Seed: 1<<63 + 5, Now: now}

// demo is a store seeded with demoOptions that all tests read and none writes to.
type demo struct {
	store    *mongo.Store
	progress []int // the arguments of Options.Progress
	err      error
	closers  []func() error
}

var (
	demoOnce  = sync.OnceValue(openDemo)
	demoWorld = sync.OnceValue(func() []person { return people(demoOptions) })
	demoUsed  bool
)

func openDemo() *demo {
	demoUsed = true
	d := &demo{}
	dir, err := os.MkdirTemp("", "seed")
	if err != nil {
		return &demo{err: err}
	}
	d.closers = append(d.closers, func() error { return os.RemoveAll(dir) })
	server, err := mongotest.StartServer(dir)
	if d.err = err; err != nil {
		return d
	}
	d.closers = append(d.closers, server.Close)
	ctx := context.Background()
	d.store, d.err = mongo.Open(ctx, server.Options())
	if d.err != nil {
		return d
	}
	d.closers = append(d.closers, func() error { return d.store.Close(ctx) })
	o := demoOptions
	o.Progress = func(done, total int) { d.progress = append(d.progress, done, total) }
	d.err = seed.Run(ctx, d.store, o)
	return d
}

// seeded returns the shared store.
func seeded(t *testing.T) *demo {
	t.Helper()
	d := demoOnce()
	if d.err != nil {
		t.Fatal(d.err)
	}
	return d
}

func TestMain(m *testing.M) {
	code := m.Run()
	if demoUsed {
		var errs []error
		for d := demoOnce(); len(d.closers) > 0; d.closers = d.closers[:len(d.closers)-1] {
			errs = append(errs, d.closers[len(d.closers)-1]())
		}
		if err := errors.Join(errs...); err != nil && code == 0 {
			_, _ = os.Stderr.WriteString(err.Error() + "\n")
			code = 1
		}
	}
	os.Exit(code)
}
