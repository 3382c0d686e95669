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

// guildColumn is a value by which guilds can be ordered.
type guildColumn struct {
	// stored is the field in the store; empty if the value is only in memory.
	stored mongo.GuildField
	value  value[*guildNumbers]
}

// guildNumbers adds to a guild the numbers that its record does not store.
type guildNumbers struct {
	*model.Guild

	territories, members int
}

var guildColumns = map[model.GuildOrderField]guildColumn{
	model.GuildOrderFieldName:        {mongo.GuildName, func(g *guildNumbers) any { return g.Name }},
	model.GuildOrderFieldLevel:       {mongo.GuildLevel, func(g *guildNumbers) any { return g.Level }},
	model.GuildOrderFieldWars:        {mongo.GuildWars, func(g *guildNumbers) any { return valueOf(g.Wars) }},
	model.GuildOrderFieldCreatedAt:   {mongo.GuildCreated, func(g *guildNumbers) any { return g.CreatedAt }},
	model.GuildOrderFieldUpdatedAt:   {mongo.GuildUpdated, func(g *guildNumbers) any { return g.Updated }},
	model.GuildOrderFieldTerritories: {"", func(g *guildNumbers) any { return g.territories }},
	model.GuildOrderFieldMembers:     {"", func(g *guildNumbers) any { return g.members }},
}

func (q queryResolver) Guilds(ctx context.Context, filter *model.GuildFilter, orderBy *model.GuildOrder, first *int,
	after *string, last *int, before *string,
) (*model.GuildConnection, error) {
	args := pageArgs{first, last, after, before, nil}
	if filter == nil {
		filter = &model.GuildFilter{}
	}
	if filter.Uuids != nil || filter.Names != nil {
		return q.chosenGuilds(ctx, filter, orderBy, args)
	}
	order, err := guildOrder(filter, orderBy)
	if err != nil {
		return nil, err
	}
	brief := order.Field == model.GuildOrderFieldName && onlyFields(nodeFields(ctx, "Guild"), briefGuild)
	if n := cmp.Or(first, last); n != nil && *n > maxWhole && !brief {
		return nil, graph.Errorf(graph.InvalidQueryParams,
			"first and last must be 0 to %d, unless only names are selected in the order NAME.", maxWhole)
	}
	switch order.Field {
	case model.GuildOrderFieldTerritories:
		all, err := territories(ctx)
		if err != nil {
			return nil, err
		}
		return q.countedGuilds(ctx, counts(all), filter.Territories, order, args)
	case model.GuildOrderFieldMembers:
		all, err := stored(loaders.From(ctx).MemberCounts(ctx))
		if err != nil {
			return nil, err
		}
		return q.countedGuilds(ctx, all, filter.Members, order, args)
	}
	return q.storedGuilds(ctx, filter, order, args, brief)
}

// guildOrder returns the order of a list without uuids. It fails if no index serves it with the filter.
func guildOrder(filter *model.GuildFilter, orderBy *model.GuildOrder) (model.GuildOrder, error) {
	order := model.GuildOrder{Field: model.GuildOrderFieldName, Direction: model.OrderDirectionAsc}
	used := ""
	for _, f := range []struct {
		name  string
		given bool
		field model.GuildOrderField
	}{
		{"namePrefix", filter.NamePrefix != nil, model.GuildOrderFieldName},
		{"prefix", filter.Prefix != nil, model.GuildOrderFieldName},
		{"level", filter.Level != nil, model.GuildOrderFieldLevel},
		{"wars", filter.Wars != nil, model.GuildOrderFieldWars},
		{"createdAt", filter.CreatedAt != nil, model.GuildOrderFieldCreatedAt},
		{"changedSince", filter.ChangedSince != nil, model.GuildOrderFieldUpdatedAt},
		{"territories", filter.Territories != nil, model.GuildOrderFieldTerritories},
		{"members", filter.Members != nil, model.GuildOrderFieldMembers},
	} {
		switch {
		case !f.given:
			continue
		case used != "":
			return order, graph.Errorf(graph.InvalidQueryParams,
				"The filters %s and %s can be combined only with uuids.", used, f.name)
		}
		used, order.Field = f.name, f.field
		if f.field != model.GuildOrderFieldName && f.field != model.GuildOrderFieldUpdatedAt {
			order.Direction = model.OrderDirectionDesc
		}
	}
	if orderBy == nil {
		return order, nil
	}
	if used != "" && orderBy.Field != order.Field {
		return order, graph.Errorf(graph.InvalidQueryParams,
			"The filter %s needs the order %s; others can be combined with it only with uuids.", used, order.Field)
	}
	return *orderBy, nil
}

// chosenGuilds returns guilds by uuid or name. There are few, so it filters and orders them in memory.
func (q queryResolver) chosenGuilds(ctx context.Context, filter *model.GuildFilter, orderBy *model.GuildOrder,
	args pageArgs,
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
	folded := *filter
	folded.Names = foldedSet(filter.Names)
	folded.Prefix, folded.NamePrefix = foldedText(filter.Prefix), foldedText(filter.NamePrefix)
	load, keys := loaders.From(ctx).GuildByUUID, slices.Compact(slices.Sorted(slices.Values(filter.Uuids)))
	if filter.Uuids == nil {
		load, keys = loaders.From(ctx).GuildByName, folded.Names
	}
	found, err := stored(loaders.Many(ctx, load, keys))
	if err != nil {
		return nil, err
	}
	graph.NoteMissing(ctx, slices.Contains(found, nil))
	list := each(only(found, func(g *model.Guild) bool { return g != nil }),
		func(g *model.Guild) *guildNumbers { return &guildNumbers{Guild: g} })
	if filter.Territories != nil || orderBy.Field == model.GuildOrderFieldTerritories {
		all, err := territories(ctx)
		if err != nil {
			return nil, err
		}
		for _, g := range list {
			g.territories = len(all.ByGuild[g.UUID])
		}
	}
	if filter.Members != nil || orderBy.Field == model.GuildOrderFieldMembers {
		members, err := stored(loaders.From(ctx).MemberCounts(ctx))
		if err != nil {
			return nil, err
		}
		for _, g := range list {
			g.members = members[g.UUID]
		}
	}
	list = only(list, func(g *guildNumbers) bool {
		return g.matches(&folded) && (orderBy.Field != model.GuildOrderFieldWars || g.Wars != nil)
	})
	list = sorted(list, func(g *guildNumbers) any { return g.UUID }, orderBy.Direction)
	list = sorted(list, guildColumns[orderBy.Field].value, orderBy.Direction)
	guilds := each(list, func(g *guildNumbers) *model.Guild { return g.Guild })
	return connect(guilds, args, q.pageSize, func(g *model.Guild) string { return g.UUID })
}

// matches reports whether a guild matches a filter with folded strings.
func (g *guildNumbers) matches(f *model.GuildFilter) bool {
	return (f.NamePrefix == nil || strings.HasPrefix(g.NameFold, *f.NamePrefix)) &&
		(f.Names == nil || slices.Contains(f.Names, g.NameFold)) &&
		(f.Prefix == nil || g.PrefixFold == *f.Prefix) &&
		inRange(f.Level, g.Level) && (f.Wars == nil || g.Wars != nil && inRange64(f.Wars, *g.Wars)) &&
		inSpan(f.CreatedAt, &g.CreatedAt) && changedSince(g.Updated, f.ChangedSince) &&
		inRange(f.Territories, g.territories) && inRange(f.Members, g.members)
}

func counts(all *loaders.Territories) map[string]int {
	out := make(map[string]int, len(all.ByGuild))
	for uuid, held := range all.ByGuild {
		out[uuid] = len(held)
	}
	return out
}

// countedGuilds orders guilds by a number in memory and loads only the guilds of the page.
func (q queryResolver) countedGuilds(ctx context.Context, numbers map[string]int, within *model.IntRange,
	order model.GuildOrder, args pageArgs,
) (*model.GuildConnection, error) {
	uuids := make([]string, 0, len(numbers))
	for uuid, n := range numbers {
		if inRange(within, n) {
			uuids = append(uuids, uuid)
		}
	}
	slices.SortFunc(uuids, func(a, b string) int {
		if order.Direction == model.OrderDirectionDesc {
			a, b = b, a
		}
		return cmp.Or(cmp.Compare(numbers[a], numbers[b]), strings.Compare(a, b))
	})
	page, err := connect(uuids, args, q.pageSize, func(uuid string) string { return uuid })
	if err != nil {
		return nil, err
	}
	found, err := stored(loaders.Many(ctx, loaders.From(ctx).GuildByUUID, page.Items))
	if err != nil {
		return nil, err
	}
	out := converted(page, func(string) *model.Guild { return nil })
	out.Items = []*model.Guild{}
	var places []int // of the guilds that were found
	for i, g := range found {
		if g != nil {
			out.Items, places = append(out.Items, g), append(places, i)
		}
	}
	out.Cursor = func(i int) string { return page.Cursor(places[i]) }
	return out, nil
}

func (q queryResolver) storedGuilds(ctx context.Context, filter *model.GuildFilter, order model.GuildOrder,
	args pageArgs, brief bool,
) (*model.GuildConnection, error) {
	list := mongo.GuildList{
		Field: guildColumns[order.Field].stored, Descending: order.Direction == model.OrderDirectionDesc,
		NamePrefix: filter.NamePrefix, Prefix: filter.Prefix,
	}
	switch {
	case filter.Level != nil:
		list.Min, list.Max = toInt64(filter.Level.Min), toInt64(filter.Level.Max)
	case filter.Wars != nil:
		list.Min, list.Max = filter.Wars.Min, filter.Wars.Max
	case filter.CreatedAt != nil:
		list.From, list.To = filter.CreatedAt.From, filter.CreatedAt.To
	case filter.ChangedSince != nil:
		list.From = filter.ChangedSince
	}
	set := loaders.From(ctx)
	return connectStored(ctx, args, q.pageSize, storedList[*model.Guild]{
		order: list.Order(),
		page: func(ctx context.Context, page mongo.PageQuery) ([]*model.Guild, bool, error) {
			return set.GuildPage(ctx, list, page, brief)
		},
		count:    exact(func(ctx context.Context) (int, error) { return set.CountGuilds(ctx, list) }),
		position: list.Position,
	})
}

// toInt64 converts a number, nil to nil.
func toInt64(n *int) *int64 {
	if n == nil {
		return nil
	}
	return new(int64(*n))
}
