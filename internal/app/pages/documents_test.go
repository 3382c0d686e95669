package pages

import (
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

// guideVariables are the variables of queries of guides that have no default.
var guideVariables = map[string]any{
	"text": "moss", "since": "2020-01-01T00:00:00Z", "guild": map[string]string{"prefix": "MOSS"},
	"uuid": "71c3e5a9-d4b2-4f60-8e1c-3a5b7d9f1e2c",
}

// documentResult is the result of a document of the documentation.
type documentResult struct {
	Data       map[string]any
	Errors     []any
	Extensions struct{ Cost map[string]int }
}

// runDocument runs a document of the documentation, which must succeed and cost little. A subscription must begin.
func runDocument(t *testing.T, p *apptest.Program, document string) (res documentResult) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": document, "variables": guideVariables})
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(document, "subscription") || strings.Contains(document, "\nsubscription ") {
		expectStream(t, p.Base, string(body))
		return res
	}
	res = apptest.Decode[documentResult](t, apptest.RequestOK(t, p.Base, "POST", "/graphql", string(body)))
	if len(res.Errors) > 0 || len(res.Data) == 0 {
		t.Errorf("%s\ngot %v %v", document, res.Data, res.Errors)
	}
	return res
}

// expectStream fails unless a subscription begins.
func expectStream(t *testing.T, base, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/graphql", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	res, err := apptest.Client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	begin := make([]byte, len("retry"))
	if _, err := io.ReadFull(res.Body, begin); err != nil || string(begin) != "retry" {
		t.Errorf("%s\ngot %s %v", body, begin, err)
	}
}

// Every example of the console runs unchanged against the demo world, costs little and returns data.
func TestConsoleExamples(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../web/console/examples/*/*.graphql")
	if err != nil || len(files) < 30 {
		t.Fatal(files, err)
	}
	p := apptest.Shared(t)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".graphql"), func(t *testing.T) {
			document := apptest.ReadFile(t, file)
			res := runDocument(t, p, string(document))
			for field, value := range res.Data {
				if field != "worldHistory" && isEmpty(value) { // the last day; the world of the tests ended before
					t.Errorf("%s is empty", field)
				}
			}
			for bucket, cost := range res.Extensions.Cost {
				if cost > 2 { // worldHistory, whose points count
					t.Errorf("costs %d in %s, want 2 at most", cost, bucket)
				}
			}
		})
	}
}

// isEmpty reports whether a JSON value has nothing but null, empty lists and empty objects.
func isEmpty(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case map[string]any:
		for _, member := range v {
			if !isEmpty(member) {
				return false
			}
		}
		return true
	case []any:
		return !slices.ContainsFunc(v, func(entry any) bool { return !isEmpty(entry) })
	}
	return false
}
