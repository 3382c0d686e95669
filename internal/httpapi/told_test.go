package httpapi

import (
	"strings"
	"testing"
	"time"
)

// An answer that nobody may keep is not stale, however old a record in it is.
func TestBypassIsNotStale(t *testing.T) {
	for maxAge, want := range map[time.Duration]string{
		0:           `,"status":"bypass","age":2,"ttl":0,`,
		time.Second: `,"status":"stale","age":2,"ttl":-1,`,
	} {
		if got := string((&Answer{MaxAge: maxAge}).tail(nil, true, 2*time.Second,
			maxAge-2*time.Second)); !strings.HasPrefix(got, want) {
			t.Errorf("kept for %v: %s, want %s", maxAge, got, want)
		}
	}
}
