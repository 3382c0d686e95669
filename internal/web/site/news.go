package site

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"gamedata/graph"
	"gamedata/internal/web"
)

// newsPath is the page of all articles; each has its page below.
const newsPath = "/news"

type article struct {
	Pk                            int64
	Title, Type, Recap, CreatedBy string
	PublishedAt                   time.Time
	Pinned                        bool
	Content                       []articleBlock
}

// Path returns the path of the article's page.
func (a article) Path() string { return newsPath + "/" + strconv.FormatInt(a.Pk, 10) }

// HasRecap reports whether the short text says more than the title.
func (a article) HasRecap() bool { return a.Recap != "" && strings.TrimSuffix(a.Recap, ".") != a.Title }

// newer orders articles: the newest first.
func newer(a, b article) int {
	return cmp.Or(b.PublishedAt.Compare(a.PublishedAt), cmp.Compare(b.Pk, a.Pk))
}

type articleBlock struct {
	Website  bool
	HTML     *string
	Question *struct {
		Question string
		Answers  []struct{ Text string }
	}
}

// endOfParagraph ends a line of a text in HTML.
var endOfParagraph = strings.NewReplacer("</p>", "<br>", "</li>", "<br>", "</h1>", "<br>", "</h2>", "<br>",
	"</h3>", "<br>", "</h4>", "<br>", "</h5>", "<br>", "</h6>", "<br>", "</pre>", "<br>")

// Paragraphs returns the block as plain text.
func (b articleBlock) Paragraphs() []string {
	if b.HTML == nil {
		return nil
	}
	return web.Paragraphs(endOfParagraph.Replace(*b.HTML))
}

// articleList is a page of the articles.
type articleList struct {
	PageInfo pageInfo
	Nodes    []article
}

func showNews(c *renderContext) *graph.Error {
	var data struct{ Articles articleList }
	if bad := c.read(&data); bad != nil {
		return bad
	}
	c.Narrow = true
	return c.show("News", "News of the game: pinned articles first, then the newest.", data.Articles)
}

func showArticle(c *renderContext) *graph.Error {
	var data struct{ Article *article }
	if bad := c.read(&data); bad != nil {
		return bad
	}
	a := data.Article
	if a == nil {
		return graph.ErrNotFound
	}
	c.setCanonical(a.Path())
	c.Narrow = true
	c.Kind, c.PublishedAt = "article", &a.PublishedAt
	return c.show(a.Title, cmp.Or(a.Recap, a.Title), a)
}
