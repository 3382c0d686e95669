package resolvers

import (
	"context"
	"strconv"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
)

// everyType selects all types of articles; no article has it as its type.
const everyType = "article"

func (q queryResolver) Articles(ctx context.Context, kind string, page int) (*model.ArticlePage, error) {
	articles, err := loaders.From(ctx).Articles(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	now := q.now()
	visible := []*model.Article{}
	for _, a := range articles.All {
		if isPublished(a, kind, now) {
			visible = append(visible, hidingVotes(a))
		}
	}
	info, results, err := pageOf(visible, page, q.pageSize, false)
	if err != nil {
		return nil, err
	}
	return &model.ArticlePage{Controller: info, Results: results}, nil
}

func (q queryResolver) Article(ctx context.Context, kind, pk string) (*model.Article, error) {
	number, err := strconv.Atoi(pk)
	if err != nil || strconv.Itoa(number) != pk {
		return nil, graph.ErrNotFound
	}
	articles, err := loaders.From(ctx).Articles(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	a := articles.ByNumber[number]
	if a == nil || !isPublished(a, kind, q.now()) {
		return nil, graph.ErrNotFound
	}
	return hidingVotes(a), nil
}

// isPublished reports whether an article has the requested type and is visible: published, switched
// visible and begun. An end date does not hide it.
func isPublished(a *model.Article, kind string, now time.Time) bool {
	return (kind == everyType || kind == a.Type) && a.Published && a.Visible && a.StartDate.Before(now)
}

// hidingVotes returns the article without counts that are not public.
func hidingVotes(a *model.Article) *model.Article {
	if a.Poll == nil || a.Poll.Public || a.Poll.Votes == nil {
		return a
	}
	out, poll := *a, *a.Poll
	poll.Votes, out.Poll = nil, &poll
	return &out
}

func (articleHeadResolver) HasContent(_ context.Context, a *model.Article) (bool, error) {
	return len(a.Content) > 0, nil
}

// Article is the head's own record: counts were hidden when the list was made.
func (articleHeadResolver) Article(_ context.Context, a *model.Article) (*model.Article, error) {
	return a, nil
}

func (queryResolver) Videos(ctx context.Context) ([]*model.Video, error) {
	return stored(loaders.From(ctx).Videos(ctx))
}

func (queryResolver) LatestNews(ctx context.Context) ([]*model.NewsEntry, error) {
	return stored(loaders.From(ctx).LatestNews(ctx))
}

func (articleBlockResolver) HTML(_ context.Context, b *model.ArticleBlock) (*string, error) {
	if b.Type != "text" || b.Text == nil {
		return nil, nil
	}
	html := markdownHTML(*b.Text)
	return &html, nil
}

func (newsEntryResolver) HTML(_ context.Context, n *model.NewsEntry) (string, error) {
	return safeHTML(n.Content), nil
}
