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
	svc := newTestService(t)
	warm := svc.request("GET", "/players/Salted", "")
	warm.expect(t, "warm", 200, "Cache-Status", miss, "Cache-Control", "max-age=120, private")
	svc.stopStore()
	svc.request("GET", "/players/Salted", "").expect(t, "fresh", 200, "Cache-Status", "gamedata; hit; ttl=120")
	svc.advance(3 * time.Minute)
	stale := svc.request("GET", "/players/Salted", "")
	if stale.expect(t, "stale", 200, "Cache-Status", "gamedata; hit; ttl=-60", "Age", "180"); !bytes.Equal(stale.body,
		warm.body) {
		t.Error("the page differs")
	}
	for path, says := range map[string]string{"/players/Okapi": "temporarily unavailable", "/": "temporarily unavailable"} {
		res := svc.request("GET", path, "")
		res.expect(t, path, 503, "Retry-After", "5", "Content-Type", "text/html; charset=utf-8", "Cache-Control",
			"max-age=0, private, no-store")
		if !strings.Contains(string(res.body), says) {
			t.Errorf("%s: %s", path, res.body)
		}
	}
}
