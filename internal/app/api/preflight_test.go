package api

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gamedata/docs"
	"gamedata/internal/app/apptest"
)

var (
	headersSent   = regexp.MustCompile("-H ['\"]([A-Za-z-]+):|[Hh]eader `([A-Za-z-]+)`|`(If-[A-Za-z-]+|Last-Event-ID)`")
	headersOfJSON = regexp.MustCompile(`headers["']?: ?\{ ?['"]([A-Za-z-]+)['"]:`)
)

// Pages of other sites may send every header that a guide names, except those that only the service's own pages may
// send, and the ones that need no permission.
func TestPreflightsAllowHeadersOfGuides(t *testing.T) {
	t.Parallel()
	p, seen := apptest.Shared(t), map[string]bool{}
	special := map[string][]string{
		"live-updates": {"/events", "/graphql"}, "mcp": {"/mcp"}, "feeding": {},
	}
	for _, guide := range docs.Guides {
		text, err := docs.Files.ReadFile(guide.Name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		paths, ok := special[guide.Name]
		if !ok {
			paths = []string{"/graphql", "/v3/classes", "/v3/item/search"}
		}
		for _, m := range slices.Concat(headersSent.FindAllStringSubmatch(string(text), -1),
			headersOfJSON.FindAllStringSubmatch(string(text), -1)) {
			name := strings.Join(m[1:], "")
			if slices.Contains([]string{"Accept", "Accept-Encoding", "Cookie", "X-Requested-With"}, name) {
				continue
			}
			seen[name] = true
			for _, path := range paths {
				res := apptest.Request(t, http.MethodOptions, p.Base+path, "", "Origin", "https://other.example",
					"Access-Control-Request-Method", "GET", "Access-Control-Request-Headers", strings.ToLower(name))
				allowed := strings.Split(res.Header.Get("Access-Control-Allow-Headers"), ", ")
				if res.Status != http.StatusNoContent || !slices.Contains(allowed, name) {
					t.Errorf("%s.md, %s: got %d and %v, want %s", guide.Name, path, res.Status, allowed, name)
				}
			}
		}
	}
	for _, name := range []string{"Authorization", "Content-Type", "If-None-Match", "Last-Event-ID"} {
		if !seen[name] {
			t.Errorf("no guide names %s", name)
		}
	}
}
