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

func (r guildResolver) Members(ctx context.Context, g *model.Guild, page model.PageArgs,
	filter *model.GuildMemberFilter, orderBy *model.GuildMemberOrder,
) (*model.GuildMemberConnection, error) {
	players, relations, err := playersOf(ctx, g)
	if err != nil {
		return nil, err
	}
	list := only(membersOf(g, players, relations), func(m *member) bool { return m.matches(filter) })
	members, err := connect(sortMembers(list, orderBy), page, r.PageSize, (*member).uuid)
	if err != nil {
		return nil, err
	}
	return converted(members, func(m *member) *model.GuildMember { return m.show(g) }), nil
}

// converted returns a connection with converted entries and the same cursors.
func converted[T, U any](c *model.Connection[T], convert func(T) U) *model.Connection[U] {
	return &model.Connection[U]{
		Items: each(c.Items, convert), Cursor: c.Cursor, More: c.More, Before: c.Before, Total: c.Total, Numbers: c.Numbers,
	}
}

// guildMember returns the guild member with a uuid, or nil if the player is in no guild.
func (r *root) guildMember(ctx context.Context, uuid string) (*model.GuildMember, error) {
	p, err := publicError(loaders.From(ctx).PlayerByUUID.Load(ctx, uuid)())
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
		out[i] = &member{
			record: p, viewer: r, part: membership(g, p), rank: rankOf(p), place: i + 1, online: showsOnline(p, r),
			lastJoin: shownLastJoin(p, r),
		}
		if passes(p.Rules, model.MainAccess, r) {
			out[i].playtime = p.Playtime
			if p.Totals != nil {
				out[i].wars = &p.Totals.Wars
			}
		}
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
		m.Wars, m.Totals = &p.Totals.Wars, &model.GuildMemberTotals{PlayerTotals: *p.Totals, Playtime: p.Playtime}
		m.Totals.GuildRaids = raidsInside(g, record)
	}
	if !restricted.Has(model.WeeklyAccess) {
		m.Weekly = cmp.Or(p.Weekly, &model.WeeklyProgress{})
	}
	return m
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

// sortMembers reorders members, which are sorted by contribution. Hidden values come last.
func sortMembers(list []*member, order *model.GuildMemberOrder) []*member {
	if order == nil {
		return list
	}
	list = sorted(list, memberOrders[order.Field], order.Direction)
	if order.Field == model.GuildMemberOrderFieldRank {
		for rest := list; len(rest) > 0; {
			n := slices.IndexFunc(rest, func(m *member) bool { return m.rank != rest[0].rank })
			if n < 0 {
				n = len(rest)
			}
			nameLastJoinedFirst(rest[:n])
			rest = rest[n:]
		}
	}
	return list
}

var memberOrders = map[model.GuildMemberOrderField]value[*member]{
	model.GuildMemberOrderFieldContribution: func(m *member) any { return m.part.Contributed },
	model.GuildMemberOrderFieldRank:         func(m *member) any { return slices.Index(mongo.GuildRanks, m.rank) },
	model.GuildMemberOrderFieldJoinedAt:     func(m *member) any { return m.part.JoinedAt },
	model.GuildMemberOrderFieldPlaytime:     func(m *member) any { return valueOf(m.playtime) },
	model.GuildMemberOrderFieldWars:         func(m *member) any { return valueOf(m.wars) },
	model.GuildMemberOrderFieldLastJoinedAt: memberLastJoin,
	model.GuildMemberOrderFieldUsername:     func(m *member) any { return mongo.Fold(m.record.Username) },
}

func memberLastJoin(m *member) any { return valueOf(m.lastJoin) }

// nameLastJoinedFirst reorders members of one rank who share a name, because REST lists only the first under the name:
// the member who visibly joined last comes first. Others keep their places.
func nameLastJoinedFirst(rank []*member) {
	places := make(map[string][]int, len(rank))
	for i, m := range rank {
		places[m.record.Username] = append(places[m.record.Username], i)
	}
	for _, at := range places {
		same := each(at, func(i int) *member { return rank[i] })
		for n, m := range sorted(same, memberLastJoin, model.OrderDirectionDesc) {
			rank[at[n]] = m
		}
	}
}
