package bench

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
	"gamedata/internal/auth"
	"gamedata/internal/demo/seed"
)

// BenchmarkFeed sends what characters gained to POST /feed of the program on a demo world, each event of another
// character, with several senders and numbers of events a request.
func BenchmarkFeed(b *testing.B) {
	players := 2000
	p := startProgram(b, "--demo-speed", "0", "--feed-rate", "1000000")
	tokens := make([]string, 8)
	for i := range tokens {
		tokens[i] = apptest.InStore(b, p.dir, func(ctx context.Context, a *auth.Accounts) (string, error) {
			return a.FeedTokens.Create(ctx, fmt.Sprint("sender-", i))
		})
	}
	var characters []string
	o := seed.Options{Players: players, Seed: 1, Now: apptest.Now(), Days: seed.DefaultDays}
	for _, cs := range seed.New(o.Beginning()).Players() { // more join later
		for _, c := range cs {
			characters = append(characters, c.UUID)
		}
	}
	var next atomic.Int64
	send := func(sender, events int) {
		var body strings.Builder
		for range events {
			n := int(next.Add(1))
			fmt.Fprintf(&body, `{"id":"%d","event":"CharacterGained","data":{"character":"%s","mobsKilled":1}}`+"\n", n,
				characters[n%len(characters)])
		}
		res := apptest.Request(b, http.MethodPost, p.base+"/feed", body.String(),
			"Authorization", "Bearer "+tokens[sender], "Content-Type", "application/x-ndjson")
		if res.Status != http.StatusOK || !res.Has(fmt.Sprintf(`"applied":%d`, events)) {
			b.Fatalf("%d %.300s", res.Status, res.Body)
		}
	}
	for _, c := range []struct {
		senders, events int
		goal            target
	}{{1, 1, target{none: true}}, {8, 1, atLeast(400)}, {1, 500, atLeast(5000)}, {4, 500, target{none: true}}} {
		name := fmt.Sprintf("%dx%d", c.senders, c.events)
		b.Run(name, func(b *testing.B) {
			send(0, c.events)
			begun, before := time.Now(), next.Load()
			end := begun.Add(4 * time.Second)
			var all sync.WaitGroup
			for sender := range c.senders {
				all.Go(func() {
					for time.Now().Before(end) {
						send(sender, c.events)
					}
				})
			}
			all.Wait()
			rate := float64(next.Load()-before) / time.Since(begun).Seconds()
			addFigure(b, "feed, senders x events a request, "+name+", events a second", rate, c.goal)
		})
	}
}
