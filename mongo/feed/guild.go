package feed

import (
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// GuildAdded adds a new guild. If its name is taken, Write returns mongo.ErrGuildName. The founder joins
// with GuildJoined.
func (b *Batch) GuildAdded(g *model.Guild) {
	g.NameFold, g.PrefixFold = mongo.Fold(g.Name), mongo.Fold(g.Prefix)
	b.newGuilds = append(b.newGuilds, g)
	b.guilds.added(g.UUID)
	b.record(g.Created, &model.GuildCreated{Guild: eventGuild(g)})
}

// GuildRenamed changes name and tag of a guild, and their copies in players and territories: in the store
// all of them, in memory those of the given members and territories. A player's history keeps the old
// name until the next guild raid.
func (b *Batch) GuildRenamed(g *model.Guild, name, prefix string, members []*model.Player, held []*model.Territory) {
	g.Name, g.Prefix, g.NameFold, g.PrefixFold = name, prefix, mongo.Fold(name), mongo.Fold(prefix)
	c := b.guild(g.UUID)
	c.set("name", g.Name)
	c.set("prefix", g.Prefix)
	c.set("nameFold", g.NameFold)
	c.set("prefixFold", g.PrefixFold)
	for _, p := range members {
		p.Guild.Name, p.Guild.Prefix = name, prefix
	}
	b.renameMembers(g)
	for _, t := range held {
		t.Guild.Name, t.Guild.Prefix = &name, &prefix
		b.territory(t).set("guild", t.Guild)
	}
}

// GuildProgressed sets the level of a guild and its progress to the next one in per cent.
func (b *Batch) GuildProgressed(g *model.Guild, level, xpPercent int) {
	if level != g.Level {
		b.record(time.Time{}, &model.GuildLevelChanged{Guild: g.UUID, From: g.Level, To: level})
	}
	g.Level, g.XPPercent = level, xpPercent
	c := b.guild(g.UUID)
	c.set("level", level)
	c.set("xpPercent", xpPercent)
}

// BannerSet sets the banner of a guild; nil removes it.
func (b *Batch) BannerSet(g *model.Guild, banner *model.Banner) {
	g.Banner = banner
	b.guild(g.UUID).set("banner", banner)
}

// GuildJoined makes a player a member. The player's history lists the guild after the first guild raid.
func (b *Batch) GuildJoined(p *model.Player, g *model.Guild, rank string, at time.Time) {
	stars := mongo.RankStars(rank)
	p.Guild = &model.GuildReference{UUID: g.UUID, Name: g.Name, Prefix: g.Prefix, Rank: &rank, RankStars: &stars}
	p.Membership = &model.Membership{Joined: at}
	c := b.player(p)
	c.set("guild", *p.Guild)
	c.set("membership", *p.Membership)
	b.record(at, &model.GuildMemberJoined{Guild: g.UUID, Player: p.UUID, Rank: rank})
}

// GuildLeft ends a membership.
func (b *Batch) GuildLeft(p *model.Player) {
	if p.Guild != nil {
		b.record(time.Time{}, &model.GuildMemberLeft{Guild: p.Guild.UUID, Player: p.UUID})
	}
	b.leaveGuild(p)
}

func (b *Batch) leaveGuild(p *model.Player) {
	p.Guild, p.Membership = nil, nil
	c := b.player(p)
	c.set("guild", nil)
	c.unset("membership")
}

// RankGiven changes the rank of a guild member.
func (b *Batch) RankGiven(p *model.Player, rank string) {
	stars := mongo.RankStars(rank)
	p.Guild.Rank, p.Guild.RankStars = &rank, &stars
	c := b.player(p)
	c.set("guild.rank", rank)
	c.set("guild.rankStars", stars)
}

// Contributed adds experience that a member contributed to the guild.
func (b *Batch) Contributed(p *model.Player, xp int64) {
	if p.Membership == nil {
		return
	}
	p.Membership.Contributed += xp
	b.player(p).inc("membership.contributed", xp)
}

// SeasonRated adds season rating to a guild and sets its number of territories, which is final when the
// season ends. It changes nothing and returns false when the season is not running at the time.
func (b *Batch) SeasonRated(g *model.Guild, season *model.GuildSeason, at time.Time, rating int64,
	territories int,
) bool {
	if at.Before(season.InitDate) || season.EndDate != nil && !at.Before(*season.EndDate) {
		return false
	}
	n := slices.IndexFunc(g.SeasonResults, func(r *model.GuildSeasonResult) bool {
		return r.SeasonNumber == season.Number
	})
	if n < 0 {
		n = len(g.SeasonResults)
		g.SeasonResults = append(g.SeasonResults, &model.GuildSeasonResult{SeasonNumber: season.Number})
	}
	g.SeasonResults[n].Rating += rating
	g.SeasonResults[n].FinalTerritories = territories
	b.guild(g.UUID).set("seasonRanks", g.SeasonResults)
	b.flag(g)
	return true
}
