package importer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// readItemMetadata reads the lookup numbers; the other metadata is derived from the items.
func readItemMetadata(m *model.ItemMetadata, _ variables) (*Import, error) {
	entries := m.Static
	for _, g := range m.Groups {
		entries = append(entries, g.Entries...)
	}
	numbers, keys := map[string]int{}, map[int]string{}
	for _, e := range entries {
		if n, ok := numbers[e.Key]; ok && n != e.Number {
			return nil, fmt.Errorf("the key %q has two numbers", e.Key)
		}
		if k, ok := keys[e.Number]; ok && k != e.Key {
			return nil, fmt.Errorf("the keys %q and %q share a number", k, e.Key)
		}
		numbers[e.Key], keys[e.Number] = e.Number, e.Key
	}
	return &Import{Records: len(numbers), apply: func(ctx context.Context, store *mongo.Store) error {
		return store.Content.PutLookupNumbers(ctx, numbers)
	}}, nil
}

// requestedClass returns the class in the recorded request.
func requestedClass(vars variables) (string, error) {
	class, _ := vars["tree"].(string)
	if class == "" {
		return "", errors.New("the body does not name its class: give --var tree=archer or another class")
	}
	id := strings.ToLower(class)
	if !slices.Contains(model.ClassIDs, id) {
		return "", fmt.Errorf("unknown tree %q; trees are %s", class, strings.Join(model.ClassIDs, ", "))
	}
	return id, nil
}

func readAbilityTree(t *model.AbilityTree, vars variables) (_ *Import, err error) {
	if t.Key, err = requestedClass(vars); err != nil {
		return nil, err
	}
	return records(mongo.AbilityTrees, []*model.AbilityTree{t})
}

func readAbilityMap(pages *[]*model.AbilityMapPage, vars variables) (*Import, error) {
	class, err := requestedClass(vars)
	if err != nil {
		return nil, err
	}
	i, err := records(mongo.AbilityMaps, []*model.AbilityMap{{Tree: class, Pages: *pages}})
	if err != nil {
		return nil, err
	}
	i.Note = func(ctx context.Context, store *mongo.Store) (string, error) {
		trees, err := mongo.AbilityTrees.Read(ctx, store)
		if err != nil || slices.ContainsFunc(trees, func(t *model.AbilityTree) bool { return t.Key == class }) {
			return "", err
		}
		return "the ability map of " + class + " is not served until the ability tree of " + class + " is imported", nil
	}
	return i, nil
}

func readAspects(page *nodes[model.Aspect], vars variables) (*Import, error) {
	class, err := requestedClass(vars)
	if err != nil {
		return nil, err
	}
	i, err := records(mongo.Aspects, []*model.AspectList{{Tree: class, Aspects: page.Nodes}})
	i.Records = len(page.Nodes)
	return i, err
}

func readSeasons(body *struct {
	Nodes []*model.GuildSeason `json:"nodes"`
}, _ variables,
) (*Import, error) {
	for _, s := range body.Nodes {
		s.Enabled = true // responses list only enabled seasons
		times := []error{exact("initDate", &s.StartsAt), exact("endDate", s.EndsAt)}
		for _, r := range append(slices.Clone(s.RatingRewardList), s.LeaderboardRewardList...) {
			times = append(times, exact("expires", r.ExpiresAt))
		}
		if err := errors.Join(times...); err != nil {
			return nil, err
		}
	}
	return records(mongo.Seasons, body.Nodes)
}

func readArticle(a *model.Article, _ variables) (*Import, error) {
	if err := errors.Join(exact("start_date", &a.StartsAt), exact("end_date", a.EndsAt),
		exact("published_at", &a.PublishedAt)); err != nil {
		return nil, err
	}
	return whole([]*model.Article{a}, importArticles), nil
}

// importArticles stores articles. Stored votes stay if a recording may hide the votes of its poll.
func importArticles(ctx context.Context, store *mongo.Store, list []*model.Article) error {
	known, err := mongo.Articles.Read(ctx, store)
	if err != nil {
		return err
	}
	for _, a := range list {
		if a.Poll == nil || a.Poll.Public || a.Poll.Votes != nil {
			continue
		}
		for _, old := range known {
			if old.Number == a.Number && old.Poll != nil {
				a.Poll.Votes = old.Poll.Votes
			}
		}
	}
	if err := mongo.Articles.Put(ctx, store, list); err != nil {
		return err
	}
	var c changes
	c.articles(known, list, store.Now())
	return c.record(ctx, store)
}

func readVideos(page *nodes[model.Video], _ variables) (*Import, error) {
	for _, v := range page.Nodes {
		if v.Position < 1 {
			return nil, fmt.Errorf("the display position %d is not 1 or more", v.Position)
		}
	}
	return records(mongo.Videos, page.Nodes)
}
