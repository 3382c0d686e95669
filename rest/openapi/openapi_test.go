package openapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"gamedata/graph"
	"gamedata/graph/generated"
	"gamedata/rest"
)

func build() []byte {
	exec := graph.New(generated.NewExecutableSchema(generated.Config{}), graph.Options{})
	return Document(exec, rest.Load(exec.Schema()))
}

// The document is valid OpenAPI 3.1, its examples are valid, and it is the same on every build.
func TestDocument(t *testing.T) {
	text := build()
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	if doc.Info.Version != "1.0.0" || !strings.HasPrefix(doc.OpenAPI, "3.1.") ||
		len(doc.Paths.InMatchingOrder()) != len(rest.Rows) {
		t.Errorf("version %s of %d paths in OpenAPI %s", doc.Info.Version, doc.Paths.Len(), doc.OpenAPI)
	}
	var parsed any
	if err := json.Unmarshal(text, &parsed); err != nil {
		t.Fatal(err)
	}
	expectItems(t, "", parsed)
	for _, row := range rest.Rows {
		if Group(row) == "" {
			t.Errorf("groups has no entry for the path %s", row.Path)
		}
	}
	if !bytes.Equal(text, build()) {
		t.Error("two documents differ")
	}
	if found := regexp.MustCompile(`.{40}\b(SPEC|WIRE)\b`).Find(text); found != nil {
		t.Errorf("it cites an internal document: %s", found)
	}
}

// expectItems checks that every array names the schema of its items, which linters and generators require beside
// prefixItems too.
func expectItems(t *testing.T, at string, value any) {
	t.Helper()
	switch v := value.(type) {
	case map[string]any:
		if v["type"] == "array" && v["items"] == nil {
			t.Errorf("%s: an array without items", at)
		}
		for name, inner := range v {
			if name != "example" && name != "examples" {
				expectItems(t, at+"/"+name, inner)
			}
		}
	case []any:
		for i, inner := range v {
			expectItems(t, at+"/"+strconv.Itoa(i), inner)
		}
	}
}

// Only the endpoints with a table describe CSV and NDJSON.
func TestTablesAreDescribed(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(build())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for path, item := range doc.Paths.Map() {
		if item.Get == nil {
			continue
		}
		content := item.Get.Responses.Value("200").Value.Content
		csv, ndjson := content["text/csv"], content["application/x-ndjson"]
		if (csv == nil) != (ndjson == nil) {
			t.Errorf("%s: %v", path, content)
		}
		if csv != nil {
			got = append(got, path)
		}
	}
	slices.Sort(got)
	if want := []string{"/leaderboards/types", "/leaderboards/{lb_type}"}; !slices.Equal(got, want) {
		t.Errorf("got tables at %q, want %q", got, want)
	}
}

// Generators of clients can read the document: a tuple is bounded by maxItems, because some cannot read `items: false`,
// and no schema has a name that they derive from an operation.
func TestGeneratorsReadTheDocument(t *testing.T) {
	var doc struct {
		Components struct{ Schemas map[string]any }
	}
	var whole any
	text := build()
	if err := errors.Join(json.Unmarshal(text, &doc), json.Unmarshal(text, &whole)); err != nil {
		t.Fatal(err)
	}
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			if _, isFlag := v["items"].(bool); isFlag {
				t.Errorf("%s: items is %v", at, v["items"])
			}
			for name, child := range v {
				walk(at+"/"+name, child)
			}
		case []any:
			for i, child := range v {
				walk(fmt.Sprint(at, "/", i), child)
			}
		}
	}
	walk("#", whole)
	derived := map[string]string{}
	for _, row := range rest.Rows {
		for _, suffix := range []string{
			"Params", "Data", "Response", "Responses", "Error", "Errors", "Body", "JSONBody", "JSONRequestBody", "Options",
			"RequestObject", "ResponseObject",
		} {
			derived[strings.ToLower(row.Operation+suffix)] = row.Operation
		}
	}
	seen := map[string]string{}
	for name := range doc.Components.Schemas {
		lower := strings.ToLower(name)
		if of := derived[lower]; of != "" {
			t.Errorf("%s is a name that generators give what belongs to the operation %s", name, of)
		}
		if seen[lower] != "" {
			t.Errorf("%s and %s differ by case only", name, seen[lower])
		}
		seen[lower] = name
	}
}
