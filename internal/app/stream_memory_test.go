package app_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/seed"
)

// A response of several megabytes is in memory once: the executor's JSON is transformed in small parts.
func TestStreamMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("collects garbage all the time")
	}
	svc := newTestService(t)
	const path = "/v3/item/search?fullResult"
	search := func(n int) (size int) { // each with another response
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(fmt.Sprintf(`{"levelRange":[0,%d]}`, 1000+n)))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept-Encoding", "identity")
		w := &countingWriter{discardWriter: discardWriter{header: http.Header{}}}
		svc.handler.ServeHTTP(w, r)
		if w.status != http.StatusOK {
			t.Error(w.status)
		}
		return w.written
	}
	size := search(0)
	if size < 1<<20 {
		t.Fatalf("the response has only %d bytes", size)
	}
	search(1)
	const requests = 4
	defer debug.SetGCPercent(debug.SetGCPercent(5)) // garbage hardly counts
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	done := make(chan struct{})
	peak := make(chan uint64)
	go func() {
		var most uint64
		heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			metrics.Read(heap)
			most = max(most, heap[0].Value.Uint64())
			select {
			case <-done:
				peak <- most
				return
			case <-tick.C:
			}
		}
	}()
	var all sync.WaitGroup
	for n := range requests {
		all.Go(func() { search(2 + n) })
	}
	all.Wait()
	close(done)
	runtime.ReadMemStats(&after)
	bodies := float64(requests * size)
	grown, allocated := float64(<-peak-before.HeapAlloc)/bodies, float64(after.TotalAlloc-before.TotalAlloc)/bodies
	t.Logf("responses of %.1f MB: the heap grows by %.2f bodies each, %.2f are allocated", float64(size)/1e6, grown,
		allocated)
	if grown > 2.25 {
		t.Errorf("the heap grows by %.2f bodies per request", grown)
	}
	if allocated > 3.5 {
		t.Errorf("%.2f bodies are allocated per request", allocated)
	}
}

// A list with a value that only gqlgen can write is written as a whole.
func TestStreamFallback(t *testing.T) {
	svc := newTestService(t)
	item := *seed.Items()[0]
	item.InternalName, item.AttackSpeed = "no such speed", new("no such speed")
	if err := mongo.Items.Put(t.Context(), svc.store, []*model.Item{&item}); err != nil {
		t.Fatal(err)
	}
	const path = "/v3/item/database?fullResult"
	res := svc.request(http.MethodGet, path, "", "Accept-Encoding", "identity")
	if res.status != http.StatusOK || !bytes.Contains(res.body, []byte(`"internalName":"no such speed"`)) {
		t.Errorf("%d, %d bytes", res.status, len(res.body))
	}
	query := `{"query":"{items(page:1,first:100000){nodes{internalName attackSpeed}}}"}`
	want := []byte(`{"internalName":"no such speed","attackSpeed":null}`)
	res = svc.request(http.MethodPost, "/graphql", query, "Content-Type", "application/json")
	if !bytes.Contains(res.body, want) {
		t.Errorf("%d, %.300s", res.status, res.body)
	}
}

// countingWriter counts the bytes of the body.
type countingWriter struct {
	discardWriter
	written int
}

var _ io.Writer = (*countingWriter)(nil)

func (w *countingWriter) Write(b []byte) (int, error) {
	w.written += len(b)
	return len(b), nil
}
