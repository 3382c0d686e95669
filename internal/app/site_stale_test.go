package app_test

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// A page is cached as any answer is: while the store is away it goes on being shown, and what was
// never asked for says in words that the service is not available. The front page keeps its doors
// open then.
func TestSiteWithoutStore(t *testing.T) {
	t.Parallel()
	k := newTestService(t)
	warm := k.ask("GET", "/players/Salted", "")
	warm.is(t, "warm", 200, "Cache-Status", miss, "Cache-Control", "max-age=120, private")
	k.stopStore()
	k.ask("GET", "/players/Salted", "").is(t, "fresh", 200, "Cache-Status", "gamedata; hit; ttl=120")
	k.wait(3 * time.Minute)
	stale := k.ask("GET", "/players/Salted", "")
	if stale.is(t, "stale", 200, "Cache-Status", "gamedata; hit; ttl=-60", "Age", "180"); !bytes.Equal(stale.body,
		warm.body) {
		t.Error("the page differs")
	}
	for path, says := range map[string]string{"/players/Okapi": "temporarily unavailable", "/": "temporarily unavailable"} {
		a := k.ask("GET", path, "")
		a.is(t, path, 503, "Retry-After", "5", "Content-Type", "text/html; charset=utf-8", "Cache-Control",
			"max-age=0, private, no-store")
		if !strings.Contains(string(a.body), says) {
			t.Errorf("%s: %s", path, a.body)
		}
	}
}
