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

// searches lists the search of each category. Each fills its own lists of the result, so they run concurrently.
var searches = []struct {
	category model.SearchCategory
	field    string // of the result
	find     func(ctx context.Context, text string, selected []graphql.CollectedField, to *model.SearchResult) error
}{
	{model.SearchCategoryPlayer, "players", findPlayers},
	{model.SearchCategoryGuild, "guilds", findGuilds},
	{model.SearchCategoryItem, "items", findItems},
	{model.SearchCategoryTerritory, "territories", findTerritories},
	{model.SearchCategoryDiscovery, "discoveries", findDiscoveries},
}

// Search runs the searches whose fields the operation selects, and all of them if it selects the number of hits.
func (queryResolver) Search(ctx context.Context, text string, categories []model.SearchCategory) (
	*model.SearchResult, error,
) {
	folded, ok := searchText(text)
	// U+FFFD replaces bytes that are not UTF-8; no name contains it.
	if !ok || folded == "" || strings.ContainsRune(text, utf8.RuneError) {
		return nil, graph.ErrMalformedSearch
	}
	selected := map[string][]graphql.CollectedField{}
	for _, f := range graphql.CollectFieldsCtx(ctx, []string{"SearchResult"}) {
		selected[f.Name] = append(selected[f.Name], f)
	}
	counted := selected["isEmpty"] != nil || selected["totalCount"] != nil
	out := &model.SearchResult{Query: text}
	group, ctx := errgroup.WithContext(ctx)
	for _, s := range searches {
		wanted := len(categories) == 0 || slices.Contains(categories, s.category)
		if fields := selected[s.field]; wanted && (counted || fields != nil) {
			group.Go(func() error { return s.find(ctx, folded, fields, out) })
		}
	}
	if err := group.Wait(); err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	return out, nil
}

// findPlayers searches by uuid or name. Both are public.
func findPlayers(ctx context.Context, text string, selected []graphql.CollectedField, to *model.SearchResult) (
	err error,
) {
	uuid, ok := model.ParseUUID(text)
	if !ok {
		to.Brief = selectsOnly(ctx, selected, "Player", briefPlayer)
		to.Players, err = loaders.From(ctx).PlayersNamed(ctx, text, mostPlayers, to.Brief)
		return err
	}
	p, err := loaders.From(ctx).PlayerByUUID.Load(ctx, uuid)()
	if p != nil {
		to.Players = []*model.Player{p}
	}
	return err
}

func (r searchResultResolver) Players(ctx context.Context, found *model.SearchResult, page model.PageArgs) (
	*model.PlayerConnection, error,
) {
	players, err := connect(found.Players, page, r.PageSize, func(p *model.Player) string { return p.UUID })
	if err != nil || found.Brief {
		return players, err
	}
	players.Items, err = visiblePlayers(ctx, players.Items)
	return players, err
}

func findGuilds(ctx context.Context, text string, selected []graphql.CollectedField, to *model.SearchResult) error {
	if uuid, ok := model.ParseUUID(text); ok {
		g, err := loaders.From(ctx).GuildByUUID.Load(ctx, uuid)()
		if g != nil {
			to.Guilds = []*model.Guild{g}
		}
		return err
	}
	brief := selectsOnly(ctx, selected, "Guild", briefGuild)
	var named, tagged []*model.Guild
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		named, err = loaders.From(ctx).GuildsNamed(ctx, text, mostGuilds, brief)
		return err
	})
	group.Go(func() (err error) {
		tagged, err = loaders.From(ctx).GuildsTagged(ctx, text, mostGuilds, brief)
		return err
	})
	err := group.Wait()
	to.Guilds = slices.Clone(named) // then those found by tag alone
	for _, g := range tagged {
		if len(to.Guilds) < mostGuilds &&
			!slices.ContainsFunc(named, func(n *model.Guild) bool { return n.UUID == g.UUID }) {
			to.Guilds = append(to.Guilds, g)
		}
	}
	return err
}

func (r searchResultResolver) Guilds(_ context.Context, found *model.SearchResult, page model.PageArgs) (
	*model.SearchGuildConnection, error,
) {
	guilds, err := connect(found.Guilds, page, r.PageSize, func(g *model.Guild) string { return g.UUID })
	if err != nil {
		return nil, err
	}
	text, _ := searchText(found.Query)
	tagged := func(g *model.Guild) bool { return strings.HasPrefix(mongo.Fold(g.Prefix), text) }
	out := &model.SearchGuildConnection{Connection: *guilds, ByPrefix: only(guilds.Items, tagged)}
	out.ByName = only(guilds.Items, func(g *model.Guild) bool {
		return strings.HasPrefix(mongo.Fold(g.Name), text) || !tagged(g) // by uuid
	})
	slices.SortStableFunc(out.ByPrefix, func(a, b *model.Guild) int {
		return cmp.Or(strings.Compare(mongo.Fold(a.Prefix), mongo.Fold(b.Prefix)),
			strings.Compare(mongo.Fold(a.Name), mongo.Fold(b.Name)))
	})
	return out, nil
}

func findItems(ctx context.Context, text string, _ []graphql.CollectedField, to *model.SearchResult) error {
	items, err := loaders.From(ctx).Items.Load(ctx)
	if err == nil {
		to.Items = itemsNamed(items, text)
	}
	return err
}

func (r searchResultResolver) Items(_ context.Context, found *model.SearchResult, page model.PageArgs) (
	*model.ItemConnection, error,
) {
	return connect(found.Items, page, r.PageSize, internalName)
}

func findTerritories(ctx context.Context, text string, _ []graphql.CollectedField, to *model.SearchResult) error {
	territories, err := loaders.From(ctx).Territories(ctx)
	if err == nil {
		to.Territories = containing(territories.All, territories.Names, text)
	}
	return err
}

func (r searchResultResolver) Territories(ctx context.Context, found *model.SearchResult, page model.PageArgs) (
	*model.TerritoryConnection, error,
) {
	all, err := territories(ctx)
	if err != nil {
		return nil, err
	}
	return r.territoryPage(all, found.Territories, nil, page)
}

func findDiscoveries(ctx context.Context, text string, _ []graphql.CollectedField, to *model.SearchResult) error {
	discoveries, err := loaders.From(ctx).Discoveries.Load(ctx)
	if err == nil {
		to.Discoveries = containing(discoveries.All, discoveries.Names, text)
	}
	return err
}

func (r searchResultResolver) Discoveries(_ context.Context, found *model.SearchResult, page model.PageArgs) (
	*model.DiscoveryConnection, error,
) {
	return connect(found.Discoveries, page, r.PageSize, func(d *model.Discovery) string { return d.Name })
}

func (*root) discovery(ctx context.Context, name string) (*model.Discovery, error) {
	return fromContent(ctx, loaders.From(ctx).Discoveries, func(all *loaders.Discoveries) *model.Discovery {
		return firstOf(all.All, func(d *model.Discovery) bool { return d.Name == name })
	})
}

// containing returns the entries whose folded name contains the string: exact matches first, the rest in list order.
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
