package site

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"gamedata/graph"
	"gamedata/graph/generated"
)

// testSite returns the pages without an API.
func testSite() *Site {
	exec := graph.New(generated.NewExecutableSchema(generated.Config{}), graph.Options{})
	return New(nil, exec, Options{})
}

// testPage returns the page of an operation.
func testPage(t *testing.T, s *Site, operation string) *page {
	t.Helper()
	at := slices.IndexFunc(s.pages, func(p *page) bool { return p.operation == operation })
	if at < 0 {
		t.Fatalf("no page has the operation %s", operation)
	}
	return s.pages[at]
}

// The parameters of an address become variables of the types in the schema; the size of a page is none of them.
func TestBind(t *testing.T) {
	p := testPage(t, testSite(), "ItemsPage")
	for query, want := range map[string]map[string]any{
		"":                                {},
		"query=&tier=&min=%20":            {},
		"tier=RARE&tier=MYTHIC&unknown=1": {"tier": []any{"RARE", "MYTHIC"}},
		"min=5&query=+bow+&sort=LEVEL":    {"min": int64(5), "query": []any{"bow"}, "sort": "LEVEL"},
		"first=100000&last=7&after=abc":   {"after": "abc"},
		"before=abc&direction=DESC":       {"before": "abc", "direction": "DESC", "first": nil, "last": int64(50)},
	} {
		got, bad := p.bind(time.Time{}, nil, query)
		if d := cmp.Diff(want, got.variables); bad != nil || d != "" {
			t.Errorf("%s: %v %s", query, bad, d)
		}
	}
	for _, query := range []string{
		"tier=rare", "min=x", "min=1.5", "max=99999999999", "sort=LEVEL&sort=NAME", "query=%ff", "sort=%zz",
	} {
		if _, bad := p.bind(time.Time{}, nil, query); bad == nil || bad.Code != graph.InvalidQueryParams {
			t.Errorf("%s: got %v, want %s", query, bad, graph.InvalidQueryParams)
		}
	}
}

// A link has the parameters of the page with its changes, and begins at the beginning of the list.
func TestLink(t *testing.T) {
	c := &renderContext{page: testPage(t, testSite(), "ItemsPage"), request: request{
		variables: map[string]any{}, query: url.Values{"tier": {"RARE", "MYTHIC"}, "sort": {"LEVEL"}, "after": {"x"}},
	}}
	for want, got := range map[string]string{
		"/items?after=x&sort=LEVEL&tier=RARE&tier=MYTHIC":        c.Link(),
		"/items?sort=NAME&tier=RARE&tier=MYTHIC":                 c.Link("sort", "NAME"),
		"/items?tier=RARE&tier=MYTHIC":                           c.Link("sort", ""),
		"/items?after=y&sort=LEVEL&tier=RARE&tier=MYTHIC":        c.Link("after", "y"),
		"/items?direction=DESC&sort=LEVEL&tier=RARE&tier=MYTHIC": c.Column("Level", "sort", "LEVEL").Path,
		"/items?sort=LEVEL&tier=MYTHIC":                          c.ActiveFilters("sort")[0].Path,
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if csv := c.CSV(); !strings.Contains(csv, "query%20items_sort_LEVEL_tier_RARE_tier_MYTHIC%28") {
		t.Errorf("got the file %s, want one that is named after the page and its filters", csv)
	}
	c.query = url.Values{"min": {"5"}}
	if filter := c.ActiveFilters()[0]; filter.Note != "Level from" {
		t.Errorf("the filter is called %q, want it as in the form", filter.Note)
	}
}

// The address of a comparison has the items that it is made of, whatever their names.
func TestComparePath(t *testing.T) {
	want := []string{"Salt & Pepper", "1+1=2", "50 % #1?", "Épée"}
	address, err := url.Parse(comparisonPath(itemsParameter, want))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, comparedKeys(address.Query()[itemsParameter])); diff != "" {
		t.Error(diff)
	}
}

// A page is shown unless its first field is missing, a partial page if there are data at all.
func TestErrorOf(t *testing.T) {
	limited := &gqlerror.Error{Path: ast.Path{ast.PathName("other")}, Extensions: graph.ErrUnavailable.Extensions()}
	gone := &gqlerror.Error{Path: ast.Path{ast.PathName("player")}, Extensions: map[string]any{"code": "NOT_FOUND"}}
	both := gqlerror.List{limited, gone}
	for _, c := range []struct {
		data    string
		errors  gqlerror.List
		partial bool
		want    graph.Code
	}{
		{`{"player":{"name":null},"other":null}`, both, false, ""},
		{`{"player":[],"other":null}`, both, false, ""},
		{`{"player":null,"other":{}}`, both, false, graph.NotFound},
		{`{"player":null,"other":{}}`, nil, false, graph.NotFound},
		{`{"player":null,"other":{}}`, both, true, ""},
		{`null`, both[:1], true, graph.ServiceUnavailable},
		{``, both[:1], false, graph.ServiceUnavailable},
	} {
		p := &page{route: route{partial: c.partial}, about: "player"}
		var got graph.Code
		if bad := p.errorOf(json.RawMessage(c.data), c.errors); bad != nil {
			got = bad.Code
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.data, got, c.want)
		}
	}
}
