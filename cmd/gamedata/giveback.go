package main

import (
	"context"
	"log/slog"
	"runtime"
	"runtime/debug"
	"time"
)

const (
	// firstGiveBack is the wait after the start, which needs more memory than what follows.
	firstGiveBack = 10 * time.Second
	giveBackEvery = 15 * time.Second
	// quiet is how many collections there are at most from one time to the next while little
	// happens: a busy process keeps its memory, since it would ask for it again.
	quiet = 5
)

// giveBack returns memory to the system, while little happens: what the start and the last
// requests left, and that in which an embedded store's file was read. The function it returns
// ends that.
func giveBack(ctx context.Context, db *openStore, log *slog.Logger) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		next := time.NewTimer(firstGiveBack)
		defer next.Stop()
		var before, now runtime.MemStats
		runtime.ReadMemStats(&before)
		for {
			select {
			case <-ctx.Done():
				return
			case <-next.C:
			}
			next.Reset(giveBackEvery)
			runtime.ReadMemStats(&now)
			if now.NumGC-before.NumGC <= quiet {
				giveBackNow(db, log)
			}
			before = now
		}
	}()
	return func() { cancel(); <-ended }
}

func giveBackNow(db *openStore, log *slog.Logger) {
	debug.FreeOSMemory()
	if db.server == nil {
		return
	}
	if err := db.server.Release(); err != nil {
		log.Warn("the memory of the store's file was not given back", "error", err)
	}
}
