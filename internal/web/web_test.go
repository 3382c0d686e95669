package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gorilla/mux"
	"github.com/klauspost/compress/gzip"
)

var (
	script = strings.Repeat("console.log('a long script');\n", 100)
	built  = fstest.MapFS{
		"dist/README":              {Data: []byte("no page")},
		"dist/manifest.json":       {Data: []byte(`{"console.js": "/assets/console-ABCD.js"}`)},
		"dist/console-ABCD.js.gz":  {Data: compress([]byte(script))},
		"dist/icons-ABCD.ttf":      {Data: []byte{0, 1, 0, 0}},
		"dist/licenses.txt":        {Data: []byte("MIT")},
		"dist/strange-ABCD.binary": {Data: []byte("?")},
	}
	endpoints = []Endpoint{{
		Method: "GET", Path: "/v3/player", Operation: "OnlinePlayers",
		Document: "{ onlinePlayers{onlineCount} }",
	}}
)

func request(h http.Handler, method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// bodyOf reads a body, decompressed.
func bodyOf(t *testing.T, r *httptest.ResponseRecorder) string {
	t.Helper()
	from := io.Reader(r.Body)
	if r.Header().Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		from = z
	}
	text, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestConsole(t *testing.T) {
	h := newHandler(built, readManifest(built), endpoints, "")
	const list = `[{"method":"GET","path":"/v3/player","operation":"OnlinePlayers",` +
		`"document":"{ onlinePlayers{onlineCount} }"}]`
	for _, c := range []struct {
		path         string
		status       int
		contentType  string
		cacheControl string
		body         string // a part of it
	}{
		{"/playground", 200, "text/html; charset=utf-8", revalidate, "<title>Console – gamedata</title>"},
		{"/graphiql", 200, "text/html; charset=utf-8", revalidate, "<title>Console – gamedata</title>"},
		{"/playground/endpoints.json", 200, "application/json", revalidate, list},
		{"/assets/console-ABCD.js", 200, "text/javascript; charset=utf-8", immutable, script},
		{"/assets/icons-ABCD.ttf", 200, "font/ttf", immutable, "\x00\x01"},
		{"/assets/licenses.txt", 200, "text/plain; charset=utf-8", revalidate, "MIT"},
		{"/assets/strange-ABCD.binary", 200, "application/octet-stream", immutable, "?"},
		{"/playground/", 404, "text/plain; charset=utf-8", revalidate, "File not found"},
		{"/assets/manifest.json", 404, "text/plain; charset=utf-8", revalidate, "File not found"},
		{"/assets/README", 404, "text/plain; charset=utf-8", revalidate, "File not found"},
		{"/assets/console-ABCD.js.gz", 404, "text/plain; charset=utf-8", revalidate, "File not found"},
		{"/assets/../dist/README", 404, "text/plain; charset=utf-8", revalidate, "File not found"},
	} {
		for _, accepts := range []string{"", "gzip, br"} {
			t.Run(c.path+" accepting "+accepts, func(t *testing.T) {
				r := request(h, "GET", c.path, "Accept-Encoding", accepts)
				if body := bodyOf(t, r); r.Code != c.status || !strings.Contains(body, c.body) {
					t.Errorf("got %d %q, want %d with %q", r.Code, body, c.status, c.body)
				}
				if got := r.Header().Get("Content-Type"); got != c.contentType {
					t.Errorf("got Content-Type %s, want %s", got, c.contentType)
				}
				if got := r.Header().Get("Cache-Control"); got != c.cacheControl {
					t.Errorf("got Cache-Control %s, want %s", got, c.cacheControl)
				}
				if accepts == "" && r.Header().Get("Content-Encoding") != "" {
					t.Error("got gzip without accepting it")
				}
			})
		}
	}
	policy := request(h, "GET", "/playground").Header().Get("Content-Security-Policy")
	if !strings.Contains(policy, "script-src 'self';") || strings.Contains(policy, "http") ||
		strings.Contains(policy, "*") || strings.Contains(policy, "eval") {
		t.Errorf("got policy %s", policy)
	}
}

// Each encoding has its own ETag, and a client that has it gets a 304.
func TestStaticFileEncodings(t *testing.T) {
	h := newHandler(built, nil, nil, "")
	const path = "/assets/console-ABCD.js"
	plain, gzipped := request(h, "GET", path), request(h, "GET", path, "Accept-Encoding", "gzip")
	tags := []string{plain.Header().Get("ETag"), gzipped.Header().Get("ETag")}
	if tags[0] == tags[1] || gzipped.Header().Get("Content-Encoding") != "gzip" ||
		gzipped.Header().Get("Vary") != "Accept-Encoding" {
		t.Errorf("got ETags %v, headers %v", tags, gzipped.Header())
	}
	for _, c := range []struct {
		accepts, ifNoneMatch string
		status               int
	}{
		{"gzip", tags[1], 304},
		{"gzip", "W/" + tags[1], 304},
		{"gzip", `"x", ` + tags[1], 304},
		{"gzip", "*", 304},
		{"gzip", tags[0], 200},
		{"", tags[1], 200},
		{"", tags[0], 304},
		{"gzip", `"x"`, 200},
	} {
		r := request(h, "GET", path, "Accept-Encoding", c.accepts, "If-None-Match", c.ifNoneMatch)
		if r.Code != c.status {
			t.Errorf("accepting %q with %s: got %d, want %d", c.accepts, c.ifNoneMatch, r.Code, c.status)
		}
	}
	for accepts, want := range map[string]bool{
		"": false, "gzip": true, "GZIP": true, "br, gzip;q=0.5": true, "gzip;q=0": false, "gzip; q=0.0": false, "*": true,
		"*;q=0":    false,
		"identity": false, "*;q=0, gzip": true, "br": false, "gzip;q=0, *": false,
	} {
		r := request(h, "GET", path, "Accept-Encoding", accepts)
		if got := r.Header().Get("Content-Encoding") == "gzip"; got != want {
			t.Errorf("accepting %q: got gzip %v, want %v", accepts, got, want)
		}
	}
}

func TestUnbuiltConsoleSaysHowToBuild(t *testing.T) {
	h := newHandler(fstest.MapFS{"dist/README": {Data: []byte("no page")}}, nil, endpoints, "")
	for _, path := range []string{"/playground", "/graphiql"} {
		r := request(h, "GET", path)
		if body := bodyOf(t, r); r.Code != http.StatusNotFound || !strings.Contains(body, "make build") {
			t.Errorf("%s: got %d %s", path, r.Code, body)
		}
	}
}

func TestHandlerHeadersAndMethods(t *testing.T) {
	h := mux.NewRouter().UseEncodedPath().SkipClean(true)
	Register(h, endpoints, "", func(next http.Handler) http.Handler { return next })
	for _, path := range []string{stylePath, iconPath, "/playground", "/playground/endpoints.json"} {
		r := request(h, "GET", path)
		if policy := r.Header().Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none';") {
			t.Errorf("%s: got policy %q", path, policy)
		}
		head := request(h, "HEAD", path)
		if head.Code != r.Code || head.Body.Len() > 0 {
			t.Errorf("HEAD %s: got %d with %d bytes", path, head.Code, head.Body.Len())
		}
		if post := request(h, "POST", path); post.Code != http.StatusMethodNotAllowed ||
			post.Header().Get("Allow") != "GET, HEAD" {
			t.Errorf("POST %s: got %d", path, post.Code)
		}
	}
	for _, path := range []string{"/", "/playgrounds", "/graphiql/", "/graphql", "/v3/player", "/index.html"} {
		if r := request(h, "GET", path); r.Header().Get("Content-Security-Policy") != "" {
			t.Errorf("%s: got a response of this package", path)
		}
	}
}
