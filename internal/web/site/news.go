package site

import (
	"cmp"
	"strconv"
	"strings"

	"gamedata/internal/web"
)

// newsPath is the page of all articles; each has its page below.
const newsPath = "/news"

// Path returns the path of the article's page.
func (a ArticleRow) Path() string { return articlePath(a.Number) }

func articlePath(number int64) string { return newsPath + "/" + strconv.FormatInt(number, 10) }

func (a ArticleRow) row() ArticleRow { return a }

// HasRecap reports whether the short text says more than the title.
func (a ArticleRow) HasRecap() bool {
	return a.Recap != "" && strings.TrimSuffix(a.Recap, ".") != a.Title
}

func newer(a, b ArticleRow) int {
	return cmp.Or(b.PublishedAt.Compare(a.PublishedAt), cmp.Compare(b.Number, a.Number))
}

// endOfParagraph turns the ends of HTML blocks into line breaks.
var endOfParagraph = strings.NewReplacer("</p>", "<br>", "</li>", "<br>", "</h1>", "<br>", "</h2>", "<br>",
	"</h3>", "<br>", "</h4>", "<br>", "</h5>", "<br>", "</h6>", "<br>", "</pre>", "<br>")

// Paragraphs returns the block as plain text.
func (b ArticleBlock) Paragraphs() []string {
	if b.HTML == nil {
		return nil
	}
	return web.Paragraphs(endOfParagraph.Replace(*b.HTML))
}

func showNews(c *renderContext, data *NewsPage) *errorPage {
	c.Narrow = true
	return c.show("News", "News of the game: pinned articles first, then the newest.", data.Articles)
}

type articleBody struct {
	*ArticlePage
	Ended bool // at the time of EndsAt
}

func showArticle(c *renderContext, data *ArticlePage) *errorPage {
	a := data.Article
	c.setCanonical(a.Path())
	c.Narrow = true
	c.Kind, c.PublishedAt = "article", &a.PublishedAt
	return c.show(a.Title, cmp.Or(a.Recap, a.Title),
		&articleBody{data, a.EndsAt != nil && a.EndsAt.Before(c.site.o.Now())})
}

// Votes returns the answers of a question with their votes, in the order of the question; nil if the counts are not
// public.
func (data *ArticlePage) Votes(b ArticleBlock) (out []meter) {
	poll := data.Article.Poll
	if poll == nil || poll.Votes == nil {
		return nil
	}
	counts, total := map[string]int64{}, int64(0)
	for _, q := range poll.Votes.Questions {
		for _, a := range q.Answers {
			if q.Block == b.ID {
				counts[a.Answer], total = a.Count, total+a.Count
			}
		}
	}
	for _, a := range b.Question.Answers {
		votes := counts[a.ID]
		out = append(out, meter{Name: a.Text, Count: int(votes), Bar: percent(float64(votes), float64(total))})
	}
	return out
}
