package api

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"gamedata/internal/app/apptest"
)

// An unreachable collector is logged once; invalid settings keep the service from starting.
func TestTraceCollectorUnavailable(t *testing.T) {
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "20")
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "127.0.0.1:4318")
	if err := startError(t, "--data-dir", t.TempDir()); !strings.Contains(err, "OTEL_EXPORTER_OTLP_ENDPOINT") {
		t.Errorf("a wrong setting: the service starts, or fails with %q", err)
	}
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
	p, _ := apptest.StartDemo(t, "--log-format", "json")
	const failed = "sending spans to the collector failed"
	for range 2 {
		apptest.Get(t, p.Base+"/v3/player/Salted")
		apptest.Await(t, failed, func() bool { return strings.Contains(p.Stderr.String(), failed) })
	}
	p.Stop()
	if text := p.Stderr.String(); strings.Count(text, failed) != 1 || !strings.HasPrefix(text, "{") {
		t.Error(text)
	}
}

// Spans nest as request, root field, batch and store command, and contain no name that a caller sent.
func TestTraces(t *testing.T) {
	var mu sync.Mutex
	names, parents := map[string]string{}, map[string]string{} // by id
	var text strings.Builder
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := io.Reader(r.Body)
		if r.Header.Get("Content-Encoding") == "gzip" {
			body, _ = gzip.NewReader(r.Body)
		}
		all, err := io.ReadAll(body)
		var sent collector.ExportTraceServiceRequest
		if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(all, &sent) != nil {
			t.Errorf("%s %v", r.URL, err)
		}
		mu.Lock()
		defer mu.Unlock()
		text.Write(all)
		for _, resource := range sent.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				for _, span := range scope.Spans {
					names[string(span.SpanId)], parents[string(span.SpanId)] = span.Name, string(span.ParentSpanId)
				}
			}
		}
	}))
	defer s.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", s.URL)
	p, _ := apptest.StartDemo(t)
	apptest.RequestOK(t, p.Base, "GET", "/v3/player/Salted", "")
	apptest.RequestOK(t, p.Base, "POST", "/graphql", `{"query":"query Madeup { guild(by: { name: \"Mossbound Company\" }) { name } }"}`)
	p.Stop() // sends the rest
	mu.Lock()
	defer mu.Unlock()
	above := func(id string) (path string) {
		for ; names[id] != ""; id = parents[id] {
			path = names[id] + " > " + path
		}
		return path
	}
	var paths []string
	for id := range names {
		paths = append(paths, above(id))
	}
	all := strings.Join(paths, "\n")
	for _, want := range []string{
		"rest Player > field player",
		"graphql guild > field guild > batch GuildByName > store find > ",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("got no span %q in\n%s", want, all)
		}
	}
	for _, name := range []string{"Salted", "Mossbound", "Madeup"} {
		if strings.Contains(text.String(), name) {
			t.Errorf("a span contains the caller's text %s", name)
		}
	}
}
