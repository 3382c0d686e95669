package feed

import (
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// GuildAdded adds a new guild of level 1. The founder joins with GuildJoined.
type GuildAdded struct {
	// Guild is the uuid of the new guild.
	Guild GuildID `json:"guild" feed:"added"`
	// Name is the guild's name, which no other guild has, case ignored.
	Name string `json:"name"`
	// Prefix is the guild's tag.
	Prefix string `json:"prefix"`
	// At is when the guild was founded.
	At time.Time `json:"at,omitzero"`
}

func (e *GuildAdded) needs(n *needs) { n.guildNames = append(n.guildNames, e.Name) }

func (e *GuildAdded) apply(g *Game) error {
	if err := g.takeGuildName(e.Guild, e.Name); err != nil {
		return err
	}
	guild := NewGuild(string(e.Guild), e.Name, e.Prefix, g.at(e.At))
	g.guilds.now[e.Guild] = guild
	g.record(guild.CreatedAt, &model.GuildCreated{Guild: eventGuild(guild)})
	return nil
}

func eventGuild(g *model.Guild) model.EventGuild {
	return model.EventGuild{UUID: g.UUID, Name: g.Name, Prefix: g.Prefix}
}

// takeGuildName claims a new name for a guild, or reports that it is taken.
func (g *Game) takeGuildName(id GuildID, name string) error {
	fold := mongo.Fold(name)
	switch other := g.guildOfName[fold]; {
	case g.malformed[fold]:
		return conflict("name", "the record of the guild with the name %q is malformed", name)
	case other != "" && other != id:
		return conflict("name", "%q is the name of guild %s", name, other)
	}
	g.guildOfName[fold] = id
	return nil
}

// GuildRenamed changes name and tag of a guild everywhere. A player's history keeps the old name until
// the next guild raid.
type GuildRenamed struct {
	Guild GuildID `json:"guild"`
	// Name is the new name, which no other guild has, case ignored.
	Name string `json:"name"`
	// Prefix is the new tag.
	Prefix string `json:"prefix"`
}

func (e *GuildRenamed) needs(n *needs) {
	n.guildNames, n.membersOf, n.land = append(n.guildNames, e.Name), append(n.membersOf, string(e.Guild)), true
}

func (e *GuildRenamed) apply(g *Game) error {
	guild := g.guilds.now[e.Guild]
	before := mongo.Fold(guild.Name)
	if err := g.takeGuildName(e.Guild, e.Name); err != nil {
		return err
	}
	if before != mongo.Fold(e.Name) {
		delete(g.guildOfName, before)
	}
	g.lock("guild", guild.UUID)
	g.lockLand(guild.UUID)
	guild.Name, guild.Prefix = e.Name, e.Prefix
	for _, p := range g.members(guild.UUID) {
		p.Guild.Name, p.Guild.Prefix = e.Name, e.Prefix
	}
	for _, t := range g.held(guild.UUID, nil) {
		t.Guild.Name, t.Guild.Prefix = &e.Name, &e.Prefix
	}
	return nil
}

// GuildProgressed sets the level of a guild.
type GuildProgressed struct {
	Guild GuildID `json:"guild"`
	// Level is the level, at least 1.
	Level int `json:"level"`
	// XPPercent is the progress to the next level, 0 to 100.
	XPPercent int `json:"xpPercent"`
}

func (e *GuildProgressed) apply(g *Game) error {
	if err := checkLevel("", e.Level, e.XPPercent); err != nil {
		return err
	}
	guild := g.guilds.now[e.Guild]
	if e.Level != guild.Level {
		g.record(time.Time{}, &model.GuildLevelChanged{Guild: guild.UUID, From: guild.Level, To: e.Level})
	}
	guild.Level, guild.XPPercent = e.Level, e.XPPercent
	return nil
}

// GuildJoined makes a player a member of a guild. The player's history lists the guild after the first
// guild raid.
type GuildJoined struct {
	// Player is in no guild, or in this one already: then only the rank changes.
	Player PlayerID `json:"player"`
	Guild  GuildID  `json:"guild"`
	// Rank is OWNER, CHIEF, STRATEGIST, CAPTAIN, RECRUITER or RECRUIT.
	Rank string `json:"rank"`
	// At is when the player joined the guild.
	At time.Time `json:"at,omitzero"`
}

func (e *GuildJoined) apply(g *Game) error {
	p, guild := g.players.now[e.Player], g.guilds.now[e.Guild]
	switch err := oneOf("rank", e.Rank, mongo.GuildRanks); {
	case err != nil:
		return err
	case p.Guild == nil:
		g.lock("guild", guild.UUID)
		p.Guild = &model.GuildReference{UUID: guild.UUID, Name: guild.Name, Prefix: guild.Prefix}
		p.Membership = &model.Membership{JoinedAt: g.at(e.At)}
		g.record(e.At, &model.GuildMemberJoined{Guild: guild.UUID, Player: p.UUID, Rank: e.Rank})
	case p.Guild.UUID != guild.UUID:
		return conflict("player", "player %s is a member of guild %s", e.Player, p.Guild.UUID)
	}
	g.setRank(p, e.Rank)
	return nil
}

func (g *Game) setRank(p *model.Player, rank string) {
	if old := p.Guild.Rank; old != nil && *old != rank {
		g.record(time.Time{}, &model.GuildMemberRankChanged{Guild: p.Guild.UUID, Player: p.UUID, From: *old, To: rank})
	}
	p.Guild.Rank, p.Guild.RankStars = &rank, new(mongo.RankStars(rank))
}

// GuildLeft ends a membership. It has no effect on a player without a guild.
type GuildLeft struct {
	Player PlayerID `json:"player"`
}

func (e *GuildLeft) apply(g *Game) error {
	if p := g.players.now[e.Player]; p.Guild != nil {
		g.record(time.Time{}, &model.GuildMemberLeft{Guild: p.Guild.UUID, Player: p.UUID})
		p.Guild, p.Membership = nil, nil
	}
	return nil
}

// RankGiven changes the rank of a guild member.
type RankGiven struct {
	Player PlayerID `json:"player"`
	// Rank is OWNER, CHIEF, STRATEGIST, CAPTAIN, RECRUITER or RECRUIT.
	Rank string `json:"rank"`
}

func (e *RankGiven) apply(g *Game) error {
	p := g.players.now[e.Player]
	if err := oneOf("rank", e.Rank, mongo.GuildRanks); err != nil {
		return err
	}
	if p.Guild == nil {
		return conflict("player", "player %s has no guild", e.Player)
	}
	g.setRank(p, e.Rank)
	return nil
}

// Contributed adds experience that a member contributed to the guild.
type Contributed struct {
	Player PlayerID `json:"player"`
	// XP is the experience.
	XP int64 `json:"xp"`
}

func (e *Contributed) apply(g *Game) error {
	p := g.players.now[e.Player]
	if p.Guild == nil || p.Membership == nil {
		return conflict("player", "player %s has no guild", e.Player)
	}
	model.Raise(&p.Membership.Contributed, e.XP)
	return nil
}

// BannerSet sets the banner of a guild.
type BannerSet struct {
	Guild GuildID `json:"guild"`
	// Banner has base, tier, structure and layers of colour and pattern; null removes it.
	Banner *model.Banner `json:"banner"`
}

func (e *BannerSet) apply(g *Game) error {
	if e.Banner != nil && e.Banner.Base == "" {
		return invalid("banner.base", "base is missing")
	}
	g.guilds.now[e.Guild].Banner = e.Banner
	return nil
}

// GuildDisbanded deletes a guild: its members have no guild, its territories fall free, and it leaves the
// leaderboards with the next refresh, except the final standings of seasons that have ended. The histories
// of players keep it. To disband a guild that is not in the store has no effect.
type GuildDisbanded struct {
	Guild GuildID `json:"guild" feed:"deleted"`
	// At is when the guild was disbanded.
	At time.Time `json:"at,omitzero"`
}

func (e *GuildDisbanded) needs(n *needs) {
	n.membersOf, n.land = append(n.membersOf, string(e.Guild)), true
	n.former = append(n.former, string(e.Guild))
}

func (e *GuildDisbanded) apply(g *Game) error {
	guild, at := g.guilds.now[e.Guild], g.at(e.At)
	if guild == nil {
		return nil
	}
	g.lock("guild", guild.UUID)
	g.lockLand(guild.UUID)
	for _, t := range g.held(guild.UUID, nil) {
		g.free(t, at)
	}
	for _, p := range g.members(guild.UUID) {
		p.Guild, p.Membership = nil, nil
		g.stale = append(g.stale, "player:"+p.UUID)
	}
	g.record(at, &model.GuildDisbanded{Guild: eventGuild(guild)})
	g.formerGuilds = append(g.formerGuilds, &model.FormerGuild{
		UUID: guild.UUID, Name: guild.Name, Prefix: guild.Prefix, Banner: guild.Banner,
		SeasonResults: guild.SeasonResults, AddedAt: guild.AddedAt, Disbanded: at, Before: g.former[guild.UUID],
	})
	g.guilds.remove(e.Guild)
	g.gone[guild.UUID] = true
	delete(g.guildOfName, mongo.Fold(guild.Name))
	return nil
}
