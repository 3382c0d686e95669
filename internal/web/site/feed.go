package site

import (
	"encoding/xml"
	"slices"
	"time"
)

const (
	atomPath = "/news.atom"
	atomType = "application/atom+xml; charset=utf-8"
	// feedEntries is how many articles the feed has.
	feedEntries = 50
	// feedSource is how many articles it chooses from: pinned ones come before newer ones.
	feedSource = 1000
)

// atomFeed is a feed of RFC 4287.
type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID        string       `xml:"id"`
	Title     string       `xml:"title"`
	Published string       `xml:"published"`
	Updated   string       `xml:"updated"`
	Author    string       `xml:"author>name"`
	Link      atomLink     `xml:"link"`
	Category  atomCategory `xml:"category"`
	Summary   string       `xml:"summary,omitempty"`
}

type atomCategory struct {
	Term string `xml:"term,attr"`
}

// newFeed returns the newest articles as a feed. An article has no time of its last change: both times are when it was
// published. A feed without articles is as old as it can be.
func newFeed(origin string, articles []ArticleRow) atomFeed {
	slices.SortFunc(articles, newer)
	articles = articles[:min(feedEntries, len(articles))]
	feed := atomFeed{
		ID: origin + newsPath, Title: "gamedata news", Updated: time.Unix(0, 0).UTC().Format(time.RFC3339),
		Links: []atomLink{
			{"self", "application/atom+xml", origin + atomPath}, {"alternate", "text/html", origin + newsPath},
		},
	}
	for i, a := range articles {
		e := atomEntry{
			ID: origin + a.Path(), Title: a.Title, Author: a.CreatedBy, Summary: a.Recap,
			Link: atomLink{"alternate", "text/html", origin + a.Path()}, Category: atomCategory{a.Type.Label},
		}
		e.Published = a.PublishedAt.UTC().Format(time.RFC3339)
		e.Updated = e.Published
		if i == 0 {
			feed.Updated = e.Updated
		}
		if e.Author == "" {
			e.Author = "gamedata"
		}
		feed.Entries = append(feed.Entries, e)
	}
	return feed
}
