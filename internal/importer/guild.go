package importer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// A recorded guild contains the fields that its members show. The import stores it with the players: former members
// leave the guild, and fields that an access rule hid keep their stored values. Territories and online counts are
// derived when a guild is read.

type recordedGuild struct {
	model.Guild
	Total struct {
		TotalCount int `json:"totalCount"`
	} `json:"total"`
	Owner         recordedMembers `json:"owner"`
	Chief         recordedMembers `json:"chief"`
	Strategist    recordedMembers `json:"strategist"`
	Captain       recordedMembers `json:"captain"`
	Recruiter     recordedMembers `json:"recruiter"`
	Recruit       recordedMembers `json:"recruit"`
	SeasonResults []struct {
		SeasonNumber     int   `json:"seasonNumber"`
		Rating           int64 `json:"rating"`
		FinalTerritories int   `json:"finalTerritories"`
	} `json:"seasonResults"`
}

type recordedMembers struct {
	Nodes []*model.GuildMember `json:"nodes"`
}

func readGuild(g *recordedGuild, _ variables) (*Import, error) {
	ranks := []recordedMembers{g.Owner, g.Chief, g.Strategist, g.Captain, g.Recruiter, g.Recruit}
	var members []*model.GuildMember
	for i, list := range ranks {
		for _, m := range list.Nodes {
			m.Rank = mongo.GuildRanks[i]
		}
		members = append(members, list.Nodes...)
	}
	g.Guild.SeasonResults = []*model.GuildSeasonResult{}
	for _, r := range g.SeasonResults {
		g.Guild.SeasonResults = append(g.Guild.SeasonResults, (*model.GuildSeasonResult)(&r))
	}
	if err := checkGuild(g, members); err != nil {
		return nil, err
	}
	i := &Import{Records: 1 + len(members)}
	i.apply = func(ctx context.Context, store *mongo.Store) (err error) {
		i.Changes, err = importGuild(ctx, store, &g.Guild, members)
		return err
	}
	return i, nil
}

func checkGuild(g *recordedGuild, members []*model.GuildMember) error {
	if err := errors.Join(checkUUID("uuid", g.UUID), mongo.CheckNames(g.Name, g.Prefix)); err != nil {
		return err
	}
	if g.Total.TotalCount != len(members) {
		return fmt.Errorf("total is %d, but there are %d members", g.Total.TotalCount, len(members))
	}
	seen := map[string]bool{}
	for _, m := range members {
		if err := errors.Join(checkUUID("uuid of a member", m.UUID), mongo.CheckNames(m.Username),
			exact("joined", &m.JoinedAt), exact("lastJoin", m.LastJoinedAt)); err != nil {
			return err
		}
		d := m.Totals
		switch {
		case seen[m.UUID]:
			return fmt.Errorf("duplicate member %q", m.UUID)
		case d != nil && d.Playtime != nil && m.Playtime != nil && *m.Playtime != *d.Playtime:
			return fmt.Errorf("the member %q has two playtimes", m.UUID)
		case m.Totals != nil && m.Wars != nil && *m.Wars != m.Totals.Wars:
			return fmt.Errorf("the member %q has two numbers of wars", m.UUID)
		}
		seen[m.UUID] = true
	}
	return exact("created", &g.CreatedAt)
}

// importGuild writes the guild first: if its name is taken, it writes nothing. It returns the changes to report.
func importGuild(ctx context.Context, store *mongo.Store, g *model.Guild, members []*model.GuildMember) (
	closed []string, err error,
) {
	uuids := make([]string, len(members))
	for i, m := range members {
		uuids[i] = m.UUID
	}
	known, err := store.Guilds.ByID(ctx, []string{g.UUID})
	if err != nil {
		return nil, err
	}
	players, err := store.Players.ByID(ctx, uuids)
	if err != nil {
		return nil, err
	}
	before, err := store.Players.ByGuild(ctx, []string{g.UUID})
	if err != nil {
		return nil, err
	}
	if old := known[0]; old != nil {
		g.PreviousRanking, g.PreviousRankingAt, g.RaidTallies = old.PreviousRanking, old.PreviousRankingAt, old.RaidTallies
		g.StoredColour, g.Captured, g.Lost = old.StoredColour, old.Captured, old.Lost
	}
	g.Flagged = true // for the next refresh of the leaderboards
	if err := store.Guilds.Import(ctx, []*model.Guild{g}); err != nil {
		return nil, err
	}
	var changed changes
	changed.guild(known[0], g)
	for i, m := range members {
		var stored *model.Player
		if players[i] != nil {
			stored = new(*players[i])
		}
		players[i] = importMember(g, m, players[i])
		closed = append(closed, closedRules(stored, players[i])...)
		changed.player(stored, players[i])
	}
	for _, p := range before[0] {
		if !slices.Contains(uuids, p.UUID) {
			stored := new(*p)
			p.Guild, p.Membership = nil, nil
			changed.player(stored, p)
			players = append(players, p)
		}
	}
	if err := store.Players.Import(ctx, players); err != nil {
		return closed, err
	}
	return closed, changed.record(ctx, store)
}

// importMember sets the recorded values on the member's player p, or on a new player if p is nil.
func importMember(g *model.Guild, m *model.GuildMember, p *model.Player) *model.Player {
	if p == nil {
		p = model.NewPlayer(m.UUID, m.Username)
	}
	before := *p
	stars := mongo.RankStars(m.Rank)
	p.Username = m.Username
	p.Guild = &model.GuildReference{UUID: g.UUID, Name: g.Name, Prefix: g.Prefix, Rank: &m.Rank, RankStars: &stars}
	p.Membership = &model.Membership{JoinedAt: m.JoinedAt, Contributed: m.Contributed}
	p.Online, p.World = m.Online != nil && *m.Online, m.World
	keep(&p.LegacyName, m.LegacyName)
	keep(&p.LastJoinedAt, m.LastJoinedAt)
	keep(&p.Weekly, m.Weekly)
	keep(&p.Playtime, m.Playtime)
	if m.Playtime == nil && m.Totals != nil {
		keep(&p.Playtime, m.Totals.Playtime)
	}
	if !p.Online {
		p.ActiveCharacter = nil
	}
	if !m.Restricted(model.MainAccess) {
		p.Flagged = true
		importTotals(g, m.Totals, p)
	}
	restricted, recorded := model.RestrictedBy(m.Restrictions)
	for rule := range model.NumAccessRules {
		if recorded.Has(rule) {
			p.Rules[rule] = recordedRule(&before, rule, restricted.Has(rule))
		}
		if restricted.Has(rule) {
			rule.CopyPlayer(p, &before) // hidden fields keep their stored values
		}
	}
	return p
}

// keep replaces a stored value if one was recorded.
func keep[T any](stored **T, recorded *T) {
	if recorded != nil {
		*stored = recorded
	}
}

// importTotals sets a member's totals. Recorded guild raids are runs with this guild and go into the history; a
// recording lacks the sum over all guilds.
func importTotals(g *model.Guild, d *model.GuildMemberTotals, p *model.Player) {
	if d == nil {
		return
	}
	old := p.Totals
	p.Totals = new(d.PlayerTotals)
	p.Totals.GuildRaids = nil
	if old != nil {
		p.Totals.GuildRaids = old.GuildRaids
	}
	here := slices.IndexFunc(p.GuildHistory, func(h *model.GuildHistoryEntry) bool { return h.UUID == g.UUID })
	entry := &model.GuildHistoryEntry{UUID: g.UUID, Name: g.Name, Prefix: g.Prefix, GuildRaids: d.GuildRaids}
	switch {
	case d.GuildRaids.Total < 1 && here >= 0:
		p.GuildHistory = slices.Delete(p.GuildHistory, here, here+1)
	case d.GuildRaids.Total < 1:
	case here >= 0:
		p.GuildHistory[here] = entry
	default:
		p.GuildHistory = slices.Insert(p.GuildHistory, 0, entry)
	}
}
