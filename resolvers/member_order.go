package resolvers

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// sortMembers sorts members, which are sorted by contribution. Hidden values come last.
func sortMembers(list []*member, order *model.GuildMemberOrder) {
	if order == nil {
		return
	}
	compare := memberOrders[order.Field]
	slices.SortStableFunc(list, func(a, b *member) int { return compare(a, b, order.Direction) })
	if order.Field == model.GuildMemberOrderFieldRank {
		for from := 0; from < len(list); {
			to := from + 1
			for to < len(list) && list[to].rank == list[from].rank {
				to++
			}
			nameLastJoinedFirst(list[from:to])
			from = to
		}
	}
}

// memberOrders compare members by the fields of GuildMemberOrder.
var memberOrders = map[model.GuildMemberOrderField]func(a, b *member, d model.OrderDirection) int{
	model.GuildMemberOrderFieldContribution: func(a, b *member, d model.OrderDirection) int {
		return inDirection(d, cmp.Compare(a.part.Contributed, b.part.Contributed))
	},
	model.GuildMemberOrderFieldRank: func(a, b *member, d model.OrderDirection) int {
		return inDirection(d, cmp.Compare(slices.Index(mongo.GuildRanks, a.rank), slices.Index(mongo.GuildRanks, b.rank)))
	},
	model.GuildMemberOrderFieldJoined: func(a, b *member, d model.OrderDirection) int {
		return inDirection(d, a.part.Joined.Compare(b.part.Joined))
	},
	model.GuildMemberOrderFieldPlaytime: func(a, b *member, d model.OrderDirection) int {
		return knownFirst(a.playtime, b.playtime, d, cmp.Compare)
	},
	model.GuildMemberOrderFieldWars: func(a, b *member, d model.OrderDirection) int {
		return knownFirst(a.wars, b.wars, d, cmp.Compare)
	},
	model.GuildMemberOrderFieldLastJoin: func(a, b *member, d model.OrderDirection) int {
		return knownFirst(a.lastJoin, b.lastJoin, d, time.Time.Compare)
	},
	model.GuildMemberOrderFieldUsername: func(a, b *member, d model.OrderDirection) int {
		return inDirection(d, strings.Compare(mongo.Fold(a.record.Username), mongo.Fold(b.record.Username)))
	},
}

// inDirection returns the result of a comparison for a direction.
func inDirection(d model.OrderDirection, result int) int {
	if d == model.OrderDirectionDesc {
		return -result
	}
	return result
}

// knownFirst compares two values for a direction; nil comes last in both.
func knownFirst[T any](a, b *T, d model.OrderDirection, compare func(T, T) int) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return inDirection(d, compare(*a, *b))
}

// nameLastJoinedFirst reorders members of one rank who share a name: the last to join, as far as the
// viewer may see it, comes first, since REST lists only the first under the name. Others keep their places.
func nameLastJoinedFirst(rank []*member) {
	places := make(map[string][]int, len(rank))
	for i, m := range rank {
		places[m.record.Username] = append(places[m.record.Username], i)
	}
	for _, at := range places {
		if len(at) < 2 {
			continue
		}
		same := make([]*member, len(at))
		for n, i := range at {
			same[n] = rank[i]
		}
		slices.SortStableFunc(same, func(a, b *member) int {
			return knownFirst(a.lastJoin, b.lastJoin, model.OrderDirectionDesc, time.Time.Compare)
		})
		for n, i := range at {
			rank[i] = same[n]
		}
	}
}
