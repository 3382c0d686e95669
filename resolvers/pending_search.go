package resolvers

import (
	"context"

	"gamedata/graph"
	"gamedata/graph/model"
)

func (query) Articles(context.Context, string, int) (*model.ArticlePage, error) {
	return nil, graph.ErrInternal
}
func (query) Article(context.Context, string, string) (*model.Article, error) {
	return nil, graph.ErrInternal
}
func (query) Videos(context.Context) ([]*model.Video, error)         { return nil, graph.ErrInternal }
func (query) LatestNews(context.Context) ([]*model.NewsEntry, error) { return nil, graph.ErrInternal }
func (articleHead) HasContent(context.Context, *model.Article) (bool, error) {
	return false, graph.ErrInternal
}
func (articleHead) Article(context.Context, *model.Article) (*model.Article, error) {
	return nil, graph.ErrInternal
}
func (articleBlock) HTML(context.Context, *model.ArticleBlock) (*string, error) {
	return nil, graph.ErrInternal
}
func (newsEntry) HTML(context.Context, *model.NewsEntry) (string, error) {
	return "", graph.ErrInternal
}
