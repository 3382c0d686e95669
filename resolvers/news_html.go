package resolvers

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
)

// newsPolicy allows text and its structure, and links and pictures with absolute URLs. Links send no
// referrer and do not count for search engines.
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

var voidElements = []string{"br", "hr", "img"}

// deepest is the maximum nesting. Deeper elements are removed, but their text stays.
const deepest = 64

// unreadable replaces bytes that no page may contain.
var unreadable = strings.NewReplacer("\x00", "\uFFFD")

// safeHTML returns stored HTML for web pages: only what newsPolicy allows, with every element closed. It is idempotent.
func safeHTML(stored string) string {
	var out strings.Builder
	var open []string
	closeTo := func(depth int) {
		for _, name := range slices.Backward(open[depth:]) {
			out.WriteString("</" + name + ">")
		}
		open = open[:depth]
	}
	valid := unreadable.Replace(strings.ToValidUTF8(stored, "\uFFFD"))
	z := html.NewTokenizer(strings.NewReader(newsPolicy.Sanitize(valid)))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		raw := string(z.Raw())
		tag, _ := z.TagName()
		name := string(tag)
		switch {
		case kind == html.TextToken, slices.Contains(voidElements, name):
			out.WriteString(raw)
		case kind == html.EndTagToken:
			for at, opened := range slices.Backward(open) {
				if opened == name {
					closeTo(at)
					break
				}
			}
		case len(open) < deepest:
			open = append(open, name)
			out.WriteString(raw)
		}
	}
	closeTo(0)
	return out.String()
}
