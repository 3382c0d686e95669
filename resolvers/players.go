package resolvers

import (
	"context"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
	"gamedata/mongo"
)

func (r queryResolver) Players(ctx context.Context, filter *model.PlayerFilter, orderBy *model.PlayerOrder, first *int,
	after *string, last *int, before *string,
) (*model.PlayerConnection, error) {
	l, err := newPlayerList(filter, orderBy)
	if err != nil {
		return nil, err
	}
	args := pageArgs{first, last, after, before, nil}
	if l.few() {
		list, err := l.all(ctx)
		if err != nil {
			return nil, err
		}
		return connectFew(ctx, list, args, r.pageSize)
	}
	stored, err := l.stored()
	if err != nil {
		return nil, err
	}
	return connectStored(ctx, args, r.pageSize, storedList[*model.Player]{
		order: stored.Order,
		page: func(ctx context.Context, q mongo.PageQuery) ([]*model.Player, bool, error) {
			found, more, err := loaders.From(ctx).PlayerPage(ctx, stored, q)
			if err != nil {
				return nil, false, err
			}
			page, err := visiblePlayers(ctx, found)
			return page, more, err
		},
		count: func(ctx context.Context) (*int, error) { return loaders.From(ctx).CountPlayers(ctx, stored) },
		position: func(p *model.Player) mongo.Position {
			return mongo.Position{ID: p.UUID, Value: playerOrders[l.order.Field].value(p)}
		},
	})
}

type playerList struct {
	filter  model.PlayerFilter
	order   model.PlayerOrder
	onWorld func(*string) bool
}

// newPlayerList checks a filter. The default order is the one in which the store serves the filter.
func newPlayerList(filter *model.PlayerFilter, order *model.PlayerOrder) (l playerList, err error) {
	if filter != nil {
		l.filter = *filter
		l.filter.Usernames, l.filter.UsernamePrefix = foldedSet(filter.Usernames), foldedText(filter.UsernamePrefix)
	}
	l.order = model.PlayerOrder{Field: model.PlayerOrderFieldUsername, Direction: model.OrderDirectionAsc}
	if order != nil {
		l.order = *order
	} else {
		for _, f := range l.ordered() {
			if f.given {
				l.order.Field = f.order
			}
		}
	}
	if l.onWorld, err = worldFilter(l.filter.World); err != nil {
		return l, err
	}
	prefix := l.filter.UsernamePrefix
	switch {
	case len(l.filter.Uuids) > maxPlayers:
		return l, graph.Errorf(graph.InvalidQueryParams, "uuids must hold at most %d uuids.", maxPlayers)
	case filter != nil && len(filter.Usernames) > maxPlayers:
		return l, graph.Errorf(graph.InvalidQueryParams, "usernames must hold at most %d names.", maxPlayers)
	case prefix != nil && (*prefix == "" || len(*prefix) > maxName):
		return l, graph.Errorf(graph.InvalidQueryParams, "usernamePrefix must have 1 to %d bytes.", maxName)
	}
	return l, nil
}

// few reports whether the filter selects from few known players: from given uuids or names, a guild, or the players
// online.
func (l playerList) few() bool {
	f := l.filter
	return f.Uuids != nil || f.Usernames != nil || f.GuildUUID != nil || f.World != nil || f.Online != nil && *f.Online
}

func (l playerList) all(ctx context.Context) ([]*model.Player, error) {
	known, err := l.known(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrPlayerNotBuilt)
	}
	relations, err := loadRelations(ctx, known...)
	if err != nil {
		return nil, err
	}
	list := only(known, func(p *model.Player) bool {
		return p != nil && l.matches(p, relations) && sharesOrder(p, l.order.Field)
	})
	list = sorted(list, playerOrders[model.PlayerOrderFieldUUID].value, l.order.Direction)
	return sorted(list, playerOrders[l.order.Field].value, l.order.Direction), nil
}

// known returns the few players that the filter selects from; nil for an unknown uuid.
func (l playerList) known(ctx context.Context) ([]*model.Player, error) {
	set, f := loaders.From(ctx), l.filter
	switch {
	case f.Uuids != nil:
		found, err := loaders.Many(ctx, set.PlayerByUUID, slices.Compact(slices.Sorted(slices.Values(f.Uuids))))
		graph.NoteMissing(ctx, slices.Contains(found, nil))
		return found, err
	case f.Usernames != nil:
		found, err := loaders.Many(ctx, set.PlayersByName, f.Usernames)
		graph.NoteMissing(ctx, slices.ContainsFunc(found, func(named []*model.Player) bool { return len(named) == 0 }))
		return slices.Concat(found...), err
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

func (l playerList) matches(p *model.Player, relations viewerRelations) bool {
	f := l.filter
	switch {
	case f.Usernames != nil && !slices.Contains(f.Usernames, p.NameFold),
		f.GuildUUID != nil && (p.Guild == nil || p.Guild.UUID != *f.GuildUUID),
		!hasGuildRank(p, f.GuildRanks),
		(f.Online != nil || f.World != nil) && hidesPresence(p, relations.with(p)),
		f.Online != nil && *f.Online != p.Online,
		f.World != nil && (!p.Online || !l.onWorld(p.World)),
		f.UsernamePrefix != nil && !strings.HasPrefix(p.NameFold, *f.UsernamePrefix),
		f.ChangedSince != nil && !changedSince(p.Updated, f.ChangedSince),
		f.LastJoinedAt != nil &&
			(!sharesOrder(p, model.PlayerOrderFieldLastJoinedAt) || !inSpan(f.LastJoinedAt, p.LastJoinedAt)),
		f.TotalLevel != nil &&
			(!sharesOrder(p, model.PlayerOrderFieldTotalLevel) || !inRange64(f.TotalLevel, p.Totals.TotalLevel)):
		return false
	}
	return true
}

// sharesOrder reports whether a player has the value of an order and shares it publicly.
func sharesOrder(p *model.Player, field model.PlayerOrderField) bool {
	order := playerOrders[field]
	return order.value(p) != nil && p.Rules.Share(order.stored)
}

// playerOrders lists the orders of players: the field in the store, whose access rules apply, and its value.
var playerOrders = map[model.PlayerOrderField]struct {
	stored string
	value  value[*model.Player]
}{
	model.PlayerOrderFieldUsername:     {mongo.ByUsername, func(p *model.Player) any { return p.NameFold }},
	model.PlayerOrderFieldUUID:         {mongo.ByUUID, func(p *model.Player) any { return p.UUID }},
	model.PlayerOrderFieldLastJoinedAt: {mongo.ByLastJoin, func(p *model.Player) any { return valueOf(p.LastJoinedAt) }},
	model.PlayerOrderFieldTotalLevel:   {mongo.ByTotalLevel, playerLevel},
	model.PlayerOrderFieldUpdatedAt:    {mongo.ByUpdated, func(p *model.Player) any { return p.Updated }},
}

func playerLevel(p *model.Player) any {
	if p.Totals == nil {
		return nil
	}
	return p.Totals.TotalLevel
}

// orderedFilter is a filter that the store serves in one order.
type orderedFilter struct {
	given bool
	order model.PlayerOrderField
	name  string
}

func (l playerList) ordered() []orderedFilter {
	return []orderedFilter{
		{l.filter.UsernamePrefix != nil, model.PlayerOrderFieldUsername, "usernamePrefix"},
		{l.filter.LastJoinedAt != nil, model.PlayerOrderFieldLastJoinedAt, "lastJoinedAt"},
		{l.filter.TotalLevel != nil, model.PlayerOrderFieldTotalLevel, "totalLevel"},
		{l.filter.ChangedSince != nil, model.PlayerOrderFieldUpdatedAt, "changedSince"},
	}
}

// stored returns the list for the store: all players, or a range of the ordered value.
func (l playerList) stored() (list mongo.PlayerList, err error) {
	field := playerOrders[l.order.Field].stored
	descending := l.order.Direction == model.OrderDirectionDesc
	list.Order = mongo.Order{Field: field, Descending: descending, IDsDescending: descending}
	for _, f := range append(l.ordered(),
		orderedFilter{l.filter.GuildRanks != nil, "", "guildRanks"},
		orderedFilter{l.filter.Online != nil, "", "online: false"},
	) {
		switch {
		case !f.given:
			continue
		case f.order == "":
			return list, graph.Errorf(graph.InvalidQueryParams, "%s requires uuids or guildUuid.", f.name)
		case f.order != l.order.Field:
			return list, graph.Errorf(graph.InvalidQueryParams,
				"%s implies the order %s, and goes with others only if uuids, guildUuid, world or online: true is given.",
				f.name, f.order)
		}
	}
	switch {
	case l.filter.UsernamePrefix != nil:
		list.Prefix = *l.filter.UsernamePrefix
	case l.filter.LastJoinedAt != nil:
		list.From, list.To = l.filter.LastJoinedAt.From, l.filter.LastJoinedAt.To
	case l.filter.ChangedSince != nil:
		list.From = l.filter.ChangedSince
	case l.filter.TotalLevel != nil:
		list.Min, list.Max = l.filter.TotalLevel.Min, l.filter.TotalLevel.Max
	}
	return list, nil
}

// connectFew returns a page of a list; it reads and redacts only the players of the page.
func connectFew(ctx context.Context, list []*model.Player, args pageArgs, size int) (*model.PlayerConnection, error) {
	page, err := connect(list, args, size, func(p *model.Player) string { return p.UUID })
	if err != nil || len(page.Items) == 0 {
		return page, err
	}
	items, err := playersByUUID(ctx, each(page.Items, func(p *model.Player) string { return p.UUID }))
	if err != nil {
		return nil, err
	}
	for i, p := range items {
		if p == nil { // deleted since the list was read
			items[i] = &model.Player{UUID: page.Items[i].UUID, Username: page.Items[i].Username}
		}
	}
	page.Items = items
	return page, nil
}
