package mongo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gamedata/graph/model"
)

func readArticle(data json.RawMessage, _ map[string]any) (*Import, error) {
	a, err := decode[model.Article](data)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(exact("start_date", &a.StartDate), exact("end_date", a.EndDate), exact("published_at",
		&a.PublishedAt)); err != nil {
		return nil, err
	}
	return &Import{Records: 1, apply: func(ctx context.Context, s *Store) error { return s.importArticle(ctx, a) }}, nil
}

// importArticle stores a recorded article. A recording that may not show the counts of its
// poll leaves those that the store knows.
func (s *Store) importArticle(ctx context.Context, a *model.Article) error {
	if a.Poll != nil && !a.Poll.Public && a.Poll.Votes == nil {
		known, err := s.Articles(ctx)
		if err != nil {
			return err
		}
		for _, old := range known {
			if old.Pk == a.Pk && old.Poll != nil {
				a.Poll.Votes = old.Poll.Votes
			}
		}
	}
	return s.PutArticles(ctx, []*model.Article{a})
}

func readVideos(data json.RawMessage, _ map[string]any) (*Import, error) {
	list, err := decode[[]*model.Video](data)
	if err != nil {
		return nil, err
	}
	for _, v := range *list {
		if v.Position < 1 {
			return nil, fmt.Errorf("the display position %d is not 1 or more", v.Position)
		}
	}
	return &Import{Records: len(*list), apply: func(ctx context.Context, s *Store) error {
		return s.PutVideos(ctx,
			*list)
	}}, nil
}

func readLatestNews(data json.RawMessage, _ map[string]any) (*Import, error) {
	list, err := decode[[]*model.NewsEntry](data)
	if err != nil {
		return nil, err
	}
	return &Import{Records: len(*list), apply: func(ctx context.Context, s *Store) error {
		return s.PutLatestNews(ctx,
			*list)
	}}, nil
}
