package pages

import (
	"net/http"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
	"gamedata/rest"
)

func TestReference(t *testing.T) {
	p := apptest.Shared(t)
	t.Run("files", func(t *testing.T) { testReferenceFiles(t, p) })
	t.Run("explain", func(t *testing.T) { testExplain(t, p) })
	t.Run("every path", func(t *testing.T) { testExplainEvery(t, p) })
	t.Run("pages", func(t *testing.T) { testReferencePages(t, p) })
}

// The pages of the reference are cacheable and have the common policy; unknown ones are pages, too.
func testReferencePages(t *testing.T, p *apptest.Program) {
	for _, path := range []string{
		"/docs", "/docs/guides/getting-started", "/docs/rest/Player", "/docs/graphql/query/player",
	} {
		r, body := getHTML(t, p, path)
		r.Expect(t, path, 200, "Cache-Control", "max-age=600, public")
		if !strings.Contains(r.Header.Get("Content-Security-Policy"), "default-src 'none'") ||
			strings.Contains(body, "localhost:8080") {
			t.Errorf("%s: %v", path, r.Header)
		}
		apptest.Get(t, p.Base+path, "Accept", "text/html", "If-None-Match", r.Header.Get("ETag")).
			Expect(t, path+" with its ETag", http.StatusNotModified)
	}
	if r, body := getHTML(t, p, "/docs/search?q=capture"); r.Status != 200 ||
		!strings.Contains(body, `href="/docs/graphql/Capture"`) {
		t.Errorf("search: %d", r.Status)
	}
	if r, body := getHTML(t, p, "/docs/rest/nothing"); r.Status != 404 ||
		!strings.Contains(body, "There is no such page") {
		t.Errorf("an unknown page: %d", r.Status)
	}
	if _, body := getHTML(t, p, "/sitemap.xml"); !strings.Contains(body, "/docs/rest/Player</loc>") ||
		!strings.Contains(body, "/docs/guides/errors</loc>") {
		t.Error("the sitemap lacks pages of the reference")
	}
}

// The service serves the OpenAPI document and the schema as cacheable files.
func testReferenceFiles(t *testing.T, p *apptest.Program) {
	for path, c := range map[string]struct{ kind, text string }{
		rest.DocumentPath:  {"application/json", `"/player/{username}":{"get":{"operationId":"Player"`},
		"/schema.graphqls": {"text/plain; charset=utf-8", "# The public contract."},
		"/llms.txt":        {"text/plain; charset=utf-8", "[GET /v3/player/{username}]("},
	} {
		ask := func(method string, headers ...string) apptest.Response {
			t.Helper()
			return apptest.Request(t, method, p.Base+path, "", headers...)
		}
		first := ask("GET")
		first.Expect(t, path, 200, "Content-Type", c.kind, "Cache-Control", "max-age=600, public")
		if !first.Has(c.text) {
			t.Errorf("%s: got no %s", path, c.text)
		}
		ask("GET", "If-None-Match", first.Header.Get("ETag")).Expect(t, "with the current ETag", 304)
		zipped := ask("GET", "Accept-Encoding", "gzip")
		zipped.Expect(t, path, 200, "Content-Encoding", "gzip")
		if len(zipped.Body) > len(first.Body)/2 {
			t.Errorf("%s: %d bytes", path, len(zipped.Body))
		}
		ask("HEAD").Expect(t, path, 200, "Content-Type", c.kind)
		ask("POST").Expect(t, path, 405, "Allow", "GET, HEAD, OPTIONS")
	}
}
