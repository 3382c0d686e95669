package httpapi_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"gamedata/graph"
	"gamedata/internal/cache"
	"gamedata/internal/httpapi"
	"gamedata/internal/ratelimit"
)

// allocated returns the heap in use after garbage collection.
func allocated() int {
	var m runtime.MemStats
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// However much is requested, cached responses stay within MaxBytes: their bodies, compressed bodies,
// headers, tags and overhead.
func TestCachedResponsesStayWithinMaxBytes(t *testing.T) {
	const maxBytes = 4 << 20
	before := allocated()
	responses, err := cache.New[httpapi.Response](cache.Options{MaxBytes: maxBytes})
	if err != nil {
		t.Fatal(err)
	}
	defer responses.Close()
	api := httpapi.New(httpapi.Options{
		RateLimit: httpapi.RateLimitOptions{Counters: ratelimit.New(ratelimit.Options{})},
		Cache:     httpapi.CacheOptions{Responses: responses},
	})
	random := rand.New(rand.NewPCG(1, 2))
	requested := 0
	request := func(n, size int, coding string) {
		q := httpapi.CacheRequest{Key: fmt.Sprint("request ", n), MaxAge: time.Hour, Scope: graph.Shared}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", coding)
		handler := api.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			api.Cache.Serve(w, r, q, func(context.Context) httpapi.Response {
				var b strings.Builder
				for b.Len() < size {
					b.WriteString(`{"uuid":"` + strconv.FormatUint(random.Uint64(), 16) + `","rank":"CHAMPION"},`)
				}
				requested += b.Len()
				return httpapi.Response{
					Body: []byte(b.String()), MaxAge: q.MaxAge, Scope: q.Scope,
					ReadStats: graph.ReadStats{Tags: []string{fmt.Sprintf("player:%036d", n)}},
					Header:    http.Header{"Territorylasttick": {fmt.Sprint("tick ", n)}},
				}
			})
		}))
		handler.ServeHTTP(httptest.NewRecorder(), r)
	}
	for n := 0; requested < 2*maxBytes; n++ {
		size := []int{200, 3_000, 200, 40_000}[n%4]
		request(n, size, "gzip")
		request(n, size, "zstd")
	}
	taken := allocated() - before
	t.Logf("%.2f of MaxBytes", float64(taken)/maxBytes)
	if taken > maxBytes*12/10 || taken < maxBytes/2 {
		t.Errorf("responses take %d bytes of %d", taken, maxBytes)
	}
	runtime.KeepAlive(responses)
}

// A stored response occupies its body, whatever the capacity of the buffer that it was written to.
func TestStoredResponseDropsSpareCapacity(t *testing.T) {
	resp := httpapi.Response{Body: make([]byte, 1000, 1<<20)}.Precompute()
	if size := resp.Size(); size > 10_000 {
		t.Errorf("a body of 1000 bytes occupies %d bytes", size)
	}
}
