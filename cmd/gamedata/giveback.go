package main

import (
	"context"
	"log/slog"
	"runtime"
	"runtime/debug"
	"time"
)

const (
	// giveBackEvery is the time from one look to the next. Each page of the file that is touched
	// brings up to fifteen beside it into memory, so it is given back often.
	giveBackEvery = 5 * time.Second
	// collectEvery is how many of these times pass between two collections.
	collectEvery = 3
	// quiet is how many collections there are at most from one time to the next while little
	// happens: a busy process keeps its memory, since it would ask for it again.
	quiet = 2
)

// giveBack returns memory to the system, while little happens: what the start and the last
// requests left, and that in which an embedded store's file was read. The function it returns
// ends that.
func giveBack(ctx context.Context, db *openStore, log *slog.Logger) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		next := time.NewTicker(giveBackEvery)
		defer next.Stop()
		var before, now runtime.MemStats
		runtime.ReadMemStats(&before)
		for collected := collectEvery; ; collected++ {
			select {
			case <-ctx.Done():
				return
			case <-next.C:
			}
			runtime.ReadMemStats(&now)
			if now.NumGC-before.NumGC <= quiet {
				giveBackPages(db, log)
				if collected >= collectEvery {
					collected = 0
					debug.FreeOSMemory()
				}
			}
			before = now
		}
	}()
	return func() { cancel(); <-ended }
}

// giveBackPages gives back the memory in which an embedded store's file was read.
func giveBackPages(db *openStore, log *slog.Logger) {
	if db.server == nil {
		return
	}
	if err := db.server.Release(); err != nil {
		log.Warn("the memory of the store's file was not given back", "error", err)
	}
}
