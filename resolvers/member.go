package resolvers

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
)

// maxMembers is the maximum of the argument `first` of a list of members.
const maxMembers = 1000

// membersOf returns the members of a guild as the viewer may see them, by rank.
func membersOf(g *model.Guild, players []*model.Player, relations viewerRelations) *model.GuildMembers {
	out := &model.GuildMembers{Total: len(players)}
	for i, p := range byContribution(g, players) {
		m := memberOf(g, p, relations.with(p))
		m.ContributionRank = i + 1
		rank := rankOf(out, m.Rank)
		*rank = append(*rank, m)
	}
	for _, rank := range ranksOf(out) {
		nameLastJoinedFirst(*rank)
	}
	return out
}

// ranksOf returns the lists of members by rank, highest first.
func ranksOf(ms *model.GuildMembers) []*[]*model.GuildMember {
	return []*[]*model.GuildMember{&ms.Owner, &ms.Chief, &ms.Strategist, &ms.Captain, &ms.Recruiter, &ms.Recruit}
}

// guildRanks names the lists of ranksOf.
var guildRanks = []string{"OWNER", "CHIEF", "STRATEGIST", "CAPTAIN", "RECRUITER", "RECRUIT"}

const lowestRank = "RECRUIT"

func rankOf(ms *model.GuildMembers, rank string) *[]*model.GuildMember {
	return ranksOf(ms)[slices.Index(guildRanks, rank)]
}

// membership returns a player's membership in the guild. The default, for a record without one, is a
// member since the creation of the guild without contributions.
func membership(g *model.Guild, p *model.Player) model.Membership {
	if p.Membership == nil {
		return model.Membership{Joined: g.Created}
	}
	return *p.Membership
}

// byContribution sorts players for contributionRank: by contribution, then by the date of joining, then by
// uuid. It does not depend on the viewer.
func byContribution(g *model.Guild, players []*model.Player) []*model.Player {
	return slices.SortedFunc(slices.Values(players), func(a, b *model.Player) int {
		ma, mb := membership(g, a), membership(g, b)
		return cmp.Or(cmp.Compare(mb.Contributed, ma.Contributed), ma.Joined.Compare(mb.Joined),
			strings.Compare(a.UUID, b.UUID))
	})
}

// memberOf returns a member as a viewer with a relation to the player may see it.
func memberOf(g *model.Guild, record *model.Player, r relation) *model.GuildMember {
	restricted := restrictedRules(record.Rules, r)
	p := redactPlayerBy(record, restricted)
	part := membership(g, record)
	m := &model.GuildMember{
		UUID: p.UUID, Username: p.Username, LegacyName: p.LegacyName, Rank: lowestRank, Online: p.Online, Server: p.Server,
		Contributed: part.Contributed, Joined: part.Joined, LastJoin: p.LastJoin, Playtime: p.Playtime, Player: p,
		Restrictions: restricted.MemberRestrictions(),
	}
	if rank := record.Guild.Rank; rank != nil && slices.Contains(guildRanks, *rank) {
		m.Rank = *rank
	}
	if p.GlobalData != nil {
		m.Wars, m.GlobalData = &p.GlobalData.Wars, memberData(p.GlobalData, p.Playtime, raidsInside(g, record))
	}
	if m.Restrictions.WeeklyAccess {
		return m
	}
	if m.Weekly = p.Weekly; m.Weekly == nil {
		m.Weekly = &model.WeeklyProgress{}
	}
	return m
}

func memberData(g *model.PlayerGlobalData, playtime *float64, raids *model.CountList) *model.GuildMemberData {
	return &model.GuildMemberData{
		ContentCompletion: g.ContentCompletion, Wars: g.Wars, TotalLevel: g.TotalLevel, MobsKilled: g.MobsKilled,
		ChestsFound: g.ChestsFound, Dungeons: g.Dungeons, Raids: g.Raids, WorldEvents: g.WorldEvents,
		Lootruns: g.Lootruns, Caves: g.Caves, CompletedQuests: g.CompletedQuests, GuildRaids: raids,
		RaidStats: g.RaidStats, Pvp: g.Pvp, Playtime: playtime,
	}
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

func (guildMemberDataResolver) GuildRaids(ctx context.Context, d *model.GuildMemberData) (*model.CountList, error) {
	return withZeros(ctx, d.GuildRaids)
}

// withZeros returns a list of guild raids with the raids that it lacks; nil for nil.
func withZeros(ctx context.Context, stored *model.CountList) (*model.CountList, error) {
	if stored == nil {
		return nil, nil
	}
	raids, err := loaders.From(ctx).Raids(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	return raids.WithZeros(stored), nil
}
