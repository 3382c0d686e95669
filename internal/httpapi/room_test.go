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

// allocated is the heap in use once nothing is left to collect.
func allocated() int {
	var m runtime.MemStats
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// However much is asked, kept answers take the room they are given: their bodies, compressed
// forms, headers and tags, and what holds them.
func TestAnswersTakeTheirRoom(t *testing.T) {
	const room = 4 << 20
	before := allocated()
	answers, err := cache.New[httpapi.Answer](cache.Options{Bytes: room})
	if err != nil {
		t.Fatal(err)
	}
	defer answers.Close()
	d := httpapi.New(httpapi.Options{Limiter: ratelimit.New(ratelimit.Options{}), Answers: answers})
	random := rand.New(rand.NewPCG(1, 2))
	asked := 0
	ask := func(n, size int, coding string) {
		q := httpapi.Question{Key: fmt.Sprint("question ", n), MaxAge: time.Hour, Scope: graph.Shared}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", coding)
		d.Serve(httptest.NewRecorder(), r, q, func(context.Context) httpapi.Answer {
			var b strings.Builder
			for b.Len() < size {
				b.WriteString(`{"uuid":"` + strconv.FormatUint(random.Uint64(), 16) + `","rank":"CHAMPION"},`)
			}
			asked += b.Len()
			return httpapi.Answer{
				Body: []byte(b.String()), MaxAge: q.MaxAge, Scope: q.Scope,
				Tags:   []string{fmt.Sprintf("player:%036d", n)},
				Header: http.Header{"Territorylasttick": {fmt.Sprint("tick ", n)}},
			}
		})
	}
	for n := 0; asked < 2*room; n++ {
		size := []int{200, 3_000, 200, 40_000}[n%4]
		ask(n, size, "gzip")
		ask(n, size, "zstd")
	}
	taken := allocated() - before
	t.Logf("%.2f of the room", float64(taken)/room)
	if taken > room*12/10 || taken < room/2 {
		t.Errorf("answers take %d bytes of %d", taken, room)
	}
	runtime.KeepAlive(answers)
}
