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

func (r queryResolver) Players(ctx context.Context, filter *model.PlayerFilter, orderBy *model.PlayerOrder, first *int,
	after *string, last *int, before *string,
) (*model.PlayerConnection, error) {
	l := playerList{PlayerFilter: model.PlayerFilter{}, PlayerOrder: model.PlayerOrder{
		Field: model.PlayerOrderFieldUsername, Direction: model.OrderDirectionAsc,
	}}
	if filter != nil {
		l.PlayerFilter = *filter
	}
	if orderBy != nil {
		l.PlayerOrder = *orderBy
	} else {
		for _, f := range l.ordered() {
			if f.given {
				l.Field = f.order
			}
		}
	}
	args := pageArgs{first, last, after, before, nil}
	list, few, err := l.few(ctx)
	switch {
	case err != nil:
		return nil, err
	case few:
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
			return mongo.Position{ID: p.UUID, Value: playerPosition(stored.Order.Field, p)}
		},
	})
}

// playerPosition is the value of a player that the store orders them by. A list by what players can hide contains only
// those who share it with everyone.
func playerPosition(field string, p *model.Player) any {
	switch {
	case field == mongo.ByUsername:
		return p.NameFold
	case field == mongo.ByUpdated:
		return p.Updated
	case field == mongo.ByLastJoin && p.LastJoinedAt != nil:
		return *p.LastJoinedAt
	case field == mongo.ByTotalLevel && p.Totals != nil:
		return p.Totals.TotalLevel
	}
	return nil
}

type playerList struct {
	model.PlayerFilter
	model.PlayerOrder
}

// few returns the players of a list that begins with a few known ones: those with some uuids, the members of a guild,
// or those who are online. false for other lists.
func (l playerList) few(ctx context.Context) (list []*model.Player, few bool, err error) {
	onWorld, err := worldFilter(l.World)
	if err != nil {
		return nil, false, err
	}
	online := l.World != nil || l.Online != nil && *l.Online
	switch {
	case len(l.Uuids) > maxPlayers:
		return nil, false, graph.Errorf(graph.InvalidQueryParams, "uuids must hold at most %d uuids.", maxPlayers)
	case l.UsernamePrefix != nil && (*l.UsernamePrefix == "" || len(*l.UsernamePrefix) > maxName):
		return nil, false, graph.Errorf(graph.InvalidQueryParams, "usernamePrefix must have 1 to %d bytes.", maxName)
	case l.Uuids != nil:
		list, err = loaders.Many(ctx, loaders.From(ctx).PlayerByUUID, slices.Compact(slices.Sorted(slices.Values(l.Uuids))))
	case l.GuildUUID != nil:
		list, err = loaders.From(ctx).PlayersByGuild.Load(ctx, *l.GuildUUID)()
	case !online:
		return nil, false, nil
	case l.GuildRanks != nil || l.TotalLevel != nil || l.ChangedSince != nil ||
		l.Field == model.PlayerOrderFieldTotalLevel || l.Field == model.PlayerOrderFieldUpdatedAt:
		return nil, false, graph.Errorf(graph.InvalidQueryParams,
			"guildRanks, totalLevel and changedSince cannot be combined with online or world only: "+
				"give uuids or guildUuid too.")
	default:
		list, err = sharedOnline(ctx)
	}
	if err != nil {
		return nil, false, storeError(err, graph.ErrPlayerNotBuilt)
	}
	list = slices.DeleteFunc(slices.Clone(list), func(p *model.Player) bool {
		return p == nil || !l.matches(p, onWorld) || !sharesOrder(p, l.Field)
	})
	slices.SortFunc(list, func(a, b *model.Player) int {
		return inDirection(l.Direction, cmp.Or(comparePlayers(l.Field, a, b), strings.Compare(a.UUID, b.UUID)))
	})
	return list, true, nil
}

// sharedOnline returns the online players who show it to everyone, with what the online list has of them.
func sharedOnline(ctx context.Context) ([]*model.Player, error) {
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
		if p.Restricted != nil {
			list[i].Rules = p.Restricted.Rules
		}
	}
	return list, nil
}

func (l playerList) matches(p *model.Player, onWorld func(*string) bool) bool {
	switch {
	case l.GuildUUID != nil && (p.Guild == nil || p.Guild.UUID != *l.GuildUUID),
		!hasGuildRank(p, l.GuildRanks),
		(l.Online != nil || l.World != nil) && !p.Rules.Share("online"),
		l.Online != nil && *l.Online != p.Online,
		l.World != nil && (!p.Online || !onWorld(p.World)),
		l.UsernamePrefix != nil && !strings.HasPrefix(p.NameFold, mongo.Fold(*l.UsernamePrefix)),
		l.ChangedSince != nil && !changedSince(p.Updated, l.ChangedSince),
		l.LastJoinedAt != nil &&
			(!sharesOrder(p, model.PlayerOrderFieldLastJoinedAt) || !inSpan(l.LastJoinedAt, p.LastJoinedAt)),
		l.TotalLevel != nil &&
			(!sharesOrder(p, model.PlayerOrderFieldTotalLevel) || !inRange64(l.TotalLevel, p.Totals.TotalLevel)):
		return false
	}
	return true
}

// sharesOrder reports whether a player has and shares with everyone what an order compares.
func sharesOrder(p *model.Player, field model.PlayerOrderField) bool {
	has := field != model.PlayerOrderFieldLastJoinedAt && field != model.PlayerOrderFieldTotalLevel ||
		field == model.PlayerOrderFieldLastJoinedAt && p.LastJoinedAt != nil ||
		field == model.PlayerOrderFieldTotalLevel && p.Totals != nil
	return has && p.Rules.Share(playerOrders[field])
}

var playerOrders = map[model.PlayerOrderField]string{
	model.PlayerOrderFieldUsername: mongo.ByUsername, model.PlayerOrderFieldUUID: mongo.ByUUID,
	model.PlayerOrderFieldLastJoinedAt: mongo.ByLastJoin, model.PlayerOrderFieldTotalLevel: mongo.ByTotalLevel,
	model.PlayerOrderFieldUpdatedAt: mongo.ByUpdated,
}

// comparePlayers compares players who share what an order compares.
func comparePlayers(field model.PlayerOrderField, a, b *model.Player) int {
	switch field {
	case model.PlayerOrderFieldUsername:
		return strings.Compare(a.NameFold, b.NameFold)
	case model.PlayerOrderFieldLastJoinedAt:
		return a.LastJoinedAt.Compare(*b.LastJoinedAt)
	case model.PlayerOrderFieldTotalLevel:
		return cmp.Compare(a.Totals.TotalLevel, b.Totals.TotalLevel)
	case model.PlayerOrderFieldUpdatedAt:
		return a.Updated.Compare(b.Updated)
	}
	return 0
}

// orderedFilter is a filter that the store serves in one order.
type orderedFilter struct {
	given bool
	order model.PlayerOrderField
	name  string
}

func (l playerList) ordered() []orderedFilter {
	return []orderedFilter{
		{l.UsernamePrefix != nil, model.PlayerOrderFieldUsername, "usernamePrefix"},
		{l.LastJoinedAt != nil, model.PlayerOrderFieldLastJoinedAt, "lastJoinedAt"},
		{l.TotalLevel != nil, model.PlayerOrderFieldTotalLevel, "totalLevel"},
		{l.ChangedSince != nil, model.PlayerOrderFieldUpdatedAt, "changedSince"},
	}
}

// stored returns the list as the store has it: all players, or those whose value of the order is in a range.
func (l playerList) stored() (list mongo.PlayerList, err error) {
	field := playerOrders[l.Field]
	descending := l.Direction == model.OrderDirectionDesc
	list.Order = mongo.Order{Field: field, Descending: descending, IDsDescending: descending}
	for _, f := range append(l.ordered(),
		orderedFilter{l.GuildRanks != nil, "", "guildRanks"}, orderedFilter{l.Online != nil, "", "online: false"},
	) {
		switch {
		case !f.given:
			continue
		case f.order == "":
			return list, graph.Errorf(graph.InvalidQueryParams, "%s requires uuids or guildUuid.", f.name)
		case f.order != l.Field:
			return list, graph.Errorf(graph.InvalidQueryParams,
				"%s implies the order %s, and goes with others only if uuids, guildUuid, world or online: true is given.",
				f.name, f.order)
		}
	}
	switch {
	case l.UsernamePrefix != nil:
		list.Prefix = mongo.Fold(*l.UsernamePrefix)
	case l.LastJoinedAt != nil:
		list.From, list.To = limits(l.LastJoinedAt.From, l.LastJoinedAt.To)
	case l.ChangedSince != nil:
		list.From = *l.ChangedSince
	case l.TotalLevel != nil:
		list.From, list.To = limits(l.TotalLevel.Min, l.TotalLevel.Max)
	}
	return list, nil
}

// connectFew returns a page of a list of players, which are read and redacted for the page only.
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
