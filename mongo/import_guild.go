package mongo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gamedata/graph/model"
)

// A recorded guild tells of its members what they show: that is stored with the players, those
// who are no members any more leave, and what a rule hid stays as the store has it. Territories
// and who is online are counted anew when the guild is asked for.

type recordedGuild struct {
	model.Guild
	Members *model.GuildMembers `json:"members"`
}

// guildRanks are the ranks in the order of WIRE §4.3, the highest with five stars.
var guildRanks = []string{"OWNER", "CHIEF", "STRATEGIST", "CAPTAIN", "RECRUITER", "RECRUIT"}

func readGuild(data json.RawMessage, _ map[string]any) (*Import, error) {
	g, err := decode[recordedGuild](data)
	if err != nil {
		return nil, err
	}
	members := g.Members
	lists := [][]*model.GuildMember{
		members.Owner, members.Chief, members.Strategist, members.Captain, members.Recruiter,
		members.Recruit,
	}
	var all []*model.GuildMember
	for i, list := range lists {
		for _, m := range list {
			m.Rank = guildRanks[i]
		}
		all = append(all, list...)
	}
	if err := checkGuild(g, all); err != nil {
		return nil, err
	}
	return &Import{Records: 1 + len(all), apply: func(ctx context.Context, s *Store) error {
		return s.importGuild(ctx,
			&g.Guild, all)
	}}, nil
}

func checkGuild(g *recordedGuild, members []*model.GuildMember) error {
	if uuid, ok := model.ParseUUID(g.UUID); !ok || uuid != g.UUID {
		return errors.New("uuid is not a uuid in lower case with dashes")
	}
	if g.Members.Total != len(members) {
		return fmt.Errorf("total says %d members, there are %d", g.Members.Total, len(members))
	}
	seen := map[string]bool{}
	for _, m := range members {
		uuid, ok := model.ParseUUID(m.UUID)
		switch {
		case !ok || uuid != m.UUID:
			return fmt.Errorf("%q of a member is not a uuid in lower case with dashes", m.UUID)
		case seen[uuid]:
			return fmt.Errorf("the member %s stands twice", uuid)
		case m.GlobalData != nil && m.Wars != nil && *m.Wars != m.GlobalData.Wars:
			return fmt.Errorf("the member %s has two numbers of wars", uuid)
		}
		seen[uuid] = true
		if err := errors.Join(exact("joined", &m.Joined), exact("lastJoin", m.LastJoin)); err != nil {
			return err
		}
	}
	return exact("created", &g.Created)
}

// importGuild writes the guild first: when its name is taken, nothing is written.
func (s *Store) importGuild(ctx context.Context, g *model.Guild, members []*model.GuildMember) error {
	uuids := make([]string, len(members))
	for i, m := range members {
		uuids[i] = m.UUID
	}
	known, err := s.GuildsByUUID(ctx, []string{g.UUID})
	if err != nil {
		return err
	}
	players, err := s.PlayersByUUID(ctx, uuids)
	if err != nil {
		return err
	}
	before, err := s.PlayersByGuild(ctx, []string{g.UUID})
	if err != nil {
		return err
	}
	if old := known[0]; old != nil {
		g.PreviousRanking, g.RaidTallies = old.PreviousRanking, old.RaidTallies
	}
	g.Flagged = true // so that the leaderboards learn of it
	if err := s.PutGuilds(ctx, []*model.Guild{g}); err != nil {
		return err
	}
	for i, m := range members {
		players[i] = importMember(g, m, players[i])
	}
	for _, p := range before[0] {
		if !slices.Contains(uuids, p.UUID) {
			p.Guild, p.Membership = nil, nil
			players = append(players, p)
		}
	}
	return s.PutPlayers(ctx, players)
}

// importMember is the player of a recorded member: as known, or new, with what is told.
func importMember(g *model.Guild, m *model.GuildMember, p *model.Player) *model.Player {
	if p == nil {
		p = &model.Player{
			UUID: m.UUID, Rank: "Player", Wallpaper: "default", Avatar: "default",
			Rules: rulesOf(&model.Restrictions{}),
		}
	}
	stars := strings.Repeat("★", len(guildRanks)-1-slices.Index(guildRanks, m.Rank))
	p.Username, p.LegacyName = m.Username, m.LegacyName
	p.Guild = &model.GuildReference{UUID: g.UUID, Name: g.Name, Prefix: g.Prefix, Rank: &m.Rank, RankStars: &stars}
	p.Membership = &model.Membership{Joined: m.Joined, Contributed: m.Contributed}
	p.Rules.OnlineStatus, p.Rules.MainAccess, p.Rules.WeeklyAccess = ruleOf(m.Restrictions.OnlineStatus),
		ruleOf(m.Restrictions.MainAccess), ruleOf(m.Restrictions.WeeklyAccess)
	if !m.Restrictions.OnlineStatus {
		p.Online, p.Server = m.Online, m.Server
		if !m.Online {
			p.ActiveCharacter = nil
		}
	}
	if !m.Restrictions.OnlineStatus && !m.Restrictions.MainAccess {
		p.LastJoin = m.LastJoin
	}
	if !m.Restrictions.WeeklyAccess {
		p.Weekly = m.Weekly
	}
	if !m.Restrictions.MainAccess {
		p.Playtime, p.Flagged = m.Playtime, true
		importTotals(g, m.GlobalData, p)
	}
	return p
}

// importTotals takes a member's totals. The guild raids among them are those of this guild:
// they belong to the history, the sum over all guilds is not told.
func importTotals(g *model.Guild, d *model.GuildMemberData, p *model.Player) {
	old := p.GlobalData
	if p.GlobalData = nil; d == nil {
		return
	}
	p.GlobalData = &model.PlayerGlobalData{
		ContentCompletion: d.ContentCompletion, Wars: d.Wars, TotalLevel: d.TotalLevel, MobsKilled: d.MobsKilled,
		ChestsFound: d.ChestsFound,
		Dungeons:    d.Dungeons, Raids: d.Raids, WorldEvents: d.WorldEvents, Lootruns: d.Lootruns, Caves: d.Caves,
		CompletedQuests: d.CompletedQuests,
		RaidStats:       d.RaidStats, Pvp: d.Pvp,
	}
	if old != nil {
		p.GlobalData.GuildRaids = old.GuildRaids
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

func readSeasons(data json.RawMessage, _ map[string]any) (*Import, error) {
	list, err := decode[[]*model.GuildSeason](data)
	if err != nil {
		return nil, err
	}
	for _, s := range *list {
		s.Enabled = true // what is not enabled is not answered
		dates := []error{exact("initDate", &s.InitDate), exact("endDate", s.EndDate)}
		for _, r := range append(slices.Clone(s.RatingRewards), s.LeaderboardRewards...) {
			dates = append(dates, exact("expires", r.Expires))
		}
		if err := errors.Join(dates...); err != nil {
			return nil, err
		}
	}
	return simple(*list, func(s *model.GuildSeason) string { return strconv.Itoa(s.Number) }, (*Store).PutSeasons)
}
