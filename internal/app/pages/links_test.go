package pages

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"gamedata/internal/app/apptest"
)

// linksOf returns the links of a page and the ids that links can refer to.
func linksOf(t *testing.T, text string) (links []string, places map[string]bool) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	places = map[string]bool{}
	for node := range root.Descendants() {
		for _, a := range node.Attr {
			switch a.Key {
			case "href":
				links = append(links, a.Val)
			case "id":
				if places[a.Val] {
					t.Errorf("the id %s is used twice", a.Val)
				}
				places[a.Val] = true
			}
		}
	}
	return links, places
}

// testLinks follows every link of some pages: each leads to a page that has the link's fragment. It skips contract
// cases, which link to errors too, and files that npm builds.
func testLinks(t *testing.T, p *apptest.Program) {
	known := map[string]map[string]bool{} // places by path and query
	look := func(address string) []string {
		res, text := openPage(t, p, "GET", address, "Accept", "text/html")
		if res.Status != 200 && res.Status != 303 {
			t.Errorf("%s: %d", address, res.Status)
		}
		known[address] = nil
		var links []string
		switch kind, _, _ := strings.Cut(res.Header.Get("Content-Type"), ";"); kind {
		case "image/svg+xml": // the icons
			_, known[address] = linksOf(t, text)
			return nil
		case "text/html":
		default:
			return nil
		}
		links, known[address] = linksOf(t, text)
		framed := strings.HasSuffix(address, "/embed") // by other sites: it has no layout
		if text != "" && !framed && (!known[address]["main"] || !slices.Contains(links, "#main") || !slices.Contains(links,
			"/icon.svg")) {
			t.Errorf("%s lacks the common layout", address)
		}
		return links
	}
	for _, page := range []string{
		"/", "/players/Salted", "/players/Veiled", "/guilds/Mossbound%20Company", "/leaderboards",
		"/leaderboards/guildWars", "/leaderboards/totalGlobalLevel", "/seasons", "/worlds",
		"/territories", "/search?query=moss", "/news", "/docs/rest",
		"/account/sign-in",
	} {
		from, err := url.Parse(page)
		if err != nil {
			t.Fatal(err)
		}
		followed := map[string]int{} // by the first part of their path
		for _, link := range look(page) {
			to, err := from.Parse(strings.TrimPrefix(link, p.Base))
			if err != nil || to.Host != "" {
				t.Errorf("%s links to %s", page, link)
				continue
			}
			place := to.Fragment
			to.Fragment = ""
			address := to.String()
			if strings.HasPrefix(address, "/playground") || address == "/docs" || page == "/docs/rest" &&
				strings.HasPrefix(address, "/v3/") || address == "/nothing" {
				continue
			}
			if _, ok := known[address]; !ok {
				section, _, _ := strings.Cut(strings.TrimPrefix(to.Path, "/"), "/")
				if followed[section]++; followed[section] > 15 { // lists link to many pages that are alike
					continue
				}
				look(address)
			}
			if place != "" && !known[address][place] {
				t.Errorf("%s links to %s, which has no such id", page, link)
			}
		}
	}
}
