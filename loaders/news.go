package loaders

import (
	"cmp"
	"slices"

	"gamedata/graph/model"
)

// Articles holds all articles.
type Articles struct {
	// All holds the articles in list order, including invisible ones: pinned first, then the newest by publishedAt,
	// then the highest number.
	All      []*model.Article
	ByNumber map[int]*model.Article
}

func newArticles(all []*model.Article) *Articles {
	slices.SortFunc(all, listedBefore)
	return &Articles{all, index(all, func(a *model.Article) int { return a.Number })}
}

func listedBefore(a, b *model.Article) int {
	if a.Pinned != b.Pinned {
		if a.Pinned {
			return -1
		}
		return 1
	}
	return cmp.Or(b.PublishedAt.Compare(a.PublishedAt), cmp.Compare(b.Number, a.Number))
}
