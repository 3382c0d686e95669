package load

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// target is a service that lists two players and a guild; handle responds to everything else.
func target(t *testing.T, handle http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/livez" { // whether it can be reached
			return
		} else if r.URL.Path != "/graphql" {
			handle(w, r)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		switch {
		case bytes.Contains(body, []byte("players(")):
			_, _ = io.WriteString(w, `{"data":{"players":{"nodes":[{"uuid":"u-1","username":"One"},`+
				`{"uuid":"u-2","username":"Two"}],"pageInfo":{"hasNextPage":false}}}}`)
		case bytes.Contains(body, []byte("guilds(")):
			_, _ = io.WriteString(w, `{"data":{"guilds":{"nodes":[{"name":"Moss Company"}],"pageInfo":{}}}}`)
		default:
			r.Body = io.NopCloser(bytes.NewReader(body))
			handle(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// runMix runs a mix for a second.
func runMix(ctx context.Context, t *testing.T, url, mix string, change func(*Options)) *Report {
	t.Helper()
	m, err := parseMix([]byte(mix))
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Target: url, Mix: m, Rate: 50, Duration: time.Second, Callers: 1, Timeout: time.Minute}
	if change != nil {
		change(&o)
	}
	report, err := Run(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestInvalidMixes(t *testing.T) {
	class := func(keys string) string { return "classes: [{name: a, share: 1, " + keys + "}]" }
	for mix, want := range map[string]string{
		"":                              "the mix is empty",
		"classes: []":                   "a mix has classes or streams",
		"clases: []":                    `unknown key "clases"`,
		class("path: /v3/player"):       `line 1: unknown key "path"`,
		class(""):                       `class "a": want paths or queries`,
		class("paths: [v3]"):            `the path "v3" must begin with /`,
		class(`paths: ["/{name}"]`):     "unknown placeholder {name}; there are {uuid}, {username} and {guild}",
		class(`paths: ["/{uuid}"]`):     "{uuid} wants players: N",
		class(`paths: ["/{guild}"]`):    "{guild} wants guilds: N",
		class(`queries: [{query: ""}]`): "a query is empty",
		class(`queries: [{query: q, variables: {u: "{uuid}"}}]`):                      "{uuid} wants players: N",
		"classes: [{name: a, paths: [/]}]":                                            "share must be above 0 and at most",
		"classes: [{name: a, share: .nan, paths: [/]}]":                               "share must be above 0",
		"classes: [{name: a, share: 1e99, paths: [/]}]":                               "share must be above 0",
		"classes: [{share: 1, paths: [/]}]":                                           "class 1: want a unique name",
		"players: -1\n" + class("paths: [/]"):                                         "players must be 0 to 100000",
		"players: 1e9\n" + class("paths: [/]"):                                        "players must be 0 to 100000",
		"guilds: 99999\n" + class("paths: [/]"):                                       "guilds must be 0 to 10000",
		"classes: [{name: a, share: 1, paths: [/]}, {name: a, share: 1, paths: [/]}]": "class 2: want a unique name",
		"classes: many":                                                  "cannot unmarshal",
		"streams: [{name: s, path: /}]":                                  `stream "s": connections must be 1 to 20000`,
		"streams: [{name: s, path: events, connections: 1}]":             "must begin with /",
		"streams: [{path: /, connections: 1}]":                           "stream 1: want a unique name",
		`streams: [{name: s, connections: 1, path: "/{uuid}"}]`:          "has a placeholder, which streams do not replace",
		`streams: [{name: s, connections: 1, path: "/%zz"}]`:             `stream "s": the path "/%zz" is not one of a URL`,
		`streams: [{name: "s\n", connections: 1, path: /}]`:              "stream 1: want a unique name",
		class(`paths: ["/a\x01"]`):                                       `the path "/a\x01" is not one of a URL`,
		class(`queries: [{query: q, variables: {in: [{u: "{uuid}"}]}}]`): "{uuid} wants players: N",
		class(`queries: [{query: q, variables: {in: {1: 2}}}]`):          "the variables cannot be sent as JSON",
		class("paths: [/]") + "\n---\n" + class("paths: [/]"):            "a mix is one YAML document",
	} {
		if _, err := parseMix([]byte(mix)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", mix, err, want)
		}
	}
	if _, err := ReadMix("night"); err == nil || !strings.Contains(err.Error(), "neither a file nor a mix") {
		t.Errorf("got %v for an unknown mix", err)
	}
}

// The mixes of the program are valid.
func TestMixesOfTheProgram(t *testing.T) {
	for _, name := range MixNames() {
		if _, err := ReadMix(name); err != nil {
			t.Error(err)
		}
	}
}

// Requests are sent at their rate though none is responded to, and the wait counts for each from when it was due.
func TestRateDoesNotDependOnResponses(t *testing.T) {
	t.Parallel()
	var arrived atomic.Int64
	enough := make(chan struct{})
	url := target(t, func(http.ResponseWriter, *http.Request) {
		if arrived.Add(1) == 40 {
			close(enough)
		}
		<-enough
	})
	r := runMix(t.Context(), t, url, "classes: [{name: a, share: 1, paths: [/]}]", nil)
	if c := r.Total; c.Requests != 50 || c.Statuses["200"] != 50 || len(c.Errors) != 0 {
		t.Fatalf("got %+v, want 50 requests", c)
	}
	// The first waited for the fortieth, 39 intervals of 20 ms; the twentieth for 20.
	if l := r.Total.Latency; l.Max < 0.78 || l.P50 < 0.2 {
		t.Errorf("got %+v, want the wait from when each was due", l)
	}
}

// Placeholders name what the target has; clients send the ETag of the response before.
func TestRequestsOfAMix(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	seen := map[string]int{}
	url := target(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		key := r.Method + " " + r.RequestURI
		if r.Method == http.MethodPost {
			body, _ := io.ReadAll(r.Body)
			key += " " + string(body)
		}
		seen[key]++
		if r.Header.Get("If-None-Match") == `"x"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("ETag", `"x"`)
		if r.Method == http.MethodPost {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, `{"data":null,"errors":[{"extensions":{"code":"TIMEOUT"}}]}`)
			_ = z.Close()
		}
	})
	r := runMix(t.Context(), t, url, `
players: 10
guilds: 10
classes:
  - {name: polling, share: 2, etags: true, paths: ["/g/{guild}"]}
  - {name: players, share: 2, paths: ["/p/{uuid}/{username}"]}
  - {name: pages, share: 1, queries: [{query: "query Q", variables: {by: {name: "{guild}"}, n: 3}}]}
`, nil)
	want := []string{
		"GET /g/Moss%20Company", "GET /p/u-1/One", "GET /p/u-2/Two",
		`POST /graphql {"query":"query Q","variables":{"by":{"name":"Moss Company"},"n":3}}`,
	}
	if got := slices.Sorted(maps.Keys(seen)); !slices.Equal(got, want) {
		t.Errorf("got the requests %v, want %v", got, want)
	}
	polling, pages := r.Classes[0], r.Classes[2]
	if polling.Requests != 20 || polling.Statuses["304"] == 0 || polling.NotModifiedShare == 0 ||
		len(polling.Errors) != 0 {
		t.Errorf("got %+v, want 20 requests, some of them 304", polling)
	}
	if pages.Requests != 10 || pages.Errors["GraphQL TIMEOUT"] != 10 || r.Total.ErrorShare() != 0.2 {
		t.Errorf("got %+v, want 10 errors of GraphQL", pages)
	}
	if err := r.Check(0.1, 0); err == nil || err.Error() != "0.2 of the requests failed, the maximum is 0.1" {
		t.Errorf("got %v", err)
	}
	if err := r.Check(0.2, time.Minute); err != nil {
		t.Error(err)
	}
	if err := r.Check(1, time.Nanosecond); err == nil || !strings.HasSuffix(err.Error(), "the maximum is 1ns") {
		t.Errorf("got %v", err)
	}
	var text bytes.Buffer
	if err := r.Print(&text); err != nil || !strings.Contains(text.String(), "errors of pages: GraphQL TIMEOUT × 10") {
		t.Errorf("got %v and %s", err, &text)
	}
}

// Callers that honour limits send nothing until their quota is back; others go on. Each has an address.
func TestCallersHonourLimits(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	polite, others := map[string]int{}, map[string]int{}
	url := target(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if address := r.Header.Get("X-Forwarded-For"); r.URL.Path == "/others" {
			others[address]++
		} else if polite[address]++; polite[address] == 1 {
			w.Header().Set("RateLimit-Limit", "60") // a second for one request
			w.Header().Set("RateLimit-Remaining", "0")
			return
		}
		w.Header().Set("Retry-After", "60")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	r := runMix(t.Context(), t, url, `
classes:
  - {name: polite, share: 1, honour-limits: true, paths: [/polite]}
  - {name: others, share: 1, paths: [/others]}
`, func(o *Options) { o.Callers = 3 })
	if len(polite) != 3 || len(others) != 3 || polite["198.18.0.0"] == 0 || others["198.18.0.5"] == 0 {
		t.Errorf("got requests of %v and %v, want 3 callers each", polite, others)
	}
	for address, n := range polite {
		if n > 2 {
			t.Errorf("%s sent %d requests, want one and another after a second", address, n)
		}
	}
	first, second := r.Classes[0], r.Classes[1]
	if first.Requests+first.Withheld != 25 || first.Withheld < 19 {
		t.Errorf("got %+v, want nearly all of 25 requests withheld", first)
	}
	if second.TooManyRequests != 25 || second.Withheld != 0 || len(second.Errors) != 0 {
		t.Errorf("got %+v, want 25 times 429, which is no error", second)
	}
}

// Broken connections are errors by kind.
func TestBrokenConnections(t *testing.T) {
	t.Parallel()
	url := target(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/missing" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		panic(http.ErrAbortHandler)
	})
	r := runMix(t.Context(), t, url, "classes: [{name: a, share: 1, paths: [/, /missing]}]", nil)
	if r.Total.Errors["status 404"]+r.Total.Errors["EOF"] != 50 || len(r.Total.Errors) != 2 {
		t.Errorf("got %v, want 404 and EOF", r.Total.Errors)
	}
}

// A load that is interrupted ends with a report of what was sent.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	url := target(t, func(_ http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Vegeta-Seq") == "5" {
			cancel()
		}
	})
	r := runMix(ctx, t, url, "classes: [{name: a, share: 1, paths: [/]}]", func(o *Options) { o.Duration = time.Hour })
	if n := r.Total.Requests; n < 6 || n > 1000 || r.Total.Statuses["200"] != n || r.Seconds > 60 {
		t.Errorf("got %+v, want some requests", r.Total)
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
}

// A target that cannot be used is an error before anything is sent.
func TestUnusableTargets(t *testing.T) {
	m := &Mix{Players: 1, Classes: []Class{{Name: "a", Share: 1, Paths: []string{"/"}}}}
	o := Options{Mix: m, Rate: 1, Duration: time.Second, Callers: 1, Timeout: time.Second}
	empty := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"data":{"players":{"nodes":[],"pageInfo":{}}}}`)
	}))
	defer empty.Close()
	o.Target = empty.URL
	if _, err := Run(t.Context(), o); err == nil || err.Error() != "the target has no players" {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 150*time.Millisecond) // less than the first retry waits
	defer cancel()
	o.Target = "http://127.0.0.1:1"
	if _, err := Run(ctx, o); err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("got %v, want a refused connection", err)
	}
}

func TestAddresses(t *testing.T) {
	last := maxClasses*MaxCallers - 1
	for n, want := range map[int]string{0: "198.18.0.0", 256: "198.18.1.0", 65536: "198.19.0.0", last: "198.19.134.159"} {
		if got := addressOf(n); got != want {
			t.Errorf("address %d: got %s, want %s", n, got, want)
		}
	}
}

// The requests of all classes are spread over the duration.
func TestSchedule(t *testing.T) {
	for _, c := range []struct {
		rate     float64
		duration time.Duration
		i, n     int
		total    uint64
		last     time.Duration
	}{
		{10, time.Second, 0, 1, 10, 900 * time.Millisecond},
		{10, time.Second, 1, 2, 10, 950 * time.Millisecond},
		{0.1, time.Second, 1, 2, 0, 0},
		{0.1, time.Minute, 0, 1, 6, 50 * time.Second},
		{100_000, 24 * time.Hour, 0, 1, 8_640_000_000, 24*time.Hour - 10*time.Microsecond},
	} {
		s := newSchedule(t.Context(), c.rate, c.duration, c.i, c.n)
		if s.total != c.total || c.total > 0 && (s.at(s.total-1)-c.last).Abs() > time.Microsecond {
			t.Errorf("%+v: got %d requests, the last at %s", c, s.total, s.at(s.total-1))
		}
	}
}

// Streams are opened again after what they received; an event that one of them misses is a gap, and one that is
// received again is counted.
func TestStreams(t *testing.T) {
	t.Parallel()
	var opened atomic.Int64
	all := make(chan struct{}) // closed when three streams are open
	url := target(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/page" {
			return
		}
		n := opened.Add(1)
		if n == 3 {
			close(all)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		if r.Header.Get("Last-Event-ID") == "e2" { // the first one comes back
			_, _ = io.WriteString(w, "id: e2\nevent: a\ndata: {}\n\nid: e3\nevent: a\ndata: {}\n\n")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			return
		}
		_, _ = io.WriteString(w, "retry: 10\n\nid: e0\n\n")
		w.(http.Flusher).Flush()
		<-all
		_, _ = io.WriteString(w, "id: e1\nevent: a\ndata: {}\n\n: comment\n\nid: e2\nevent: a\ndata: {}\n\n")
		switch n {
		case 1:
			_, _ = io.WriteString(w, "event: end\ndata: {}\n\n")
			return
		case 2:
			_, _ = io.WriteString(w, "id: e3\nevent: a\ndata: {}\n\n")
		}
		w.(http.Flusher).Flush() // the third misses e3
		<-r.Context().Done()
	})
	r := runMix(t.Context(), t, url,
		"streams: [{name: events, connections: 3, path: /events}, {name: page, connections: 2, path: /page}]",
		func(o *Options) { o.Settle = 50 * time.Millisecond })
	want := StreamReport{
		Name: "events", Connections: 3, Opened: 4, Events: 8, Repeated: 1, Gaps: 1, Errors: map[string]int{},
	}
	if diff := cmp.Diff(want, r.Streams[0]); diff != "" {
		t.Error(diff)
	}
	if s := r.Streams[1]; s.Opened != 0 || s.Errors["no stream of events"] != 2 || r.Total.WantedRate != 0 {
		t.Errorf("got %+v for pages that are no streams, without requests: %+v", s, r.Total)
	}
	var text bytes.Buffer
	if err := r.Print(&text); err != nil || !strings.Contains(text.String(), "events   3            4       8       1") ||
		!strings.HasPrefix(text.String(), "streams ") {
		t.Errorf("got %v and %s", err, &text)
	}
	if err := r.Check(0, 0); err != nil {
		t.Error(err)
	}
}
