package bench

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"gamedata/graph/model"
	"gamedata/internal/app/apptest"
	"gamedata/internal/demo/content"
)

// BenchmarkCacheMemory requests several times as many bytes as --cache-size allows, each response in two encodings, and
// reports the growth of the heap.
func BenchmarkCacheMemory(b *testing.B) {
	const maxBytes = 16 << 20
	requests := 6000
	svc := apptest.NewService(b, "--cache-size", "16MiB")
	var names []string
	for _, i := range content.Read[model.Item]("items") {
		names = append(names, i.InternalName)
	}
	random, sent := rand.New(rand.NewPCG(3, 4)), 0
	request := func() {
		random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		body, err := json.Marshal(map[string]any{
			"query": `query($n:[String!]!){items(filter:{internalNames:$n},first:40){nodes{internalName displayName type{key} tier{key} lore
			identifications{key raw min max} requirements{level quest} dropMeta{name types position{x y z}}}}}`,
			"variables": map[string]any{"n": names[:40]},
		})
		if err != nil {
			b.Fatal(err)
		}
		for _, accept := range []string{"identity", "gzip"} {
			r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(string(body)))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept-Encoding", accept)
			w := httptest.NewRecorder()
			svc.Handler.ServeHTTP(w, r)
			if w.Code != http.StatusOK {
				b.Fatalf("%d %.300s", w.Code, w.Body)
			}
			sent += w.Body.Len()
		}
	}
	for range 10 {
		request()
	}
	before := heap()
	for range requests {
		request()
	}
	if sent < 3*maxBytes {
		b.Fatalf("got %d bytes, want at least %d", sent, 3*maxBytes)
	}
	grown := float64(heap()) - float64(before)
	addComparison(b, comparison{
		"cache, 16 MiB, heap grown", fmt.Sprintf("%.1f MiB", grown/(1<<20)), "16 MiB", grown / maxBytes, atMost(1.2),
	})
	runtime.KeepAlive(svc)
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
