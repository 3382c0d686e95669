package site

import (
	"fmt"
	"time"

	"gamedata/internal/web"
)

const (
	sitemapPath = "/sitemap.xml"
	sitemapType = "application/xml; charset=utf-8"
	// sitemapURLs is how many pages one file may list.
	sitemapURLs = 50_000
)

// listedPages are the pages without a name that the sitemap lists.
var listedPages = []string{
	"/", "/guilds", "/items", "/leaderboards", "/leaderboards/gains", mapPath, "/territories", "/classes", "/recipes",
	"/world-events", "/worlds", "/seasons", newsPath, "/playground",
}

type sitemapEntry struct {
	Location     string
	LastModified *time.Time
}

// entries returns the pages of the sitemap. Guilds come last, since they are read in several pages.
func (d *Sitemap) entries(origin string) []sitemapEntry {
	var out []sitemapEntry
	add := func(path string) { out = append(out, sitemapEntry{Location: origin + path}) }
	for _, path := range listedPages {
		add(path)
	}
	for _, b := range d.Leaderboards.Nodes {
		add(web.Path("leaderboards", b.Type))
	}
	for _, t := range d.Territories.Nodes {
		add(web.Path("territories", t.Name))
	}
	for _, a := range d.Articles.Nodes {
		add(articlePath(a.Number))
		out[len(out)-1].LastModified = &a.PublishedAt
	}
	for _, i := range d.Items.Nodes {
		add(web.Path("items", i.InternalName))
	}
	for _, r := range d.Recipes.Nodes {
		add(web.Path("recipes", r.InternalName))
	}
	for _, e := range d.WorldEvents.Nodes {
		add(web.Path("world-events", e.InternalName))
	}
	for _, g := range d.Guilds.Nodes {
		add(web.Path("guilds", g.Name))
	}
	return out
}

// sitemapFile returns a file of the sitemap and the name of its template: file 0 lists all pages, or the other files if
// there are too many pages for one; file n, from 1, lists the pages of the n-th part. It returns nil for a file that
// does not exist.
func sitemapFile(origin string, entries []sitemapEntry, file, limit int) (template string, listed []sitemapEntry) {
	if file > 0 {
		begin := (file - 1) * limit
		if len(entries) <= limit || begin >= len(entries) {
			return "", nil
		}
		return "urls", entries[begin:min(begin+limit, len(entries))]
	}
	if len(entries) <= limit {
		return "urls", entries
	}
	for n := 1; (n-1)*limit < len(entries); n++ {
		listed = append(listed, sitemapEntry{Location: fmt.Sprintf("%s/sitemap-%d.xml", origin, n)})
	}
	return "index", listed
}
