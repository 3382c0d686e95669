package resolvers

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
)

// newsPolicy is what news may hold on a page: text and its structure, links and pictures by
// absolute address. Links send no referrer and do not count for search engines.
var newsPolicy = func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code",
		"b", "strong", "i", "em", "u", "s", "del", "sub", "sup", "time")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("datetime").
		Matching(regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$`)).
		OnElements("time")
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("src", "alt").OnElements("img")
	absolute := func(u *url.URL) bool { return u.Host != "" }
	p.AllowURLSchemeWithCustomPolicy("https", absolute)
	p.AllowURLSchemeWithCustomPolicy("http", absolute)
	p.RequireParseableURLs(true)
	p.RequireNoFollowOnLinks(true)
	p.RequireNoReferrerOnLinks(true)
	return p
}()

// voidElements have no end tag.
var voidElements = []string{"br", "hr", "img"}

// deepest bounds nesting; deeper elements are removed, their text stays.
const deepest = 64

// unreadable are bytes that no page may hold.
var unreadable = strings.NewReplacer("\x00", "\uFFFD")

// safeHTML is stored HTML for pages of our own: only what newsPolicy allows, every element
// closed inside it, so that nothing reaches beyond. Passing it through again changes nothing.
func safeHTML(stored string) string {
	var out strings.Builder
	var open []string
	closeTo := func(depth int) {
		for _, name := range slices.Backward(open[depth:]) {
			out.WriteString("</" + name + ">")
		}
		open = open[:depth]
	}
	z := html.NewTokenizer(strings.NewReader(newsPolicy.Sanitize(unreadable.Replace(strings.ToValidUTF8(stored,
		"\uFFFD")))))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		raw := string(z.Raw())
		tag, _ := z.TagName()
		name := string(tag)
		switch {
		case kind == html.TextToken, slices.Contains(voidElements, name):
			out.WriteString(raw)
		case kind == html.EndTagToken:
			if at := lastIndex(open, name); at >= 0 {
				closeTo(at)
			}
		case len(open) < deepest:
			open = append(open, name)
			out.WriteString(raw)
		}
	}
	closeTo(0)
	return out.String()
}

func lastIndex(list []string, name string) int {
	for i, v := range slices.Backward(list) {
		if v == name {
			return i
		}
	}
	return -1
}
