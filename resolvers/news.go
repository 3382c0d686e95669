package resolvers

import (
	"context"
	"slices"
	"strconv"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
)

func (q queryResolver) Articles(ctx context.Context, page model.PageArgs, filter *model.ArticleFilter) (
	*model.ArticleConnection, error,
) {
	articles, err := loaders.From(ctx).Articles.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	now := q.Now()
	visible := []*model.Article{}
	for _, a := range articles.All {
		if isPublished(a, now) && matchesArticle(a, filter) {
			visible = append(visible, hidingVotes(a))
		}
	}
	return connect(visible, page, q.PageSize, (*model.Article).ID)
}

func matchesArticle(a *model.Article, f *model.ArticleFilter) bool {
	return f == nil || (len(f.Types) == 0 || slices.Contains(f.Types, model.Enums["ArticleType"].Value(string(a.Type)))) &&
		(f.TypeLabel == nil || *f.TypeLabel == string(a.Type))
}

func (q queryResolver) Article(ctx context.Context, by model.ArticleBy, typeLabel *string) (*model.Article, error) {
	a, err := q.article(ctx, *by.Number)
	if a == nil || typeLabel != nil && string(a.Type) != *typeLabel {
		return nil, err
	}
	return a, nil
}

func (r *root) article(ctx context.Context, number int) (*model.Article, error) {
	articles, err := loaders.From(ctx).Articles.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	a := articles.ByKey[number]
	if a == nil || !isPublished(a, r.Now()) {
		return nil, nil
	}
	return hidingVotes(a), nil
}

// isPublished reports whether an article is published, set to visible, and past its start date. An end date does not
// hide it.
func isPublished(a *model.Article, now time.Time) bool {
	return a.Published && a.Visible && a.StartsAt.Before(now)
}

// hidingVotes returns the article without vote counts that are not public.
func hidingVotes(a *model.Article) *model.Article {
	if a.Poll == nil || a.Poll.Public || a.Poll.Votes == nil {
		return a
	}
	out, poll := *a, *a.Poll
	poll.Votes, out.Poll = nil, &poll
	return &out
}

func (articleResolver) HasContent(_ context.Context, a *model.Article) (bool, error) {
	return len(a.Content) > 0, nil
}

func (q queryResolver) Videos(ctx context.Context, page model.PageArgs) (*model.VideoConnection, error) {
	videos, err := publicError(loaders.From(ctx).Videos.Load(ctx))
	if err != nil {
		return nil, err
	}
	return connect(videos, page, q.PageSize, func(v *model.Video) string {
		return strconv.Itoa(v.Position)
	})
}

func (*root) video(ctx context.Context, uri string) (*model.Video, error) {
	all, err := publicError(loaders.From(ctx).Videos.Load(ctx))
	return firstOf(all, func(v *model.Video) bool { return v.URI == uri }), err
}

func (q queryResolver) LatestNews(ctx context.Context, page model.PageArgs) (*model.NewsEntryConnection, error) {
	news, err := publicError(loaders.From(ctx).LatestNews.Load(ctx))
	if err != nil {
		return nil, err
	}
	return connect(news, page, q.PageSize, func(n *model.NewsEntry) string {
		return n.ForumThread
	})
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
