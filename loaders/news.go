package loaders

import (
	"cmp"
	"context"
	"slices"

	"gamedata/graph/model"
)

// Articles has all articles.
type Articles struct {
	// All are the articles as lists show them: pinned first, then the newest by publishedAt,
	// then the highest number, including invisible ones.
	All      []*model.Article
	ByNumber map[int]*model.Article
}

func newArticles(all []*model.Article) *Articles {
	slices.SortFunc(all, listedBefore)
	return &Articles{all, index(all, func(a *model.Article) int { return a.Pk })}
}

func listedBefore(a, b *model.Article) int {
	if a.Pinned != b.Pinned {
		if a.Pinned {
			return -1
		}
		return 1
	}
	return cmp.Or(b.PublishedAt.Compare(a.PublishedAt), cmp.Compare(b.Pk, a.Pk))
}

// Articles returns all articles.
func (set *Set) Articles(ctx context.Context) (*Articles, error) {
	return current(ctx, set, set.source.content.articles)
}

// Videos returns all videos by display position.
func (set *Set) Videos(ctx context.Context) ([]*model.Video, error) {
	return current(ctx, set, set.source.content.videos)
}

// LatestNews returns the news of the old forum, newest first.
func (set *Set) LatestNews(ctx context.Context) ([]*model.NewsEntry, error) {
	return current(ctx, set, set.source.content.news)
}
