package resolvers

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
	"gamedata/mongo"
)

// maxGuilds limits the uuids in a filter; maxWhole limits a page that loads whole records.
const maxGuilds, maxWhole = 100, 1000

// guildNumbers adds to a guild the numbers that its record does not store.
type guildNumbers struct {
	*model.Guild

	counts map[model.GuildOrderField]int
}

// guildOrders is the table of the orders of guilds.
var guildOrders = listOrders[*guildNumbers, model.GuildOrderField]{
	model.GuildOrderFieldName:        {string(mongo.GuildName), func(g *guildNumbers) any { return g.Name }},
	model.GuildOrderFieldLevel:       {string(mongo.GuildLevel), func(g *guildNumbers) any { return g.Level }},
	model.GuildOrderFieldWars:        {string(mongo.GuildWars), func(g *guildNumbers) any { return valueOf(g.Wars) }},
	model.GuildOrderFieldCreatedAt:   {string(mongo.GuildCreated), func(g *guildNumbers) any { return g.CreatedAt }},
	model.GuildOrderFieldUpdatedAt:   {string(mongo.GuildUpdated), func(g *guildNumbers) any { return g.Updated }},
	model.GuildOrderFieldTerritories: {"", countOf(model.GuildOrderFieldTerritories)},
	model.GuildOrderFieldMembers:     {"", countOf(model.GuildOrderFieldMembers)},
}

func countOf(field model.GuildOrderField) value[*guildNumbers] {
	return func(g *guildNumbers) any { return g.counts[field] }
}

// guildFilters is the table of the filters of guilds that an index serves.
func guildFilters(f *model.GuildFilter) []listFilter[model.GuildOrderField] {
	return given([]listFilter[model.GuildOrderField]{
		{"namePrefix", f.NamePrefix != nil, model.GuildOrderFieldName, mongo.Range{}},
		{"prefix", f.Prefix != nil, model.GuildOrderFieldName, mongo.Range{}},
		{"level", f.Level != nil, model.GuildOrderFieldLevel, limits(widened(f.Level), nil)},
		{"wars", f.Wars != nil, model.GuildOrderFieldWars, limits(f.Wars, nil)},
		{"createdAt", f.CreatedAt != nil, model.GuildOrderFieldCreatedAt, limits(nil, f.CreatedAt)},
		{"changedSince", f.ChangedSince != nil, model.GuildOrderFieldUpdatedAt, mongo.Range{From: f.ChangedSince}},
		{"territories", f.Territories != nil, model.GuildOrderFieldTerritories, limits(widened(f.Territories), nil)},
		{"members", f.Members != nil, model.GuildOrderFieldMembers, limits(widened(f.Members), nil)},
	})
}

func (q queryResolver) Guilds(
	ctx context.Context, page model.PageArgs, filter *model.GuildFilter, orderBy *model.GuildOrder,
) (*model.GuildConnection, error) {
	if filter == nil {
		filter = &model.GuildFilter{}
	}
	if filter.Uuids != nil || filter.Names != nil {
		return q.chosenGuilds(ctx, filter, orderBy, page)
	}
	order, within, err := indexedGuilds(guildFilters(filter), orderBy)
	if err != nil {
		return nil, err
	}
	brief := order.Field == model.GuildOrderFieldName && onlyFields(nodeFields(ctx, "Guild"), briefGuild)
	if n := cmp.Or(page.First, page.Last); n != nil && *n > maxWhole && !brief {
		return nil, graph.Errorf(graph.InvalidQueryParams,
			"first and last must be 0 to %d, unless only names are selected in the order NAME.", maxWhole)
	}
	if guildOrders[order.Field].stored == "" {
		numbers, err := guildCounts(ctx, order.Field)
		if err != nil {
			return nil, err
		}
		return q.countedGuilds(ctx, numbers, within, order, page)
	}
	list := mongo.GuildList{
		Field:      mongo.GuildField(guildOrders[order.Field].stored),
		Descending: order.Direction == model.OrderDirectionDesc,
		NamePrefix: filter.NamePrefix, Prefix: filter.Prefix, Range: within,
	}
	set := loaders.From(ctx)
	return connectStored(ctx, page, q.PageSize, storedList[*model.Guild]{
		order: list.Order(),
		page: func(ctx context.Context, query mongo.PageQuery) ([]*model.Guild, bool, error) {
			return set.GuildPage(ctx, list, query, brief)
		},
		count:    exact(func(ctx context.Context) (int, error) { return set.CountGuilds(ctx, list) }),
		position: list.Position,
	})
}

// indexedGuilds returns the order of a list without uuids and the range of its values. It fails if no index serves it
// with the filters. An index serves both filters in the order of names.
func indexedGuilds(filters []listFilter[model.GuildOrderField], orderBy *model.GuildOrder) (
	order model.GuildOrder, within mongo.Range, err error,
) {
	order = model.GuildOrder{Field: model.GuildOrderFieldName, Direction: model.OrderDirectionAsc}
	for _, f := range filters {
		if f.order != filters[0].order {
			return order, within, graph.Errorf(graph.InvalidQueryParams,
				"The filters %s and %s can be combined only with uuids.", filters[0].name, f.name)
		}
		if orderBy != nil && orderBy.Field != f.order {
			return order, within, graph.Errorf(graph.InvalidQueryParams,
				"The filter %s needs the order %s; others can be combined with it only with uuids.", f.name, f.order)
		}
		order.Field, within = f.order, f.within
		if f.order != model.GuildOrderFieldName && f.order != model.GuildOrderFieldUpdatedAt {
			order.Direction = model.OrderDirectionDesc
		}
	}
	if orderBy != nil {
		order = *orderBy
	}
	return order, within, nil
}

// guildCounts returns the number of territories or members of every guild that has any.
func guildCounts(ctx context.Context, by model.GuildOrderField) (map[string]int, error) {
	if by == model.GuildOrderFieldMembers {
		return publicError(loaders.From(ctx).MemberCounts(ctx))
	}
	all, err := territories(ctx)
	counts := make(map[string]int, len(all.ByGuild))
	for uuid, held := range all.ByGuild {
		counts[uuid] = len(held)
	}
	return counts, err
}

// chosenGuilds returns guilds by uuid or name. There are few, so it filters and orders them in memory.
func (q queryResolver) chosenGuilds(ctx context.Context, filter *model.GuildFilter, orderBy *model.GuildOrder,
	page model.PageArgs,
) (*model.GuildConnection, error) {
	if len(filter.Uuids) > maxGuilds {
		return nil, graph.Errorf(graph.InvalidQueryParams, "uuids must hold at most %d uuids.", maxGuilds)
	}
	if len(filter.Names) > maxGuilds {
		return nil, graph.Errorf(graph.InvalidQueryParams, "names must hold at most %d names.", maxGuilds)
	}
	if orderBy == nil {
		orderBy = &model.GuildOrder{Field: model.GuildOrderFieldName, Direction: model.OrderDirectionAsc}
	}
	names, namePrefix, prefix := foldedSet(filter.Names), foldedText(filter.NamePrefix), foldedText(filter.Prefix)
	load, keys := loaders.From(ctx).GuildByUUID, slices.Compact(slices.Sorted(slices.Values(filter.Uuids)))
	if filter.Uuids == nil {
		load, keys = loaders.From(ctx).GuildByName, names
	}
	records, err := publicError(loaders.Many(ctx, load, keys))
	if err != nil {
		return nil, err
	}
	graph.NoteMissing(ctx, slices.Contains(records, nil))
	list := each(only(records, func(g *model.Guild) bool { return g != nil }),
		func(g *model.Guild) *guildNumbers { return &guildNumbers{g, map[model.GuildOrderField]int{}} })
	filters := guildFilters(filter)
	for field, order := range guildOrders {
		uses := func(f listFilter[model.GuildOrderField]) bool { return f.order == field }
		if order.stored != "" || orderBy.Field != field && !slices.ContainsFunc(filters, uses) {
			continue
		}
		counts, err := guildCounts(ctx, field)
		if err != nil {
			return nil, err
		}
		for _, g := range list {
			g.counts[field] = counts[g.UUID]
		}
	}
	list = only(list, func(g *guildNumbers) bool {
		return (names == nil || slices.Contains(names, g.NameFold)) &&
			(namePrefix == nil || strings.HasPrefix(g.NameFold, *namePrefix)) &&
			(prefix == nil || g.PrefixFold == *prefix) && guildOrders.match(filters, orderBy.Field, g)
	})
	list = sorted(list, func(g *guildNumbers) any { return g.UUID }, orderBy.Direction)
	list = sorted(list, guildOrders[orderBy.Field].value, orderBy.Direction)
	guilds := each(list, func(g *guildNumbers) *model.Guild { return g.Guild })
	return connect(guilds, page, q.PageSize, func(g *model.Guild) string { return g.UUID })
}

// countedGuilds orders guilds by a number in memory and loads only the guilds of the page.
func (q queryResolver) countedGuilds(ctx context.Context, numbers map[string]int, within mongo.Range,
	order model.GuildOrder, page model.PageArgs,
) (*model.GuildConnection, error) {
	uuids := make([]string, 0, len(numbers))
	for uuid, n := range numbers {
		if inLimits(within, n) {
			uuids = append(uuids, uuid)
		}
	}
	slices.SortFunc(uuids, func(a, b string) int {
		if order.Direction == model.OrderDirectionDesc {
			a, b = b, a
		}
		return cmp.Or(cmp.Compare(numbers[a], numbers[b]), strings.Compare(a, b))
	})
	shown, err := connect(uuids, page, q.PageSize, func(uuid string) string { return uuid })
	if err != nil {
		return nil, err
	}
	records, err := publicError(loaders.Many(ctx, loaders.From(ctx).GuildByUUID, shown.Items))
	if err != nil {
		return nil, err
	}
	out := converted(shown, func(string) *model.Guild { return nil })
	out.Items = []*model.Guild{}
	var places []int // of the guilds that were found
	for i, g := range records {
		if g != nil {
			out.Items, places = append(out.Items, g), append(places, i)
		}
	}
	out.Cursor = func(i int) string { return shown.Cursor(places[i]) }
	return out, nil
}
