package pages

import (
	"cmp"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"gamedata/internal/app/apptest"
	"gamedata/rest"
)

func TestReference(t *testing.T) {
	p := apptest.Shared(t)
	t.Run("files", func(t *testing.T) { testReferenceFiles(t, p) })
	t.Run("explain", func(t *testing.T) { testExplain(t, p) })
	t.Run("every path", func(t *testing.T) { testExplainEvery(t, p) })
	t.Run("pages", func(t *testing.T) { testReferencePages(t, p) })
	t.Run("samples", func(t *testing.T) { testReferenceSamples(t, p) })
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

// codeOf returns the first code of a page below a summary or a heading with a text.
func codeOf(t *testing.T, page, title string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for node := range root.Descendants() {
		switch {
		case node.Type == html.TextNode && node.Data == title:
			found = true
		case found && node.Data == "code" && node.FirstChild != nil:
			return node.FirstChild.Data
		}
	}
	t.Errorf("got no code below %q", title)
	return ""
}

// The curl sample of every GET endpoint works unchanged, except the sample of the endpoint that needs a token.
func testReferenceSamples(t *testing.T, p *apptest.Program) {
	for _, name := range []string{"sh", "curl"} {
		if _, err := exec.LookPath(name); err != nil {
			skipMissing(t, name+" is not installed")
		}
	}
	want := map[string]string{"OAuthMe": "401"}
	var names []string
	var script strings.Builder
	for _, row := range rest.Rows {
		if row.Method != http.MethodGet {
			continue
		}
		_, page := getHTML(t, p, "/docs/rest/"+row.Operation)
		sample, ok := strings.CutPrefix(codeOf(t, page, "curl"), "curl ")
		if !ok {
			t.Fatalf("%s: the sample is %q", row.Operation, sample)
		}
		names = append(names, row.Operation)
		script.WriteString("curl -sS -o /dev/null -w '%{http_code}\\n' " + sample)
	}
	out, err := exec.CommandContext(t.Context(), "sh", "-c", script.String()).CombinedOutput()
	statuses := strings.Fields(string(out))
	if err != nil || len(statuses) != len(names) {
		t.Fatalf("%v: %s", err, out)
	}
	for i, name := range names {
		if expected := cmp.Or(want[name], "200"); statuses[i] != expected {
			t.Errorf("%s: got %s, want %s", name, statuses[i], expected)
		}
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
