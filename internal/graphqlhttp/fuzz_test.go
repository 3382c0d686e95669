package graphqlhttp_test

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"testing"
	"time"

	"gamedata/internal/graphqlhttp"
	"gamedata/internal/httpapi"
	"gamedata/internal/ratelimit"
)

// Whatever is sent to /graphql, the response is JSON with a status below 500.
func FuzzGraphQL(f *testing.F) {
	for _, seed := range []string{
		post("{ items }"), post("{ a: player ...F } fragment F on Query { shared }"), post("{{{{"),
		post("query($a: Int = 1) { items(page: $a) }"),
		post("{ items(id: [[[1]]]) @skip(if: true) }"), post(`mutation { rename(name: """x""") }`),
		post("{ __schema { types { name } } }"),
		`{"query": "{ items }", "variables": {"p": 1e999}}`, `[]`, `null`, `{"query": "\ud800"}`, "\x00", "",
	} {
		f.Add([]byte(seed))
	}
	api := httpapi.New(httpapi.Options{
		RateLimit: httpapi.RateLimitOptions{
			Counters: ratelimit.New(ratelimit.Options{}),
			Rates:    httpapi.Rates{"guest": {Limit: 1 << 30, Per: time.Minute}},
		},
		Cache: httpapi.CacheOptions{Timeout: time.Second},
	})
	handler := api.Middleware(graphqlhttp.New(api, mossExecutor(f), graphqlhttp.Options{}))
	f.Fuzz(func(t *testing.T, body []byte) {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("POST", "/graphql", bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		handler.ServeHTTP(w, r)
		if w.Code >= 500 || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}
