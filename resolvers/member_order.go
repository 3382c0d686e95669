package resolvers

import (
	"cmp"
	"context"
	"slices"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
)

// nameLastJoinedFirst reorders members of one rank who share a name: the last to join, as far as the
// viewer may see it, comes first, since REST lists only the first under the name. Others keep their places.
func nameLastJoinedFirst(rank []*model.GuildMember) {
	places := make(map[string][]int, len(rank))
	for i, m := range rank {
		places[m.Username] = append(places[m.Username], i)
	}
	for _, at := range places {
		if len(at) < 2 {
			continue
		}
		same := make([]*model.GuildMember, len(at))
		for n, i := range at {
			same[n] = rank[i]
		}
		slices.SortStableFunc(same, byLastJoin)
		for n, i := range at {
			rank[i] = same[n]
		}
	}
}

// memberOrders are the orders of GuildMembers.all, hidden values last.
var memberOrders = map[model.GuildMemberSort]func(a, b *model.GuildMember) int{
	model.GuildMemberSortContribution: func(a, b *model.GuildMember) int {
		return cmp.Compare(a.ContributionRank, b.ContributionRank)
	},
	model.GuildMemberSortJoined: func(a, b *model.GuildMember) int { return a.Joined.Compare(b.Joined) },
	model.GuildMemberSortPlaytime: func(a, b *model.GuildMember) int {
		return mostFirst(a.Playtime, b.Playtime, cmp.Compare)
	},
	model.GuildMemberSortWars:     func(a, b *model.GuildMember) int { return mostFirst(a.Wars, b.Wars, cmp.Compare) },
	model.GuildMemberSortLastJoin: byLastJoin,
}

func byLastJoin(a, b *model.GuildMember) int {
	return mostFirst(a.LastJoin, b.LastJoin, time.Time.Compare)
}

func mostFirst[T any](a, b *T, compare func(T, T) int) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return compare(*b, *a)
}

func (guildMembersResolver) All(ctx context.Context, ms *model.GuildMembers, sort model.GuildMemberSort, first *int) (
	[]*model.GuildMember, error,
) {
	all, err := inOrder(ms, sort, first)
	prefetchCharacters(ctx, all)
	return all, err
}

// inOrder returns the members of all ranks in one order, at most first of them unless it is nil.
func inOrder(ms *model.GuildMembers, sort model.GuildMemberSort, first *int) ([]*model.GuildMember, error) {
	if first != nil && (*first < 1 || *first > maxMembers) {
		return nil, graph.Errorf(graph.InvalidQueryParams, "first must be 1 to %d.", maxMembers)
	}
	all := make([]*model.GuildMember, 0, ms.Total)
	for _, rank := range ranksOf(ms) {
		all = append(all, *rank...)
	}
	slices.SortFunc(all, memberOrders[model.GuildMemberSortContribution])
	slices.SortStableFunc(all, memberOrders[sort])
	if first != nil {
		all = all[:min(*first, len(all))]
	}
	return all, nil
}
