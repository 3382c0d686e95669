package pages

import (
	"encoding/xml"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

// Crawlers find every guild, item, leaderboard and article, each under its canonical address, and no player.
func TestSitemap(t *testing.T) {
	t.Parallel()
	p := apptest.Shared(t)
	res, text := openPage(t, p, "GET", "/robots.txt")
	if res.Status != 200 || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/plain") ||
		!strings.Contains(text, "\nSitemap: "+p.Base+"/sitemap.xml\n") || !strings.Contains(text, "Disallow: /account\n") {
		t.Errorf("robots.txt: %d %v %s", res.Status, res.Header, text)
	}
	res, text = openPage(t, p, "GET", "/sitemap.xml")
	if res.Status != 200 || res.Header.Get("Content-Type") != "application/xml; charset=utf-8" ||
		res.Header.Get("Cache-Control") != "max-age=3600, public" || res.Header.Get("RateLimit-Bucket") != "SHARED" ||
		!strings.HasPrefix(res.Header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Fatalf("sitemap.xml: %d %v", res.Status, res.Header)
	}
	var set struct {
		XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		URLs    []struct {
			Loc     string `xml:"loc"`
			LastMod string `xml:"lastmod"`
		} `xml:"url"`
	}
	if err := xml.Unmarshal([]byte(text), &set); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	var paths []string
	for _, u := range set.URLs {
		path, ours := strings.CutPrefix(u.Loc, p.Base)
		if !ours || slices.Contains(paths, path) {
			t.Errorf("%s is of another host, or listed twice", u.Loc)
		}
		paths = append(paths, path)
		section, _, named := strings.Cut(path[1:], "/")
		if named && path != "/leaderboards/gains" {
			counts[section]++
		}
	}
	type count struct{ TotalCount int }
	want := apptest.Query[map[string]count](t, p.Base, `{
		guilds(first: 0) { totalCount } items(first: 0) { totalCount } leaderboards(first: 0) { totalCount }
		territories(first: 0) { totalCount } recipes(first: 0) { totalCount } news: articles(first: 0) { totalCount }
	}`)
	want["players"] = count{0}
	for section, n := range want {
		if counts[section] != n.TotalCount || n.TotalCount == 0 && section != "players" {
			t.Errorf("got %d pages of %s, want %d", counts[section], section, n.TotalCount)
		}
	}
	for _, path := range []string{"/", "/territories", "/leaderboards", "/news", "/guilds/Mossbound%20Company"} {
		if !slices.Contains(paths, path) {
			t.Errorf("the sitemap lacks %s", path)
		}
	}
	// Some pages of each section: their canonical address is the one listed.
	seen := map[string]int{}
	for _, path := range paths {
		section, _, named := strings.Cut(path[1:], "/")
		seen[section]++
		if !named || seen[section] > 3 {
			continue
		}
		res, page := openPage(t, p, "GET", path)
		if res.Status != 200 || canonicalOf(t, page) != p.Base+path {
			t.Errorf("%s: %d, canonical %s", path, res.Status, canonicalOf(t, page))
		}
	}
	_, front := openPage(t, p, "GET", "/")
	for path, want := range map[string]string{
		"/opensearch.xml":       `template="` + p.Base + `/search?query={searchTerms}"`,
		"/manifest.webmanifest": `"start_url": "/"`,
	} {
		res, text := openPage(t, p, "GET", path)
		if kind := res.Header.Get("Content-Type"); !strings.Contains(text, want) ||
			!strings.HasPrefix(kind, "application/manifest+json") && xml.Unmarshal([]byte(text), new(struct{})) != nil ||
			!strings.Contains(front, `href="`+path+`">`) {
			t.Errorf("%s: %d %s %s", path, res.Status, kind, text)
		}
	}
	for _, path := range []string{"/robots.txt", "/sitemap.xml", "/news.atom", "/opensearch.xml"} {
		res, _ := openPage(t, p, "POST", path)
		res.Expect(t, path, http.StatusMethodNotAllowed, "Allow", "GET, HEAD")
		first, _ := openPage(t, p, "GET", path)
		again, _ := openPage(t, p, "GET", path, "If-None-Match", first.Header.Get("ETag"))
		again.Expect(t, path+" with its ETag", 304)
	}
}

// canonicalOf returns the canonical address that a page names.
func canonicalOf(t *testing.T, page string) string {
	t.Helper()
	_, rest, _ := strings.Cut(page, `<link rel="canonical" href="`)
	address, _, found := strings.Cut(rest, `"`)
	if !found {
		return ""
	}
	return address
}

// The feed is valid Atom, and its links lead to the pages of the articles, which have the same titles.
func TestNewsFeed(t *testing.T) {
	p := apptest.Shared(t)
	res, text := openPage(t, p, "GET", "/news.atom")
	res.Expect(t, "feed", 200, "Content-Type", "application/atom+xml; charset=utf-8")
	var feed struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		Updated string   `xml:"updated"`
		Entries []struct {
			Link struct {
				Href string `xml:"href,attr"`
			} `xml:"link"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal([]byte(text), &feed); err != nil || len(feed.Entries) != 44 ||
		!strings.Contains(text, ` rel="self" type="application/atom+xml" href="`+p.Base+`/news.atom"`) ||
		!strings.Contains(text, ` rel="alternate" type="text/html" href="`+p.Base+`/news"`) {
		t.Fatalf("got %d entries, %v: %.500s", len(feed.Entries), err, text)
	}
	path := strings.TrimPrefix(feed.Entries[0].Link.Href, p.Base)
	page, body := openPage(t, p, "GET", path)
	for _, want := range []string{
		`<meta property="og:type" content="article">`, `<meta property="article:published_time" content="` +
			feed.Updated + `">`, `<link rel="alternate" type="application/atom+xml" title="News" href="/news.atom">`,
	} {
		if page.Status != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d, no %s", path, page.Status, want)
		}
	}
}

// Other addresses of a page name its canonical one, pages with errors and results of searches are not listed, and a
// description has nothing that a player hides.
func TestPageMeta(t *testing.T) {
	p := apptest.Shared(t)
	salted := p.Base + "/players/" + apptest.CastUUID("Salted")
	for path, want := range map[string]string{
		"/players/Salted": salted, "/players/salted": salted, "/players/" + apptest.CastUUID("Salted"): salted,
		"/guilds/mossbound%20company": p.Base + "/guilds/Mossbound%20Company", "/territories": p.Base + "/territories",
		"/news": p.Base + "/news", "/leaderboards/guildWars": p.Base + "/leaderboards/guildWars",
	} {
		res, page := openPage(t, p, "GET", path)
		if res.Status != 200 || canonicalOf(t, page) != want ||
			!strings.Contains(page, `<meta property="og:url" content="`+want+`">`) ||
			!strings.Contains(page, `<meta name="description" content="`) || strings.Contains(page, "noindex") {
			t.Errorf("%s: %d, canonical %q, want %q", path, res.Status, canonicalOf(t, page), want)
		}
	}
	for _, path := range []string{"/search?query=moss", "/players/unknown", "/news/0", "/news/x", "/nothing"} {
		_, page := openPage(t, p, "GET", path, "Accept", "text/html")
		if !strings.Contains(page, `<meta name="robots" content="noindex">`) {
			t.Errorf("%s may be listed", path)
		}
	}
	for path, want := range map[string]string{
		"/players/Veiled":                   `^The player Veiled( of [^,]*\])?\.$`,
		"/leaderboards/globalPlayerContent": `^Players by how much content .+\. \d+ entries, the highest score is [\d,]+\.$`,
		"/leaderboards/guildLevel":          `^Guilds by their level\. \d+ entries, .+ at rank 1\.$`,
	} {
		_, page := openPage(t, p, "GET", path)
		_, rest, _ := strings.Cut(page, `<meta name="description" content="`)
		if description, _, _ := strings.Cut(rest, `"`); !regexp.MustCompile(want).MatchString(description) {
			t.Errorf("%s: got the description %q", path, description)
		}
	}
}
