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

func (r queryResolver) Players(
	ctx context.Context, page model.PageArgs, filter *model.PlayerFilter, orderBy *model.PlayerOrder,
) (*model.PlayerConnection, error) {
	l, err := newPlayerList(filter, orderBy)
	if err != nil {
		return nil, err
	}
	if l.few() {
		list, err := l.inMemory(ctx)
		if err != nil {
			return nil, err
		}
		return connectFew(ctx, list, page, r.PageSize)
	}
	list, err := l.indexed()
	if err != nil {
		return nil, err
	}
	return connectStored(ctx, page, r.PageSize, storedList[*model.Player]{
		order: list.Order,
		page: func(ctx context.Context, q mongo.PageQuery) ([]*model.Player, bool, error) {
			records, more, err := loaders.From(ctx).PlayerPage(ctx, list, q)
			if err != nil {
				return nil, false, err
			}
			visible, err := visiblePlayers(ctx, records)
			return visible, more, err
		},
		count: func(ctx context.Context) (*int, error) { return loaders.From(ctx).CountPlayers(ctx, list) },
		position: func(p *model.Player) mongo.Position {
			return mongo.Position{ID: p.UUID, Value: playerOrders[l.order.Field].value(p)}
		},
	})
}

type playerList struct {
	filter  model.PlayerFilter
	order   model.PlayerOrder
	filters []listFilter[model.PlayerOrderField]
	onWorld func(*string) bool
}

// newPlayerList checks a filter. The default order is the one in which the store serves the filter.
func newPlayerList(filter *model.PlayerFilter, order *model.PlayerOrder) (l *playerList, err error) {
	l = &playerList{order: model.PlayerOrder{
		Field: model.PlayerOrderFieldUsername, Direction: model.OrderDirectionAsc,
	}}
	if filter != nil {
		l.filter = *filter
		l.filter.Usernames, l.filter.UsernamePrefix = foldedSet(filter.Usernames), foldedText(filter.UsernamePrefix)
	}
	l.filters = playerFilters(l.filter)
	if order != nil {
		l.order = *order
	} else {
		for _, f := range l.filters {
			l.order.Field = cmp.Or(f.order, l.order.Field)
		}
	}
	if l.onWorld, err = worldFilter(l.filter.World); err != nil {
		return nil, err
	}
	prefix := l.filter.UsernamePrefix
	switch {
	case len(l.filter.Uuids) > maxPlayers:
		return nil, graph.Errorf(graph.InvalidQueryParams, "uuids must hold at most %d uuids.", maxPlayers)
	case filter != nil && len(filter.Usernames) > maxPlayers:
		return nil, graph.Errorf(graph.InvalidQueryParams, "usernames must hold at most %d names.", maxPlayers)
	case prefix != nil && (*prefix == "" || len(*prefix) > maxName):
		return nil, graph.Errorf(graph.InvalidQueryParams, "usernamePrefix must have 1 to %d bytes.", maxName)
	}
	return l, nil
}

// playerFilters is the table of the filters of players that an index serves or that few players are needed for.
func playerFilters(f model.PlayerFilter) []listFilter[model.PlayerOrderField] {
	return given([]listFilter[model.PlayerOrderField]{
		{"usernamePrefix", f.UsernamePrefix != nil, model.PlayerOrderFieldUsername, mongo.Range{}},
		{"lastJoinedAt", f.LastJoinedAt != nil, model.PlayerOrderFieldLastJoinedAt, limits(nil, f.LastJoinedAt)},
		{"totalLevel", f.TotalLevel != nil, model.PlayerOrderFieldTotalLevel, limits(f.TotalLevel, nil)},
		{"changedSince", f.ChangedSince != nil, model.PlayerOrderFieldUpdatedAt, mongo.Range{From: f.ChangedSince}},
		{"guildRanks", f.GuildRanks != nil, "", mongo.Range{}},
		{"online: false", f.Online != nil, "", mongo.Range{}},
	})
}

// matches reports whether a player in memory matches the filters by text, guild and presence.
func (l *playerList) matches(p *model.Player, relations viewerRelations) bool {
	f := l.filter
	switch {
	case f.Usernames != nil && !slices.Contains(f.Usernames, p.NameFold),
		f.UsernamePrefix != nil && !strings.HasPrefix(p.NameFold, *f.UsernamePrefix),
		f.GuildUUID != nil && (p.Guild == nil || p.Guild.UUID != *f.GuildUUID),
		!hasGuildRank(p, f.GuildRanks),
		(f.Online != nil || f.World != nil) && hidesPresence(p, relations.with(p)),
		f.Online != nil && *f.Online != p.Online,
		f.World != nil && (!p.Online || !l.onWorld(p.World)):
		return false
	}
	return true
}

// few reports whether the filter selects from few known players: from given uuids or names, a guild, or the players
// online.
func (l *playerList) few() bool {
	f := l.filter
	return f.Uuids != nil || f.Usernames != nil || f.GuildUUID != nil || f.World != nil || f.Online != nil && *f.Online
}

// inMemory returns the matching players of the few that the filter selects from.
func (l *playerList) inMemory(ctx context.Context) ([]*model.Player, error) {
	records, err := l.records(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrPlayerNotBuilt)
	}
	relations, err := loadRelations(ctx, records...)
	if err != nil {
		return nil, err
	}
	records = only(records, func(p *model.Player) bool {
		return p != nil && l.matches(p, relations) && playerOrders.match(l.filters, l.order.Field, p)
	})
	records = sorted(records, playerOrders[model.PlayerOrderFieldUUID].value, l.order.Direction)
	return sorted(records, playerOrders[l.order.Field].value, l.order.Direction), nil
}

// records returns the few players that the filter selects from; nil for an unknown uuid.
func (l *playerList) records(ctx context.Context) ([]*model.Player, error) {
	set, f := loaders.From(ctx), l.filter
	switch {
	case f.Uuids != nil:
		players, err := loaders.Many(ctx, set.PlayerByUUID, slices.Compact(slices.Sorted(slices.Values(f.Uuids))))
		graph.NoteMissing(ctx, slices.Contains(players, nil))
		return players, err
	case f.Usernames != nil:
		named, err := loaders.Many(ctx, set.PlayersByName, f.Usernames)
		graph.NoteMissing(ctx, slices.ContainsFunc(named, func(same []*model.Player) bool { return len(same) == 0 }))
		return slices.Concat(named...), err
	case f.GuildUUID != nil:
		return set.PlayersByGuild.Load(ctx, *f.GuildUUID)()
	case f.GuildRanks != nil || f.TotalLevel != nil || f.ChangedSince != nil ||
		l.order.Field == model.PlayerOrderFieldTotalLevel || l.order.Field == model.PlayerOrderFieldUpdatedAt:
		return nil, graph.Errorf(graph.InvalidQueryParams,
			"guildRanks, totalLevel and changedSince cannot be combined with online or world only: "+
				"give uuids or guildUuid too.")
	}
	return allOnline(ctx)
}

// foldedSet folds names and removes duplicates; nil stays nil.
func foldedSet(names []string) []string {
	if names == nil {
		return nil
	}
	folded := each(names, mongo.Fold)
	slices.Sort(folded)
	return slices.Compact(folded)
}

// foldedText folds a text; nil stays nil.
func foldedText(text *string) *string {
	if text == nil {
		return nil
	}
	return new(mongo.Fold(*text))
}

// allOnline returns the online players with only the fields of the online list.
func allOnline(ctx context.Context) ([]*model.Player, error) {
	found, err := loaders.From(ctx).OnlinePlayers(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]*model.Player, len(found.All))
	for i, p := range found.All {
		list[i] = &model.Player{
			UUID: p.UUID, Username: p.Username, NameFold: mongo.Fold(p.Username), Online: true, World: p.World,
			LastJoinedAt: p.LastJoin,
		}
		if r := p.Restricted; r != nil {
			list[i].Rules, list[i].Friends, list[i].Guild = r.Rules, r.Friends, r.Guild
		}
	}
	return list, nil
}

// playerOrders is the table of the orders of players. The values do not include hidden ones.
var playerOrders = listOrders[*model.Player, model.PlayerOrderField]{
	model.PlayerOrderFieldUsername:  {mongo.ByUsername, func(p *model.Player) any { return p.NameFold }},
	model.PlayerOrderFieldUUID:      {mongo.ByUUID, func(p *model.Player) any { return p.UUID }},
	model.PlayerOrderFieldUpdatedAt: {mongo.ByUpdated, func(p *model.Player) any { return p.Updated }},
	model.PlayerOrderFieldLastJoinedAt: ifShared(mongo.ByLastJoin, func(p *model.Player) any {
		return valueOf(p.LastJoinedAt)
	}),
	model.PlayerOrderFieldTotalLevel: ifShared(mongo.ByTotalLevel, func(p *model.Player) any {
		if p.Totals == nil {
			return nil
		}
		return p.Totals.TotalLevel
	}),
}

// ifShared returns the order by a field that players can hide: only players who share it with everyone have a value.
func ifShared(field string, of value[*model.Player]) listOrder[*model.Player] {
	return listOrder[*model.Player]{field, func(p *model.Player) any {
		if !p.Rules.Share(field) {
			return nil
		}
		return of(p)
	}}
}

// indexed returns the list for the store: all players, or a range of the ordered value.
func (l *playerList) indexed() (list mongo.PlayerList, err error) {
	descending := l.order.Direction == model.OrderDirectionDesc
	list.Order = mongo.Order{
		Field: playerOrders[l.order.Field].stored, Descending: descending, IDsDescending: descending,
	}
	for _, f := range l.filters {
		switch f.order {
		case l.order.Field:
			list.Range = f.within
		case "":
			return list, graph.Errorf(graph.InvalidQueryParams, "%s requires uuids or guildUuid.", f.name)
		default:
			return list, graph.Errorf(graph.InvalidQueryParams,
				"%s implies the order %s, and goes with others only if uuids, guildUuid, world or online: true is given.",
				f.name, f.order)
		}
	}
	if l.filter.UsernamePrefix != nil {
		list.Prefix = *l.filter.UsernamePrefix
	}
	return list, nil
}

// connectFew returns a page of a list; it reads and redacts only the players of the page.
func connectFew(ctx context.Context, list []*model.Player, page model.PageArgs, size int) (
	*model.PlayerConnection, error,
) {
	players, err := connect(list, page, size, func(p *model.Player) string { return p.UUID })
	if err != nil || len(players.Items) == 0 {
		return players, err
	}
	items, err := playersByUUID(ctx, each(players.Items, func(p *model.Player) string { return p.UUID }))
	if err != nil {
		return nil, err
	}
	for i, p := range items {
		if p == nil { // deleted since the list was read
			items[i] = &model.Player{UUID: players.Items[i].UUID, Username: players.Items[i].Username}
		}
	}
	players.Items = items
	return players, nil
}
