package app_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
	"gamedata/mongo"
)

// A response of several megabytes is in memory once: the executor's JSON is transformed in small parts. While responses
// are sent, little more than their bodies is in use, and all that a request allocates is less than three of them.
func TestStreamMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector empties pools")
	}
	svc := newTestService(t)
	const requests = 4
	var ready, all sync.WaitGroup // requests that write their bodies, that have ended
	written := make(chan struct{})
	search := func(n int, begin func()) (size int) { // each with another response
		r := httptest.NewRequest(http.MethodPost, "/v3/item/search?fullResult",
			strings.NewReader(fmt.Sprintf(`{"levelRange":[0,%d]}`, 1000+n)))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept-Encoding", "identity")
		w := &countingWriter{discardWriter: discardWriter{header: http.Header{}}, begin: begin}
		svc.handler.ServeHTTP(w, r)
		if w.status != http.StatusOK {
			t.Error(w.status)
		}
		return w.written
	}
	size := search(0, func() {})
	if size < 1<<20 {
		t.Fatalf("the response has only %d bytes", size)
	}
	search(1, func() {})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	ready.Add(requests)
	for n := range requests {
		all.Go(func() {
			search(2+n, sync.OnceFunc(func() {
				ready.Done()
				<-written
			}))
		})
	}
	ready.Wait()
	runtime.GC()
	runtime.ReadMemStats(&after)
	close(written)
	all.Wait()
	bodies := float64(requests * size)
	used, allocated := float64(after.HeapAlloc-before.HeapAlloc)/bodies, float64(after.TotalAlloc-before.TotalAlloc)/bodies
	t.Logf("responses of %.1f MB: %.2f bodies are in use, %.2f are allocated", float64(size)/1e6, used, allocated)
	if used > 1.5 {
		t.Errorf("%.2f bodies are in use per request", used)
	}
	if allocated > 3 {
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
	begin   func() // called before each write
	written int
}

var _ io.Writer = (*countingWriter)(nil)

func (w *countingWriter) Write(b []byte) (int, error) {
	w.begin()
	w.written += len(b)
	return len(b), nil
}
