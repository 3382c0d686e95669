package graphqlhttp

import (
	"strings"
	"testing"
	"time"

	"gamedata/internal/httpapi"
)

// A response that must not be cached is not stale, however old a record in it is.
func TestBypassIsNotStale(t *testing.T) {
	for maxAge, want := range map[time.Duration]string{
		0:           `,"status":"bypass","age":2,"ttl":0,`,
		time.Second: `,"status":"stale","age":2,"ttl":-1,`,
	} {
		got := string(appendCacheInfo(nil, httpapi.SuffixInfo{
			Method: "POST", MaxAge: maxAge, Age: 2 * time.Second, TTL: maxAge - 2*time.Second,
		}))
		if !strings.HasPrefix(got, want) {
			t.Errorf("max age %v: got %s, want %s", maxAge, got, want)
		}
	}
}
