package resolvers

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
	"gamedata/mongo"
)

// lowestRank is the rank of a member whose rank is unknown.
const lowestRank = "RECRUIT"

func rankOf(p *model.Player) string {
	if p.Guild != nil && p.Guild.Rank != nil && slices.Contains(mongo.GuildRanks, *p.Guild.Rank) {
		return *p.Guild.Rank
	}
	return lowestRank
}

func (r guildResolver) Members(ctx context.Context, g *model.Guild, filter *model.GuildMemberFilter,
	orderBy *model.GuildMemberOrder, first *int, after *string, last *int, before *string,
) (*model.GuildMemberConnection, error) {
	players, relations, err := playersOf(ctx, g)
	if err != nil {
		return nil, err
	}
	list := only(membersOf(g, players, relations), func(m *member) bool { return m.matches(filter) })
	sortMembers(list, orderBy)
	page, err := connect(list, pageArgs{first, last, after, before, nil}, r.pageSize, (*member).uuid)
	if err != nil {
		return nil, err
	}
	return converted(page, func(m *member) *model.GuildMember { return m.show(g) }), nil
}

// converted returns a connection with converted entries and the same cursors.
func converted[T, U any](c *model.Connection[T], convert func(T) U) *model.Connection[U] {
	return &model.Connection[U]{
		Items: each(c.Items, convert), Cursor: c.Cursor, More: c.More, Before: c.Before, Total: c.Total, Numbers: c.Numbers,
	}
}

// guildMember returns the guild member with a uuid, or nil if the player is in no guild.
func (r *root) guildMember(ctx context.Context, uuid string) (*model.GuildMember, error) {
	p, err := stored(loaders.From(ctx).PlayerByUUID.Load(ctx, uuid)())
	if p == nil || p.Guild == nil {
		return nil, err
	}
	g, err := r.guild(ctx, p.Guild.UUID)
	if g == nil {
		return nil, err
	}
	players, relations, err := playersOf(ctx, g)
	for _, m := range membersOf(g, players, relations) {
		if m.record.UUID == uuid {
			return m.show(g), nil
		}
	}
	return nil, err
}

// member is an unredacted guild member with the values by which lists are filtered and ordered.
type member struct {
	record *model.Player
	viewer relation
	part   model.Membership
	rank   string
	place  int // by contribution
	online bool
	// Hidden values are nil.
	lastJoin *time.Time
	playtime *float64
	wars     *int64
}

func membersOf(g *model.Guild, players []*model.Player, relations viewerRelations) []*member {
	out := make([]*member, len(players))
	for i, p := range byContribution(g, players) {
		r := relations.with(p)
		m := &member{
			record: p, viewer: r, part: membership(g, p), rank: rankOf(p), place: i + 1, online: showsOnline(p, r),
			lastJoin: shownLastJoin(p, r),
		}
		m.playtime, m.wars = shownPlaytime(p, r), shownWars(p, r)
		out[i] = m
	}
	return out
}

func (m *member) uuid() string { return m.record.UUID }

func (m *member) show(g *model.Guild) *model.GuildMember {
	out := memberOf(g, m.record, m.viewer)
	out.ContributionRank = m.place
	return out
}

func (m *member) matches(f *model.GuildMemberFilter) bool {
	return f == nil || (f.Ranks == nil || slices.Contains(f.Ranks, m.rank)) &&
		(f.Online == nil || *f.Online == m.online) && inRange64(f.Contributed, m.part.Contributed) &&
		inSpan(f.JoinedAt, &m.part.JoinedAt) && inSpan(f.LastJoinedAt, m.lastJoin)
}

// membership returns a player's membership in the guild. A record without one counts as a member since the guild's
// creation who contributed nothing.
func membership(g *model.Guild, p *model.Player) model.Membership {
	if p.Membership == nil {
		return model.Membership{JoinedAt: g.CreatedAt}
	}
	return *p.Membership
}

// byContribution sorts players for contributionRank: by contribution, then by the date of joining, then by uuid. The
// order does not depend on the viewer.
func byContribution(g *model.Guild, players []*model.Player) []*model.Player {
	return slices.SortedFunc(slices.Values(players), func(a, b *model.Player) int {
		ma, mb := membership(g, a), membership(g, b)
		return cmp.Or(cmp.Compare(mb.Contributed, ma.Contributed), ma.JoinedAt.Compare(mb.JoinedAt),
			strings.Compare(a.UUID, b.UUID))
	})
}

// memberOf returns a member without the fields hidden from a viewer with the given relation to the player.
func memberOf(g *model.Guild, record *model.Player, r relation) *model.GuildMember {
	restricted := restrictedRules(record.Rules, r)
	p := redactPlayerBy(record, restricted)
	part := membership(g, record)
	m := &model.GuildMember{
		UUID: p.UUID, Username: p.Username, LegacyName: p.LegacyName, Rank: rankOf(record), Online: p.ShownOnline(),
		World: p.World, Contributed: part.Contributed, JoinedAt: part.JoinedAt, LastJoinedAt: p.LastJoinedAt,
		Playtime: p.Playtime, Player: p, Restrictions: restricted.Restrictions(model.MemberRules),
	}
	if p.Totals != nil {
		m.Wars, m.Totals = &p.Totals.Wars, memberData(p.Totals, p.Playtime, raidsInside(g, record))
	}
	if restricted.Has(model.WeeklyAccess) {
		return m
	}
	m.Weekly = cmp.Or(p.Weekly, &model.WeeklyProgress{})
	return m
}

func memberData(g *model.PlayerTotals, playtime *float64, raids *model.CountList) *model.GuildMemberTotals {
	out := &model.GuildMemberTotals{PlayerTotals: *g, Playtime: playtime}
	out.GuildRaids = raids
	return out
}

// raidsInside returns a player's raids in this guild as stored. The rule for the guild history does not hide them.
func raidsInside(g *model.Guild, p *model.Player) *model.CountList {
	for _, h := range p.GuildHistory {
		if h.UUID == g.UUID && h.GuildRaids != nil {
			return h.GuildRaids
		}
	}
	return &model.CountList{}
}

func (guildMemberTotalsResolver) GuildRaids(ctx context.Context, d *model.GuildMemberTotals) (*model.CountList, error) {
	return withZeros(ctx, d.GuildRaids)
}

// withZeros adds the missing raids to a list of guild raids, with 0; nil stays nil.
func withZeros(ctx context.Context, stored *model.CountList) (*model.CountList, error) {
	if stored == nil {
		return nil, nil
	}
	raids, err := loaders.From(ctx).Raids.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	return raids.WithZeros(stored), nil
}

// sortMembers sorts members, which are sorted by contribution. Hidden values come last.
func sortMembers(list []*member, order *model.GuildMemberOrder) {
	if order == nil {
		return
	}
	sortBy(list, memberOrders[order.Field], order.Direction)
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

var memberOrders = map[model.GuildMemberOrderField]ordering[*member]{
	model.GuildMemberOrderFieldContribution: by(func(m *member) int64 { return m.part.Contributed }),
	model.GuildMemberOrderFieldRank:         by(func(m *member) int { return slices.Index(mongo.GuildRanks, m.rank) }),
	model.GuildMemberOrderFieldJoinedAt:     by(func(m *member) int64 { return m.part.JoinedAt.UnixMilli() }),
	model.GuildMemberOrderFieldPlaytime:     byKnown(func(m *member) *float64 { return m.playtime }, cmp.Compare),
	model.GuildMemberOrderFieldWars:         byKnown(func(m *member) *int64 { return m.wars }, cmp.Compare),
	model.GuildMemberOrderFieldLastJoinedAt: byKnown(func(m *member) *time.Time { return m.lastJoin }, time.Time.Compare),
	model.GuildMemberOrderFieldUsername:     by(func(m *member) string { return mongo.Fold(m.record.Username) }),
}

// ordering compares two entries of a list for a direction.
type ordering[T any] func(a, b T, d model.OrderDirection) int

// by orders entries by a value that a function returns.
func by[T any, V cmp.Ordered](of func(T) V) ordering[T] {
	return func(a, b T, d model.OrderDirection) int { return inDirection(d, cmp.Compare(of(a), of(b))) }
}

// byKnown is by for values that may be nil; nil comes last in both directions.
func byKnown[T, V any](of func(T) *V, compare func(V, V) int) ordering[T] {
	return func(a, b T, d model.OrderDirection) int { return knownFirst(of(a), of(b), d, compare) }
}

// sortBy sorts a list stably, by an ordering in a direction.
func sortBy[T any](list []T, order ordering[T], d model.OrderDirection) {
	slices.SortStableFunc(list, func(a, b T) int { return order(a, b, d) })
}

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

// nameLastJoinedFirst reorders members of one rank who share a name, because REST lists only the first under the name:
// the member who visibly joined last comes first. Others keep their places.
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
