package mongo

import (
	"slices"
	"strings"
	"time"

	"gamedata/graph/model"
)

// GuildRanks are the ranks of a guild, highest first (WIRE §4.3).
var GuildRanks = []string{"OWNER", "CHIEF", "STRATEGIST", "CAPTAIN", "RECRUITER", "RECRUIT"}

// rankStars are the stars of a rank: five for the owner, none for a recruit.
func rankStars(rank string) string {
	at := slices.Index(GuildRanks, rank)
	if at < 0 {
		return ""
	}
	return strings.Repeat("★", len(GuildRanks)-1-at)
}

// GuildAdded adds a new guild; a name that another has fails the feed with ErrGuildName.
// The founder joins it by GuildJoined.
func (f *Feed) GuildAdded(g *model.Guild) {
	g.NameFold, g.PrefixFold = Fold(g.Name), Fold(g.Prefix)
	f.newGuilds = append(f.newGuilds, g)
	f.guilds.added(g.UUID)
}

// GuildRenamed gives a guild another name and tag, also where players and territories
// repeat them: in the store everywhere, in memory in the members and territories given.
// What a guild was called in somebody's history stays until the next guild raid.
func (f *Feed) GuildRenamed(g *model.Guild, name, prefix string, members []*model.Player, held []*model.Territory) {
	g.Name, g.Prefix, g.NameFold, g.PrefixFold = name, prefix, Fold(name), Fold(prefix)
	c := f.guilds.at(g.UUID)
	c.set("name", g.Name)
	c.set("prefix", g.Prefix)
	c.set("nameFold", g.NameFold)
	c.set("prefixFold", g.PrefixFold)
	for _, p := range members {
		p.Guild.Name, p.Guild.Prefix = name, prefix
	}
	f.renameMembers(g)
	for _, t := range held {
		t.Guild.Name, t.Guild.Prefix = &name, &prefix
		f.territories.at(t.Name).set("guild", t.Guild)
	}
}

// GuildProgressed says where a guild stands: its level, and per cent of the next one.
func (f *Feed) GuildProgressed(g *model.Guild, level, xpPercent int) {
	g.Level, g.XPPercent = level, xpPercent
	c := f.guilds.at(g.UUID)
	c.set("level", level)
	c.set("xpPercent", xpPercent)
}

// GuildJoined makes a player a member. The history of the player tells of the guild from
// the first guild raid on.
func (f *Feed) GuildJoined(p *model.Player, g *model.Guild, rank string, at time.Time) {
	stars := rankStars(rank)
	p.Guild = &model.GuildReference{UUID: g.UUID, Name: g.Name, Prefix: g.Prefix, Rank: &rank, RankStars: &stars}
	p.Membership = &model.Membership{Joined: at}
	c := f.players.at(p.UUID)
	c.set("guild", *p.Guild)
	c.set("membership", *p.Membership)
}

// GuildLeft ends a membership.
func (f *Feed) GuildLeft(p *model.Player) {
	p.Guild, p.Membership = nil, nil
	c := f.players.at(p.UUID)
	c.set("guild", nil)
	c.unset("membership")
}

// RankGiven gives a member of a guild another rank.
func (f *Feed) RankGiven(p *model.Player, rank string) {
	stars := rankStars(rank)
	p.Guild.Rank, p.Guild.RankStars = &rank, &stars
	c := f.players.at(p.UUID)
	c.set("guild.rank", rank)
	c.set("guild.rankStars", stars)
}

// Contributed adds experience that a member gave to the guild.
func (f *Feed) Contributed(p *model.Player, xp int64) {
	if p.Membership == nil {
		return
	}
	p.Membership.Contributed += xp
	f.players.at(p.UUID).inc("membership.contributed", xp)
}

// SeasonRated adds season rating to a guild and says how many territories it holds now,
// which are its final ones when the season ends.
func (f *Feed) SeasonRated(g *model.Guild, season int, rating int64, territories int) {
	at := slices.IndexFunc(g.SeasonRanks, func(r *model.GuildSeasonRank) bool { return r.Season == season })
	if at < 0 {
		at, g.SeasonRanks = len(g.SeasonRanks), append(g.SeasonRanks, &model.GuildSeasonRank{Season: season})
	}
	g.SeasonRanks[at].Rating += rating
	g.SeasonRanks[at].FinalTerritories = territories
	f.guilds.at(g.UUID).set("seasonRanks", g.SeasonRanks)
	f.flag(g)
}
