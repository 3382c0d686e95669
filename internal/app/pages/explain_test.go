package pages

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/url"
	"slices"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
	"gamedata/rest"
)

type restriction struct {
	Rule  string
	Scope *string
	Keys  []string
}

type explanation struct {
	Method, Path, Target, Bucket string
	Operation                    *struct{ Name, Sha256, Document string }
	Variables, Shaping           map[string]any
	Missing                      []string
	Cost                         int
	Cache                        struct {
		MaxAge int
		Scope  string
	}
	Fields []struct {
		Key, GraphQL string
		How          []string
	}
	Restrictions []restriction
	Errors       []struct {
		Status      int
		Error, Code string
	}
	Links struct{ Response, Console, Docs string }
}

func explain(t *testing.T, p *apptest.Program, path string) explanation {
	t.Helper()
	res := apptest.Get(t, p.Base+"/explain"+path)
	res.Expect(t, path, 200, "Content-Type", "application/json")
	return apptest.Decode[explanation](t, res.Body)
}

// The explanation linked from a response describes its operation, which GraphQL runs with the same result.
func testExplain(t *testing.T, p *apptest.Program) {
	r := apptest.Get(t, p.Base+"/v3/player/Salted?fullResult")
	link, _, _ := strings.Cut(strings.TrimPrefix(r.Header.Get("Link"), "</explain"), ">")
	e := explain(t, p, link)
	if e.Operation == nil || e.Operation.Name != "Player" {
		t.Fatalf("the link of the response explains %v, want the operation Player", e.Operation)
	}
	if sum := sha256.Sum256([]byte(e.Operation.Document)); hex.EncodeToString(sum[:]) != e.Operation.Sha256 {
		t.Errorf("sha256 %s is not the hash of the document", e.Operation.Sha256)
	}
	if e.Method+e.Path+e.Target != "GET/v3/player/{username}/v3/player/Salted?fullResult" || e.Bucket != "PLAYER" ||
		e.Cost != 1 || e.Cache.MaxAge != 120 || e.Cache.Scope != "USER" || len(e.Missing) != 0 {
		t.Errorf("%+v", e)
	}
	got := apptest.GraphQL(t, p.Base, e.Operation.Document, e.Variables)
	if !got.Has(`"username":"Salted"`) || !got.Has(`"characters":{"nodes":[`) {
		t.Errorf("GraphQL: got %.300s, want Salted with characters", got.Body)
	}
	byHash, err := json.Marshal(map[string]any{
		"variables":  e.Variables,
		"extensions": map[string]any{"persistedQuery": map[string]any{"version": 1, "sha256Hash": e.Operation.Sha256}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := apptest.RequestOK(t, p.Base, "POST", "/graphql", string(byHash)); !bytes.Contains(got,
		[]byte(`"username":"Salted"`)) {
		t.Errorf("GraphQL by hash: got %.300s, want Salted", got)
	}
	i := slices.IndexFunc(e.Restrictions, func(r restriction) bool { return r.Rule == "main_access" })
	if i < 0 || e.Restrictions[i].Scope == nil || !slices.Contains(e.Restrictions[i].Keys, "globalData") {
		t.Errorf("the restrictions are %+v", e.Restrictions)
	}
	link, err = url.QueryUnescape(e.Links.Console)
	if err != nil || e.Links.Response != "/v3/player/Salted?fullResult" || e.Links.Docs != "/docs/rest/Player" ||
		!strings.Contains(link, "query Player (") || !strings.Contains(link, `"username": "Salted"`) {
		t.Errorf("the links are %+v", e.Links)
	}
	if e := explain(t, p, "/v3/guild/%7Bquery%7D?identifier=uuid"); !slices.Equal(e.Missing, []string{"query"}) ||
		len(e.Variables) != 0 || e.Shaping["identifier"] != "uuid" || e.Links.Response != "" {
		t.Errorf("%+v", e)
	}
	if e := explain(t, p, "/v3/item/search?page=2"); e.Method != "POST" || e.Variables["page"] != 2.0 ||
		e.Variables["filter"] == nil || e.Links.Response != "" {
		t.Errorf("%+v", e)
	}
	if e := explain(t, p, "/v3/oauth/token"); e.Operation != nil || e.Bucket != "SHARED" || e.Cache.MaxAge != 0 {
		t.Errorf("%+v", e)
	}
}

// Every endpoint has an explanation as JSON; a browser gets to the part of the endpoint's page that explains it. That
// page has the conformance cases, too.
func testExplainEvery(t *testing.T, p *apptest.Program) {
	pages := map[string]string{}
	for _, row := range rest.Rows {
		e := explain(t, p, rest.Prefix+row.Path)
		if e.Path != rest.Prefix+row.Path || row.Operation != "" && (len(e.Fields) == 0 ||
			e.Operation.Name != row.Operation) || len(e.Errors) == 0 {
			t.Errorf("%s: %+v", row.Path, e)
		}
		r, _ := getHTML(t, p, "/explain"+rest.Prefix+row.Path)
		r.Expect(t, row.Path+" in a browser", 301, "Location", e.Links.Docs+"#explain")
		if !strings.Contains(r.Header.Get("Vary"), "Accept-Encoding, Accept") {
			t.Errorf("%s: got Vary %q", row.Path, r.Header.Get("Vary"))
		}
		_, pages[row.Operation] = getHTML(t, p, e.Links.Docs)
		for _, f := range e.Fields[:min(3, len(e.Fields))] {
			if !strings.Contains(pages[row.Operation], "<code>"+html.EscapeString(f.GraphQL)+": ") {
				t.Errorf("the page of %s does not map %s", row.Path, f.GraphQL)
			}
		}
	}
	r, _ := getHTML(t, p, "/compatibility")
	r.Expect(t, "compatibility", 301, "Location", "/docs/rest#compatibility")
	_, overview := getHTML(t, p, "/docs/rest")
	for _, c := range rest.Cases() {
		page := overview
		if row, _, ok := c.Row(); ok {
			page = pages[row.Operation]
		}
		if !strings.Contains(page, "("+c.Name+")") {
			t.Errorf("the case %s is on no page", c.Name)
		}
	}
	for path, c := range map[string]struct {
		status int
		name   string
	}{
		"/explain/v3/nothing":              {404, "NotFound"},
		"/explain/v3/item/database?page=0": {400, "InvalidQueryParamsError"},
	} {
		res := apptest.Get(t, p.Base+path)
		res.Expect(t, path, c.status)
		if !res.Has(`"error":"` + c.name + `"`) {
			t.Errorf("%s: got %s", path, res.Body)
		}
	}
	res := apptest.Request(t, "POST", p.Base+"/explain/v3/item/search", "{}")
	res.Expect(t, "POST", 405, "Allow", "GET, HEAD, OPTIONS")
	if e := explain(t, p, "/v3/player/%00%ff%3Cscript%3E"); e.Variables["username"] != "\uFFFD" {
		t.Errorf("%+v", e.Variables)
	}
}

// getHTML gets a path with the Accept header of a browser.
func getHTML(t *testing.T, p *apptest.Program, path string) (apptest.Response, string) {
	t.Helper()
	return openPage(t, p, "GET", path, "Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
}
