package app_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/mux"

	"gamedata/internal/benchtest"
	"gamedata/internal/httpapi"
)

// cachedRequests are the requests whose cached responses are measured.
var cachedRequests = []struct {
	name, method, path, query, accept string
	goal                              target
}{
	{"player", "GET", "/v3/player/Salted", "", "identity", atLeast(0.9)},
	{"player-full", "GET", "/v3/player/Salted?fullResult", "", "gzip", target{none: true}},
	{"territories", "GET", "/v3/guild/list/territory", "", "identity", atLeast(0.9)},
	{"territories-gzip", "GET", "/v3/guild/list/territory", "", "gzip", target{none: true}},
	{"items", "GET", "/v3/item/database?fullResult", "", "identity", atLeast(0.9)},
	{"items-gzip", "GET", "/v3/item/database?fullResult", "", "gzip", target{none: true}},
	{
		"graphql-player",
		"POST",
		"/graphql",
		`query Page($name: String!) { player(by: {reference: $name}) { username uuid rank{key} online firstJoinedAt lastJoinedAt playtime
		guildMembership { guildName guildPrefix rank } totals { wars totalLevel mobsKilled chestsFound completedQuests }
		characters { nodes { uuid classKey level totalLevel } } } }`,
		"identity",
		atLeast(0.85),
	},
}

// rawRequest returns the bytes of a request and its body; a GraphQL query gets the variable name.
func rawRequest(t testing.TB, method, path, query, accept, name string) (text, body string) {
	if query != "" {
		b, err := json.Marshal(map[string]any{"query": query, "variables": map[string]string{"name": name}})
		if err != nil {
			t.Fatal(err)
		}
		body = string(b)
	}
	text = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: " + accept + "\r\n"
	if body != "" {
		text += "Content-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n"
	}
	return text + "\r\n" + body, body
}

// peer is one connection of the measuring client, which does as little work as possible.
type peer struct {
	conn   net.Conn
	reader *bufio.Reader
	text   []byte
}

func dial(t testing.TB, url, text string) *peer {
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &peer{conn, bufio.NewReaderSize(conn, 64<<10), []byte(text)}
}

// roundTrip sends the request and discards the response.
func (p *peer) roundTrip() error {
	if _, err := p.conn.Write(p.text); err != nil {
		return err
	}
	status, err := p.reader.ReadSlice('\n')
	if err != nil || !bytes.Contains(status, []byte(" 200 ")) {
		return fmt.Errorf("%q, %w", status, err)
	}
	length := 0
	for {
		line, err := p.reader.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(line) <= 2 {
			_, err := p.reader.Discard(length)
			return err
		}
		if v, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(v))); err != nil {
				return err
			}
		}
	}
}

// elapsed returns the duration of n requests over parallel connections.
func elapsed(t testing.TB, peers []*peer, n int) time.Duration {
	start := time.Now()
	var all sync.WaitGroup
	for _, p := range peers {
		all.Go(func() {
			for range n / len(peers) {
				if err := p.roundTrip(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	return time.Since(start)
}

// requestsPerTurn returns the number of requests in one turn, by the length of the body.
func requestsPerTurn(length int) int { return max(4, benchtest.Size(200, 4)/(1+length/100_000)/4*4) }

// BenchmarkCached requests cached responses, in turns with a bare handler behind gorilla/mux that writes the same
// headers and bytes. The metric ratio is the service's share of its requests/s, the median of all turns.
func BenchmarkCached(b *testing.B) {
	k := newBenchWorld(b)
	for _, row := range cachedRequests {
		b.Run(row.name, func(b *testing.B) {
			text, body := rawRequest(b, row.method, row.path, row.query, row.accept, "Salted")
			headers := []string{"Accept-Encoding", row.accept, "Content-Type", "application/json"}
			k.request(row.method, row.path, body, headers...)
			cached := k.request(row.method, row.path, body, headers...)
			if cached.Status != 200 || !cached.Hit() {
				b.Fatalf("%d %v %.300s", cached.Status, cached.Header, cached.Body)
			}
			cached.Header.Del("Content-Length")
			bare := httptest.NewUnstartedServer(nil)
			router := mux.NewRouter().UseEncodedPath().SkipClean(true)
			router.HandleFunc(routeOf(row.path), func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				maps.Copy(w.Header(), cached.Header)
				w.Header().Set("Content-Length", strconv.Itoa(len(cached.Body)))
				_, _ = w.Write(cached.Body)
			})
			bare.Config = httpapi.NewServer(router, slog.New(slog.DiscardHandler))
			bare.Start()
			defer bare.Close()
			var ours, theirs []*peer
			for range 4 {
				ours, theirs = append(ours, dial(b, k.url, text)), append(theirs, dial(b, bare.URL, text))
			}
			turn := requestsPerTurn(len(cached.Body))
			elapsed(b, ours, 2*turn)
			elapsed(b, theirs, 2*turn)
			var t turns
			for b.Loop() {
				o := elapsed(b, ours, turn)
				t.take(o, elapsed(b, theirs, turn))
			}
			our, their, ratio := float64(turn)/median(t.our), float64(turn)/median(t.their), 1/median(t.ratios)
			allocs := k.allocations(row.method, row.path, body, row.accept)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(our, "req/s")
			b.ReportMetric(their, "bare-req/s")
			b.ReportMetric(ratio, "ratio")
			b.ReportMetric(float64(len(cached.Body)), "bytes")
			b.ReportMetric(allocs, "allocs/hit")
			addComparison(
				comparison{row.name + ", cached", fmt.Sprintf("%.0f/s", our), fmt.Sprintf("%.0f/s", their), ratio, row.goal},
			)
			if row.name == "player" || row.name == "territories" {
				addComparison(comparison{row.name + ", cached, allocations", fmt.Sprint(allocs), "", allocs, atMost(20)})
			}
		})
	}
}

// routeOf returns the mux route of a path.
func routeOf(path string) string {
	path, _, _ = strings.Cut(path, "?")
	return path
}

// allocations returns the service's allocations for one request, without those of net/http.
func (svc *testService) allocations(method, path, body, accept string) float64 {
	w := &discardWriter{header: http.Header{}}
	text := strings.NewReader(body)
	r := httptest.NewRequest(method, path, nil)
	r.Header.Set("Accept-Encoding", accept)
	r.Body, r.ContentLength = io.NopCloser(text), int64(len(body))
	return testing.AllocsPerRun(benchtest.Size(200, 1), func() {
		clear(w.header)
		text.Reset(body)
		svc.handler.ServeHTTP(w, r)
	})
}

// discardWriter is a ResponseWriter that keeps only the status.
type discardWriter struct {
	header http.Header
	status int
}

func (w *discardWriter) Header() http.Header         { return w.header }
func (w *discardWriter) Write(b []byte) (int, error) { return len(b), nil }
func (w *discardWriter) WriteHeader(status int)      { w.status = status }
