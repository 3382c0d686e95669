package resolvers

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
	"golang.org/x/sync/errgroup"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
	"gamedata/mongo"
)

// The maximum number of hits of a search.
const (
	mostPlayers = 20
	mostGuilds  = 50
)

// searches are the parts of a search by category. They add what they find for a folded text to different
// lists of the result, so they run concurrently.
var searches = []struct {
	category model.SearchCategory
	find     func(ctx context.Context, text string, to *model.SearchResult) error
}{
	{model.SearchCategoryPlayer, findPlayers},
	{model.SearchCategoryGuild, findGuilds},
	{model.SearchCategoryItem, findItems},
	{model.SearchCategoryTerritory, findTerritories},
	{model.SearchCategoryDiscovery, findDiscoveries},
}

func (queryResolver) Search(ctx context.Context, text string, only *model.SearchCategory) (*model.SearchResult, error) {
	folded, ok := searchText(text)
	// U+FFFD replaces bytes that are not UTF-8; no name contains it.
	if !ok || folded == "" || strings.ContainsRune(text, utf8.RuneError) {
		return nil, graph.ErrMalformedSearch
	}
	out := &model.SearchResult{
		Query: text, Players: []*model.PlayerHit{}, Guilds: []*model.Guild{}, GuildsPrefix: []*model.Guild{},
		Items: []*model.Item{}, Territories: []*model.Territory{}, Discoveries: []*model.Discovery{},
	}
	group, ctx := errgroup.WithContext(ctx)
	for _, f := range searches {
		if only == nil || *only == f.category {
			group.Go(func() error { return f.find(ctx, folded, out) })
		}
	}
	if err := group.Wait(); err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	if len(out.Players)+len(out.Guilds)+len(out.GuildsPrefix)+len(out.Items)+len(out.Territories)+
		len(out.Discoveries) == 0 {
		return nil, graph.ErrNotFound
	}
	return out, nil
}

// findPlayers searches by uuid or name. Both are public; a hit shows nothing else.
func findPlayers(ctx context.Context, text string, to *model.SearchResult) (err error) {
	uuid, ok := model.ParseUUID(text)
	if !ok {
		to.Players, err = loaders.From(ctx).PlayersNamed(ctx, text, mostPlayers)
		return err
	}
	p, err := loaders.From(ctx).PlayerByUUID.Load(ctx, uuid)()
	if p != nil {
		to.Players = []*model.PlayerHit{{UUID: p.UUID, Username: p.Username}}
	}
	return err
}

func findGuilds(ctx context.Context, text string, to *model.SearchResult) error {
	if uuid, ok := model.ParseUUID(text); ok {
		g, err := loaders.From(ctx).GuildByUUID.Load(ctx, uuid)()
		if g != nil {
			to.Guilds = []*model.Guild{g}
		}
		return err
	}
	var named, tagged []*model.Guild
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		named, err = loaders.From(ctx).GuildsNamed(ctx, text, mostGuilds)
		return err
	})
	group.Go(func() (err error) {
		tagged, err = loaders.From(ctx).GuildsTagged(ctx, text, mostGuilds)
		return err
	})
	err := group.Wait()
	if err != nil {
		return err
	}
	if to.Guilds, err = wholeGuilds(ctx, "guilds", named); err == nil {
		to.GuildsPrefix, err = wholeGuilds(ctx, "guildsPrefix", taggedBeside(named, tagged, text, mostGuilds))
	}
	return err
}

// wholeGuilds loads the guilds that a search found if the operation selects more of them than it has.
func wholeGuilds(ctx context.Context, field string, found []*model.Guild) ([]*model.Guild, error) {
	operation := graphql.GetOperationContext(ctx)
	for _, f := range graphql.CollectFieldsCtx(ctx, []string{"SearchResult"}) {
		if f.Name == field && !isBrief(graphql.CollectFields(operation, f.Selections, []string{"Guild", "Node"})) {
			whole, err := loaders.Many(ctx, loaders.From(ctx).GuildByUUID,
				each(found, func(g *model.Guild) string { return g.UUID }))
			return only(whole, func(g *model.Guild) bool { return g != nil }), err
		}
	}
	return found, nil
}

// taggedBeside returns the guilds found by prefix, so that they and those found by name are at most
// most. A guild found by both counts once: it is always included.
func taggedBeside(named, tagged []*model.Guild, text string, most int) []*model.Guild {
	left := most - len(named)
	byName := make(map[string]bool, len(named))
	out := []*model.Guild{}
	for _, g := range named {
		byName[g.UUID] = true
		if strings.HasPrefix(mongo.Fold(g.Prefix), text) {
			out = append(out, g)
		}
	}
	for _, g := range tagged {
		if !byName[g.UUID] && left > 0 {
			left--
			out = append(out, g)
		}
	}
	slices.SortStableFunc(out, func(a, b *model.Guild) int {
		return cmp.Or(strings.Compare(mongo.Fold(a.Prefix), mongo.Fold(b.Prefix)),
			strings.Compare(mongo.Fold(a.Name), mongo.Fold(b.Name)))
	})
	return out
}

func findItems(ctx context.Context, text string, to *model.SearchResult) error {
	items, err := loaders.From(ctx).Items(ctx)
	if err == nil {
		to.Items = itemsNamed(items, text)
	}
	return err
}

func findTerritories(ctx context.Context, text string, to *model.SearchResult) error {
	territories, err := loaders.From(ctx).Territories(ctx)
	if err == nil {
		to.Territories = containing(territories.All, territories.Names, text)
	}
	return err
}

func findDiscoveries(ctx context.Context, text string, to *model.SearchResult) error {
	discoveries, err := loaders.From(ctx).Discoveries(ctx)
	if err == nil {
		to.Discoveries = containing(discoveries.All, discoveries.Names, text)
	}
	return err
}

// containing returns the entries whose folded name contains the string: equal names first, the rest in
// the order of the list.
func containing[T any](list []*T, names []string, text string) []*T {
	equal, rest := []*T{}, []*T{}
	for i, name := range names {
		switch {
		case name == text:
			equal = append(equal, list[i])
		case strings.Contains(name, text):
			rest = append(rest, list[i])
		}
	}
	return append(equal, rest...)
}

func (playerHitResolver) Player(ctx context.Context, hit *model.PlayerHit) (*model.Player, error) {
	return playerByUUID(ctx, hit.UUID)
}
