package loaders

import (
	"cmp"
	"context"
	"slices"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// Articles has all articles.
type Articles struct {
	// All are the articles as lists show them: pinned first, then the newest by publishedAt,
	// then the highest number, including invisible ones.
	All []*model.Article

	byNumber map[int]*model.Article
}

// Numbered returns the article with that number, or nil.
func (a *Articles) Numbered(pk int) *model.Article { return a.byNumber[pk] }

func readArticles(store *mongo.Store) func(context.Context) (*Articles, error) {
	return func(ctx context.Context) (*Articles, error) {
		all, err := mongo.Articles.Read(ctx, store)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(all, listedBefore)
		out := &Articles{All: all, byNumber: make(map[int]*model.Article, len(all))}
		for _, a := range all {
			out.byNumber[a.Pk] = a
		}
		return out, nil
	}
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
	return current(ctx, set, &set.source.content.articles)
}

// Videos returns all videos by display position.
func (set *Set) Videos(ctx context.Context) ([]*model.Video, error) {
	return current(ctx, set, &set.source.content.videos)
}

// LatestNews returns the news of the old forum, newest first.
func (set *Set) LatestNews(ctx context.Context) ([]*model.NewsEntry, error) {
	return current(ctx, set, &set.source.content.news)
}
