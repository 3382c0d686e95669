package app_test

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"gamedata/rest"
)

func TestReference(t *testing.T) {
	p := sharedService(t)
	t.Run("files", func(t *testing.T) { testReferenceFiles(t, p) })
	t.Run("explain", func(t *testing.T) { testExplain(t, p) })
	t.Run("every path", func(t *testing.T) { testExplainEvery(t, p) })
	t.Run("pages", func(t *testing.T) { testReferencePages(t, p) })
	t.Run("samples", func(t *testing.T) { testReferenceSamples(t, p) })
	t.Run("examples", func(t *testing.T) { testReferenceExamples(t, p) })
}

// The pages of the reference are cacheable and have the common policy; unknown ones are pages, too.
func testReferencePages(t *testing.T, p *program) {
	for _, path := range []string{
		"/docs", "/docs/guides/getting-started", "/docs/rest", "/docs/rest/Player", "/docs/graphql", "/docs/graphql/Player",
		"/docs/graphql/query/player", "/docs/graphql/directives",
	} {
		r, body := getHTML(t, p, path)
		if r.StatusCode != 200 || r.Header.Get("Cache-Control") != "max-age=600, public" ||
			!strings.Contains(r.Header.Get("Content-Security-Policy"), "default-src 'none'") ||
			strings.Contains(body, "localhost:8080") {
			t.Errorf("%s: %d %v", path, r.StatusCode, r.Header)
		}
		q, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("If-None-Match", r.Header.Get("ETag"))
		if res := send(t, q, nil); res.status != http.StatusNotModified {
			t.Errorf("%s with its ETag: got %d, want 304", path, res.status)
		}
	}
	if r, body := getHTML(t, p, "/docs/search?q=capture"); r.StatusCode != 200 ||
		!strings.Contains(body, `href="/docs/graphql/Capture"`) {
		t.Errorf("search: %d", r.StatusCode)
	}
	if r, body := getHTML(t, p, "/docs/rest/nothing"); r.StatusCode != 404 ||
		!strings.Contains(body, "There is no such page") {
		t.Errorf("an unknown page: %d", r.StatusCode)
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

// The curl sample of every GET endpoint works as it is, except that of the endpoint that needs a token.
func testReferenceSamples(t *testing.T, p *program) {
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

// The example of every query runs, and has a result unless it is about the caller.
func testReferenceExamples(t *testing.T, p *program) {
	_, index := getHTML(t, p, "/docs/graphql")
	links, _ := linksOf(t, index)
	ran := 0
	for _, link := range links {
		name, ok := strings.CutPrefix(link, "/docs/graphql/query/")
		if !ok {
			continue
		}
		_, page := getHTML(t, p, link)
		request, err := json.Marshal(map[string]string{"query": codeOf(t, page, "Example")})
		if err != nil {
			t.Fatal(err)
		}
		var response struct {
			Data   map[string]any
			Errors []any
		}
		if err := json.Unmarshal(requestOK(t, p.base, "POST", "/graphql", string(request)), &response); err != nil {
			t.Fatal(err)
		}
		ran++
		personal := slices.Contains([]string{"whoami", "playerLocations", "oauthMe"}, name)
		if len(response.Errors) > 0 || response.Data[name] == nil && !personal {
			t.Errorf("%s: %s got %v %v", name, request, response.Data, response.Errors)
		}
	}
	if ran < 40 {
		t.Errorf("ran %d examples", ran)
	}
}

// The service serves the OpenAPI document and the schema as cacheable files.
func testReferenceFiles(t *testing.T, p *program) {
	for path, kind := range map[string]string{
		"/v3/openapi.json": "application/json",
		"/schema.graphqls": "text/plain; charset=utf-8",
	} {
		r, body := get(t, p.base+path)
		if r.StatusCode != 200 || r.Header.Get("Content-Type") != kind ||
			r.Header.Get("Cache-Control") != "max-age=600, public" {
			t.Errorf("%s: %d %v", path, r.StatusCode, r.Header)
		}
		if path == "/schema.graphqls" {
			if !strings.Contains(body, "# The public contract.") || !strings.Contains(body, "type Query {") {
				t.Errorf("the schema is %.200s", body)
			}
		} else if !json.Valid([]byte(body)) || !strings.Contains(body,
			`"/player/{username}":{"get":{"operationId":"Player"`) {
			t.Errorf("the document is %.200s", body)
		}
		ask := func(method, name, value string) *http.Response {
			q, err := http.NewRequestWithContext(t.Context(), method, p.base+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			q.Header.Set(name, value)
			res := send(t, q, nil)
			return &http.Response{StatusCode: res.status, Header: res.header, ContentLength: int64(len(res.body))}
		}
		if r := ask("GET", "If-None-Match", ask("GET", "Accept",
			"*/*").Header.Get("ETag")); r.StatusCode != http.StatusNotModified {
			t.Errorf("%s with the current ETag: got %d, want 304", path, r.StatusCode)
		}
		if r := ask("GET", "Accept-Encoding", "gzip"); r.Header.Get("Content-Encoding") != "gzip" ||
			r.ContentLength > int64(len(body)/2) {
			t.Errorf("%s: %d bytes %s", path, r.ContentLength, r.Header.Get("Content-Encoding"))
		}
		if r := ask("HEAD", "Accept", "*/*"); r.StatusCode != 200 || r.ContentLength != 0 {
			t.Errorf("%s: HEAD answers %d", path, r.StatusCode)
		}
		if r := ask("POST", "Accept", "*/*"); r.StatusCode != 405 || r.Header.Get("Allow") != "GET, HEAD, OPTIONS" {
			t.Errorf("%s: POST answers %d, allowed %s", path, r.StatusCode, r.Header.Get("Allow"))
		}
	}
	if row, _, ok := rest.Lookup(&url.URL{Path: rest.DocumentPath}); ok {
		t.Errorf("the document's path is that of %s", row.Path)
	}
}
