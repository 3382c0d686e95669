package resolvers_test

import (
	"strings"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

type block struct {
	Type, Text string
	HTML       *string
}

// Pages get sanitised HTML of text blocks and of the old news, and counts that are not public
// by no way.
func TestNewsForPages(t *testing.T) {
	w := newWorld(t, 10)
	text := &model.Article{
		Number: 44, Type: "blog", Title: "Times", Published: true, Visible: true, StartsAt: now.Add(-time.Hour),
		Content: []*model.ArticleBlock{
			{Type: "text", Text: new("The **roads**.")}, {Type: "image", Text: new("board.png")},
		},
	}
	mongotest.Must(t, mongo.Articles.Put(t.Context(), w.store, []*model.Article{text}))
	var got struct {
		Article  struct{ Content []block }
		Articles struct {
			Nodes []struct {
				Type       label
				HasContent bool
				Content    []block
				Poll       *struct {
					Public bool
					Votes  *struct{ Total int }
				}
			}
		}
		LatestNews struct {
			Nodes []struct{ Title, Content, HTML string }
		}
		Videos struct{ Nodes []struct{ Position int } }
	}
	n := w.least(t, 0, `{
		article(by:{number:44},typeLabel:"blog"){content{type text html}}
		articles{nodes{type{key} hasContent content{type text html} poll{public votes{total}}}}
		latestNews{nodes{title content html}}
		videos{nodes{position}}
	}`, nil, &got)
	if n != 0 {
		t.Errorf("news took %d commands, want none", n)
	}
	if c := got.Article.Content; !strings.Contains(*c[0].HTML, "<strong>roads</strong>") || c[1].HTML != nil {
		t.Errorf("got %+v, want HTML of the text and none of the picture", c)
	}
	polls := map[bool]int{}
	for _, a := range got.Articles.Nodes {
		if a.HasContent != (len(a.Content) > 0) {
			t.Errorf("hasContent is %v for %d blocks", a.HasContent, len(a.Content))
		}
		if p := a.Poll; p != nil {
			polls[p.Public]++
			if p.Public != (p.Votes != nil) {
				t.Errorf("public %v, votes %v", p.Public, p.Votes)
			}
		}
	}
	if polls[true] == 0 || polls[false] == 0 {
		t.Errorf("polls seen: %v", polls)
	}
	for _, n := range got.LatestNews.Nodes {
		if strings.Contains(n.HTML, "script") || strings.Contains(n.HTML, "onload") || strings.Contains(n.HTML, "style") {
			t.Errorf("%s: %s", n.Title, n.HTML)
		}
	}
	if len(got.LatestNews.Nodes) != 6 || len(got.Videos.Nodes) != 5 {
		t.Errorf("%d news, %d videos", len(got.LatestNews.Nodes), len(got.Videos.Nodes))
	}
}
