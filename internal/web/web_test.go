package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/klauspost/compress/gzip"
)

var (
	script = strings.Repeat("console.log('a long script');\n", 100)
	built  = fstest.MapFS{
		"dist/README":              {Data: []byte("no page")},
		"dist/console.html":        {Data: []byte("<!doctype html><title>console</title>")},
		"dist/docs.html":           {Data: []byte("<!doctype html><title>reference</title>")},
		"dist/console-ABCD.js.gz":  {Data: shrink([]byte(script))},
		"dist/icons-ABCD.ttf":      {Data: []byte{0, 1, 0, 0}},
		"dist/licenses.txt":        {Data: []byte("MIT")},
		"dist/strange-ABCD.binary": {Data: []byte("?")},
	}
	paths = []Path{{
		Method: "GET", Path: "/v3/player", Operation: "OnlinePlayers",
		Document: "{ onlinePlayers { total } }",
	}}
)

func ask(h http.Handler, method, path string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	from := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
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
	c, err := newConsole(built, paths)
	if err != nil {
		t.Fatal(err)
	}
	const list = `[{"method":"GET","path":"/v3/player","operation":"OnlinePlayers","document":"{ onlinePlayers { total } }"}]`
	for _, x := range []struct {
		path   string
		status int
		kind   string
		cache  string
		says   string
	}{
		{"/playground", 200, "text/html; charset=utf-8", fresh, "<title>console</title>"},
		{"/graphiql", 200, "text/html; charset=utf-8", fresh, "<title>console</title>"},
		{"/docs", 200, "text/html; charset=utf-8", fresh, "<title>reference</title>"},
		{"/playground/paths.json", 200, "application/json", fresh, list},
		{"/playground/console-ABCD.js", 200, "text/javascript; charset=utf-8", immutable, script},
		{"/playground/icons-ABCD.ttf", 200, "font/ttf", immutable, "\x00\x01"},
		{"/playground/licenses.txt", 200, "text/plain; charset=utf-8", fresh, "MIT"},
		{"/playground/strange-ABCD.binary", 200, "application/octet-stream", immutable, "?"},
		{"/playground/", 404, "text/plain; charset=utf-8", fresh, "no such file"},
		{"/playground/README", 404, "text/plain; charset=utf-8", fresh, "no such file"},
		{"/playground/console-ABCD.js.gz", 404, "text/plain; charset=utf-8", fresh, "no such file"},
		{"/playground/../dist/README", 404, "text/plain; charset=utf-8", fresh, "no such file"},
	} {
		for _, encoding := range []string{"", "gzip, br"} {
			r := ask(c, "GET", x.path, "Accept-Encoding", encoding)
			if says := body(t, r); r.StatusCode != x.status || !strings.Contains(says, x.says) {
				t.Errorf("%s (%s): %d %q", x.path, encoding, r.StatusCode, says)
			}
			if k, c := r.Header.Get("Content-Type"), r.Header.Get("Cache-Control"); k != x.kind || c != x.cache {
				t.Errorf("%s: %s, %s", x.path, k, c)
			}
			if encoding == "" && r.Header.Get("Content-Encoding") != "" {
				t.Errorf("%s: gzip was not asked for", x.path)
			}
		}
	}
	policy := ask(c, "GET", "/playground").Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "script-src 'self';") || strings.Contains(policy, "http") || strings.Contains(policy,
		"*") || strings.Contains(policy, "eval") {
		t.Errorf("the policy is %s", policy)
	}
}

// The forms have different tags, and a caller who has one form is told so in few bytes.
func TestForms(t *testing.T) {
	c, err := newConsole(built, nil)
	if err != nil {
		t.Fatal(err)
	}
	const path = "/playground/console-ABCD.js"
	plain, zipped := ask(c, "GET", path), ask(c, "GET", path, "Accept-Encoding", "gzip")
	tags := []string{plain.Header.Get("ETag"), zipped.Header.Get("ETag")}
	if tags[0] == tags[1] || zipped.Header.Get("Content-Encoding") != "gzip" ||
		zipped.Header.Get("Vary") != "Accept-Encoding" {
		t.Errorf("the forms are tagged %v, %v", tags, zipped.Header)
	}
	for _, x := range []struct {
		accepts, has string
		status       int
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
		if r := ask(c, "GET", path, "Accept-Encoding", x.accepts, "If-None-Match", x.has); r.StatusCode != x.status {
			t.Errorf("accepts %q, has %s: %d, want %d", x.accepts, x.has, r.StatusCode, x.status)
		}
	}
	for accepts, want := range map[string]bool{
		"": false, "gzip": true, "GZIP": true, "br, gzip;q=0.5": true, "gzip;q=0": false, "gzip; q=0.0": false, "*": true,
		"*;q=0":    false,
		"identity": false, "*;q=0, gzip": true, "br": false, "gzip;q=0, *": false,
	} {
		if got := takesGzip(http.Header{"Accept-Encoding": {accepts}}); got != want {
			t.Errorf("Accept-Encoding %q takes gzip: %v", accepts, got)
		}
	}
}

// Without Node the folder holds its README alone, and the page says what to do.
func TestUnbuilt(t *testing.T) {
	c, err := newConsole(fstest.MapFS{"dist/README": {Data: []byte("no page")}}, paths)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/playground", "/graphiql", "/docs"} {
		r := ask(c, "GET", path)
		if says := body(t, r); r.StatusCode != http.StatusNotFound || !strings.Contains(says, "make build") {
			t.Errorf("%s: %d %s", path, r.StatusCode, says)
		}
	}
}

// What every page has in common, and what they refuse.
func TestPages(t *testing.T) {
	h, err := Handler(paths)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{Style, Icon, "/playground", "/playground/paths.json"} {
		if !Serves(path) {
			t.Errorf("%s is not served", path)
		}
		r := ask(h, "GET", path)
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
			"Referrer-Policy": "same-origin",
		} {
			if r.Header.Get(name) != want {
				t.Errorf("%s: %s is %q", path, name, r.Header.Get(name))
			}
		}
		if p := r.Header.Get("Content-Security-Policy"); path != Style && path != Icon &&
			!strings.HasPrefix(p, "default-src 'none';") {
			t.Errorf("%s: the policy is %q", path, p)
		}
		head := ask(h, "HEAD", path)
		if rest, _ := io.ReadAll(head.Body); head.StatusCode != r.StatusCode || len(rest) > 0 {
			t.Errorf("HEAD %s: %d with %d bytes", path, head.StatusCode, len(rest))
		}
		if post := ask(h, "POST", path); post.StatusCode != http.StatusMethodNotAllowed ||
			post.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("POST %s: %d", path, post.StatusCode)
		}
	}
	for _, path := range []string{"/", "/playgrounds", "/graphiql/", "/graphql", "/v3/player", "/index.html"} {
		if Serves(path) {
			t.Errorf("%s is served", path)
		}
	}
}
