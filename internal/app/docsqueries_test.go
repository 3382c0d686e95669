package app_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// guideVariables are the variables of queries of guides that have no default.
var guideVariables = map[string]any{
	"text": "moss", "since": "2020-01-01T00:00:00Z", "guild": map[string]string{"prefix": "MOSS"},
	"uuid": lanternRow,
}

var graphqlBlock = regexp.MustCompile("(?s)```graphql\n(.*?)```")

// Every query of the guides runs against the demo world, and finds something.
func TestQueriesOfGuides(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	p := sharedService(t)
	checked := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range graphqlBlock.FindAllStringSubmatch(string(text), -1) {
			if strings.HasPrefix(m[1], "mutation") {
				continue
			}
			checked++
			if strings.HasPrefix(m[1], "subscription") {
				s := subscribeSSE(t, p.base, m[1], guideVariables).(*sseResults)
				if begin, err := s.body.Peek(len("retry")); string(begin) != "retry" {
					t.Errorf("%s: %s\ngot %s %v", filepath.Base(file), m[1], s.next(t), err)
				}
				s.close()
				continue
			}
			request, err := json.Marshal(map[string]any{"query": m[1], "variables": guideVariables})
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
			all, filled := pages(response.Data)
			if len(response.Errors) > 0 || len(response.Data) == 0 || all > 0 && filled == 0 {
				t.Errorf("%s: %s\ngot %v %v", filepath.Base(file), m[1], response.Data, response.Errors)
			}
		}
	}
	if checked < 8 {
		t.Errorf("found %d queries", checked)
	}
}

// pages counts the pages of a response, and those that have entries.
func pages(data map[string]any) (all, filled int) {
	for name, value := range data {
		switch v := value.(type) {
		case map[string]any:
			a, f := pages(v)
			all, filled = all+a, filled+f
		case []any:
			if name == "nodes" {
				all++
				filled += min(len(v), 1)
			}
		}
	}
	return all, filled
}
