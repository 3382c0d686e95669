package app_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gamedata/rest"
)

func TestReference(t *testing.T) {
	p := sharedService(t)
	t.Run("files", func(t *testing.T) { testReferenceFiles(t, p) })
	t.Run("explain", func(t *testing.T) { testExplain(t, p) })
	t.Run("every path", func(t *testing.T) { testExplainEvery(t, p) })
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
