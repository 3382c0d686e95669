package apidocs

import (
	"go/parser"
	"go/token"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2"
	"golang.org/x/net/html"

	"gamedata/docs"
	"gamedata/graph"
	"gamedata/graph/generated"
	"gamedata/internal/httpapi"
	"gamedata/rest"
)

const origin = "https://data.example"

// newDocs returns the documentation of the service, which all tests share.
func newDocs() (*Docs, *reference) {
	d := sharedDocs()
	return d, d.reference()
}

var sharedDocs = sync.OnceValue(func() *Docs {
	exec := graph.New(generated.NewExecutableSchema(generated.Config{}), graph.Options{})
	log := slog.Default()
	return New(httpapi.New(httpapi.Options{Log: log}), exec, rest.Load(exec.Schema()), Options{Origin: origin, Log: log})
})

// get renders a page.
func (d *Docs) get(path string) httpapi.Response {
	return d.referenceResponse(httptest.NewRequest(http.MethodGet, path, nil))
}

// Every guide, endpoint, type and root field has a page, with its own title and description.
func TestReferencePages(t *testing.T) {
	d, r := newDocs()
	want := []string{ReferencePath, RESTPath, GraphQLPath, directivesPath}
	for _, g := range docs.Guides {
		want = append(want, GuidesPath+g.Name)
	}
	for _, row := range rest.Rows {
		want = append(want, endpointPath(row))
	}
	for name, def := range d.exec.Schema().Types {
		if !strings.HasPrefix(name, "__") {
			want = append(want, typePath(name))
		}
		if def == d.exec.Schema().Query {
			for _, f := range visible(def.Fields) {
				want = append(want, rootPath("query", f.Name))
			}
		}
	}
	for _, path := range want {
		if r.pages[path] == nil {
			t.Errorf("%s has no page", path)
		}
	}
	titles, size := map[string]string{}, 0
	for _, path := range d.Paths() {
		p := r.pages[path]
		if p.title == "" || p.description == "" || len(p.description) > 200 {
			t.Errorf("%s: got title %q, description %q", path, p.title, p.description)
		}
		if other := titles[p.title+p.description]; other != "" {
			t.Errorf("%s and %s have the same title and description", path, other)
		}
		titles[p.title+p.description] = path
		response := d.get(path)
		if response.Status != 0 || response.MaxAge == 0 {
			t.Fatalf("%s: got status %d", path, response.Status)
		}
		size = max(size, len(response.Body))
		if strings.Contains(path, "guides") && strings.Count(string(response.Body), "<tbody>") > 0 &&
			!strings.Contains(string(response.Body), `<td data-label="`) {
			t.Errorf("%s: the cells of its tables lack the names of their columns", path)
		}
		if strings.Contains(path, "guides") && strings.Contains(string(response.Body), "<pre") &&
			!strings.Contains(string(response.Body), `<pre class="copy"`) {
			t.Errorf("%s: its code has no copy button", path)
		}
		expectPlain(t, path, string(response.Body))
	}
	t.Logf("%d pages of at most %d bytes", len(titles), size)
	if size > 250_000 {
		t.Errorf("the largest page has %d bytes", size)
	}
}

// expectPlain fails for inline styles and scripts, and for headers without a text.
func expectPlain(t *testing.T, path, text string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for node := range root.Descendants() {
		if node.Data == "style" || node.Data == "script" && node.FirstChild != nil {
			t.Errorf("%s: got an inline %s", path, node.Data)
		}
		if node.Data == "th" && node.FirstChild == nil {
			t.Errorf("%s: got a table header without text", path)
		}
		for _, a := range node.Attr {
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
				t.Errorf("%s: got the attribute %s", path, a.Key)
			}
		}
	}
}

func TestReferencePathsWithoutPage(t *testing.T) {
	d, _ := newDocs()
	for path, want := range map[string]struct {
		status   int
		location string
	}{
		"/docs/rest/Nothing":                                 {404, ""},
		"/docs/graphql/__Type":                               {404, ""},
		"/docs/graphql/query/nothing":                        {404, ""},
		"/docs/guides/decisions":                             {404, ""},
		"/docs/guides/performance":                           {404, ""},
		"/docs/guides/..%2F..%2Fgo.mod":                      {404, ""},
		"/docs/":                                             {303, "/docs"},
		"/docs/rest/":                                        {303, "/docs/rest"},
		"/docs/guides":                                       {303, "/docs"},
		"/docs/search?q=%3Cscript%3Ealert":                   {0, ""},
		"/docs/search?q=" + strings.Repeat("a", 61):          {0, ""},
		"/docs/search?q=" + strings.Repeat("%E6%97%A5", 300): {0, ""},
	} {
		response := d.get(path)
		if response.Status != want.status || response.Header.Get("Location") != want.location {
			t.Errorf("%s: got %d %v, want %+v", path, response.Status, response.Header, want)
		}
		if strings.Contains(string(response.Body), "<script>alert") {
			t.Errorf("%s: the search term is not escaped", path)
		}
		if !utf8.Valid(response.Body) {
			t.Errorf("%s: the page has half a character", path)
		}
	}
}

func TestSearch(t *testing.T) {
	_, r := newDocs()
	for query, want := range map[string]string{
		"player":              "/docs/graphql/query/player",
		"/v3/guild/{query}":   "/docs/rest/Guild",
		"territoryconnection": "/docs/graphql/TerritoryConnection",
		"Player.username":     "/docs/graphql/Player#field-username",
		"rate limits":         "/docs/guides/rate-limits",
		"MAIN_ACCESS":         "/docs/graphql/AccessRule#field-MAIN_ACCESS",
		"v3/oauth/token":      "/docs/rest/OAuthToken",
	} {
		found := findPages(r.search, query)
		if len(found) == 0 || found[0].Path != want {
			t.Errorf("%s: got %v, want %s first", query, found[:min(3, len(found))], want)
		}
	}
	for _, query := range []string{"", "  ", "qqqqqq", strings.Repeat("player ", 100)} {
		if found := findPages(r.search, query); len(found) > 0 {
			t.Errorf("%q: got %d results", query, len(found))
		}
	}
}

// Every example of a root field is valid.
func TestExamplesAreValid(t *testing.T) {
	d, _ := newDocs()
	s := newSchemaDocs(d.exec.Schema())
	for _, root := range s.roots() {
		for _, f := range visible(root.def.Fields) {
			document := exampleOperation(s.schema, root.operation, f, time.Now())
			if _, err := gqlparser.LoadQueryWithRules(s.schema, document, nil); err != nil {
				t.Errorf("%s: %v\n%s", f.Name, err, document)
			}
		}
	}
}

// Every sample parses, in the languages that are installed here.
func TestSamplesParse(t *testing.T) {
	_, r := newDocs()
	programs := map[string][]string{}
	for _, group := range r.rest.Groups {
		for _, e := range group.Endpoints {
			for _, sample := range e.Samples {
				if !strings.Contains(sample.Code, origin+"/v3/") || strings.Contains(sample.Code, "{{") {
					t.Errorf("%s in %s: %s", e.ID, sample.Language, sample.Code)
				}
				programs[sample.Language] = append(programs[sample.Language], sample.Code)
			}
		}
	}
	for language, list := range programs {
		if len(list) != len(rest.Rows) {
			t.Errorf("got %d samples in %s, want %d", len(list), language, len(rest.Rows))
		}
	}
	for _, code := range programs["Go"] {
		if _, err := parser.ParseFile(token.NewFileSet(), "sample.go", code, parser.AllErrors); err != nil {
			t.Errorf("%v\n%s", err, code)
		}
	}
	check(t, programs["Python"], "python3", "-c", "import ast, sys\n"+
		"for code in sys.stdin.read().split('\\0'): ast.parse(code)")
	check(t, programs["JavaScript"], "node", "--input-type=module", "-e", "import vm from 'node:vm';"+
		"import { readFileSync } from 'node:fs';"+
		"for (const code of readFileSync(0, 'utf8').split('\\0')) new vm.Script(`async () => {${code}}`);")
	check(t, programs["curl"], "sh", "-c", "tr '\\0' '\\n' | sh -n")
}

// check runs a command that parses programs, if it is installed.
func check(t *testing.T, programs []string, name string, args ...string) {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Logf("%s is not installed", name)
		return
	}
	command := exec.CommandContext(t.Context(), path, args...)
	command.Stdin = io.Reader(strings.NewReader(strings.Join(programs, "\x00")))
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", name, err, out)
	}
}
