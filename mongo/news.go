package mongo

import (
	"context"
	"slices"

	"gamedata/graph/model"
)

// Articles reads all articles by number, those that are not visible included.
func (s *Store) Articles(ctx context.Context) ([]*model.Article, error) {
	return readContent[model.Article](ctx, s, Articles)
}

// PutArticles replaces articles by number, or adds them.
func (s *Store) PutArticles(ctx context.Context, list []*model.Article) error {
	return putContent(ctx, s, Articles, list, func(a *model.Article) int { return a.Pk })
}

// Videos reads all videos by display position.
func (s *Store) Videos(ctx context.Context) ([]*model.Video, error) {
	return readList[model.Video](ctx, s, Videos)
}

// PutVideos replaces all videos; it sorts them by display position.
func (s *Store) PutVideos(ctx context.Context, all []*model.Video) error {
	all = slices.SortedFunc(slices.Values(all), func(a, b *model.Video) int { return a.Position - b.Position })
	return putList(ctx, s, Videos, all)
}

// LatestNews reads the news of the old forum, newest first.
func (s *Store) LatestNews(ctx context.Context) ([]*model.NewsEntry, error) {
	return readList[model.NewsEntry](ctx, s, LatestNews)
}

// PutLatestNews replaces the news of the old forum, newest first.
func (s *Store) PutLatestNews(ctx context.Context, all []*model.NewsEntry) error {
	return putList(ctx, s, LatestNews, all)
}
