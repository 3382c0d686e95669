package site

import (
	"testing"
	"time"
)

// A feed has the newest articles first, and its own time is theirs; every entry has what RFC 4287 requires.
func TestNewFeed(t *testing.T) {
	if f := newFeed("https://example.com", nil); f.Updated != "1970-01-01T00:00:00Z" || f.ID == "" || f.Title == "" {
		t.Errorf("got %+v for no articles", f)
	}
	begin := time.Date(2026, 1, 1, 12, 0, 0, 0, time.FixedZone("", 3600))
	var articles []ArticleRow
	for i := range int64(feedEntries + 5) {
		at := begin.Add(time.Duration(i%7) * time.Hour)
		articles = append(articles, ArticleRow{Number: i, Title: "News", PublishedAt: at})
	}
	f := newFeed("https://example.com", articles)
	if len(f.Entries) != feedEntries || f.Updated != "2026-01-01T17:00:00Z" || f.Updated != f.Entries[0].Updated {
		t.Errorf("got %d entries, updated %s", len(f.Entries), f.Updated)
	}
	ids := map[string]bool{}
	for i, e := range f.Entries {
		if e.ID == "" || ids[e.ID] || e.Title == "" || e.Author == "" || e.Link.Href == "" ||
			i > 0 && e.Updated > f.Entries[i-1].Updated {
			t.Errorf("got the entry %+v", e)
		}
		ids[e.ID] = true
	}
}
