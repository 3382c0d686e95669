package site

import (
	"bytes"
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"gamedata/graph"
)

// Every page and picture can be made whatever is null in the data of its operation: hidden, unknown, or not read while
// the store fails. Then the page says so below its title, and reloads.
func TestPagesWithNulls(t *testing.T) {
	s := testSite()
	for _, p := range s.pages {
		t.Run(p.operation, func(t *testing.T) {
			data := leastData(p.op.Def.SelectionSet)
			about, _ := p.op.Def.SelectionSet[0].(*ast.Field)
			data[about.Alias] = leastData(about.SelectionSet)
			if about.Definition.Type.Elem != nil {
				data[about.Alias] = []any{data[about.Alias]}
			}
			text, err := json.Marshal(data)
			if err != nil {
				t.Fatal(err)
			}
			failed := gqlerror.List{{Path: ast.Path{ast.PathName("a")}, Extensions: graph.ErrUnavailable.Extensions()}}
			r := graph.Response{Response: &graphql.Response{Data: text, Errors: failed}}
			c := s.newContext(p, request{map[string]any{}, url.Values{}}, r)
			if bad := p.show(c); bad != nil || c.Body == nil {
				return // an error page, or a list for a script
			}
			out := s.respond(c, nil)
			_, below, _ := bytes.Cut(out.Body, []byte("</h1>"))
			if out.Status != 503 || out.Header.Get("Refresh") != "5" ||
				!bytes.HasPrefix(below, []byte(`<p class="wrong" role="alert">Parts of this page could not be loaded`)) {
				t.Errorf("got %d %v %s", out.Status, out.Header, out.Body)
			}
			if p.card {
				c.card()
			}
			offered := p.card && p.noun != "" && p.noun != "article" && !strings.HasSuffix(p.path, "/week")
			if bytes.Contains(out.Body, []byte("/badge.svg")) != offered {
				t.Errorf("the badge is offered: %t, want %t", !offered, offered)
			}
		})
	}
}

// Texts to copy are escaped for the page or the Markdown that they are pasted into.
func TestTextsToCopy(t *testing.T) {
	s := testSite()
	const title, address = "A<b>&\"c'_[d]*", "https://data.example/a?x=1&copy=2"
	for _, name := range []string{"share", "chart"} {
		text, err := s.templates.Render(name, &struct {
			chart
			Address, Path string
		}{chart{Title: title, Page: address, Picture: address, Series: make([]chartSeries, 1)}, address, ""})
		if err != nil {
			t.Fatal(err)
		}
		for _, copied := range regexp.MustCompile(`<pre class="copy">(.*)</pre>`).FindAllSubmatch(text, -1) {
			got := html.UnescapeString(string(copied[1])) // as the clipboard has it
			want := `[![A\<b\>\&"c'\_\[d\]\*](` + address
			if strings.HasPrefix(got, "<") {
				want = `="` + html.EscapeString(title) + `"`
			}
			if !strings.Contains(got, want) || strings.HasPrefix(got, "<") && strings.Contains(got, address) {
				t.Errorf("%s: got %s, want %s", name, got, want)
			}
		}
	}
}

// leastData returns what a selection has at least: null where the schema allows it, and lists of one element.
func leastData(set ast.SelectionSet) map[string]any {
	out := map[string]any{}
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			out[s.Alias] = leastValue(s, s.Definition.Type)
		case *ast.FragmentSpread:
			for key, value := range leastData(s.Definition.SelectionSet) {
				out[key] = value
			}
		}
	}
	return out
}

func leastValue(f *ast.Field, of *ast.Type) any {
	switch {
	case !of.NonNull:
		return nil
	case of.Elem != nil:
		return []any{leastValue(f, of.Elem)}
	case len(f.SelectionSet) > 0:
		return leastData(f.SelectionSet)
	}
	switch of.NamedType {
	case "Boolean":
		return false
	case "Int", "Int64", "Float":
		return 0
	case "DateTime":
		return "2026-01-01T00:00:00Z"
	}
	return "A"
}
