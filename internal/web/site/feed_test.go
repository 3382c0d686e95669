package site

import (
	"encoding/xml"
	"regexp"
	"slices"
	"testing"
	"time"

	"gamedata/graph"
)

// A feed has the newest articles first, and its own time is theirs; every entry has what RFC 4287 requires.
func TestNewFeed(t *testing.T) {
	atom := func(origin string, articles []ArticleRow) []byte {
		s := &Site{o: Options{Origin: origin}}
		return s.renderDocument(atomType, "atom", newFeed(origin, articles), graph.Response{}).Body
	}
	if f := newFeed[ArticleRow]("https://example.com", nil); f.Updated != "1970-01-01T00:00:00Z" {
		t.Errorf("got %+v for no articles", f)
	}
	begin := time.Date(2026, 1, 1, 12, 0, 0, 0, time.FixedZone("", 3600))
	var articles []ArticleRow
	for i := range int64(feedEntries + 5) {
		at := begin.Add(time.Duration(i%7) * time.Hour)
		articles = append(articles, ArticleRow{Number: i, Title: "News & <more>", PublishedAt: at})
	}
	text, moved := atom("https://example.com", articles), atom("http://localhost:8080", articles)
	ids := regexp.MustCompile("<id>.*?</id>")
	if a, b := ids.FindAllString(string(text), -1), ids.FindAllString(string(moved), -1); !slices.Equal(a, b) ||
		len(a) != feedEntries+1 {
		t.Errorf("the ids depend on the address: got %q and %q", a, b)
	}
	var f struct {
		Updated string `xml:"updated"`
		Entries []struct {
			ID      string `xml:"id"`
			Title   string `xml:"title"`
			Updated string `xml:"updated"`
			Author  string `xml:"author>name"`
			Link    struct {
				Href string `xml:"href,attr"`
			} `xml:"link"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal(text, &f); err != nil {
		t.Fatal(err)
	}
	if len(f.Entries) != feedEntries || f.Updated != "2026-01-01T17:00:00Z" || f.Updated != f.Entries[0].Updated {
		t.Errorf("got %d entries, updated %s", len(f.Entries), f.Updated)
	}
	for i, e := range f.Entries {
		if e.ID == "" || e.Title != "News & <more>" || e.Author == "" || e.Link.Href == "" ||
			i > 0 && e.Updated > f.Entries[i-1].Updated {
			t.Errorf("got the entry %+v", e)
		}
	}
}
