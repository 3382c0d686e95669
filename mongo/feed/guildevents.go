package feed

import (
	"slices"
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

func (e *GuildAdded) apply(b *Batch, r *records) error {
	if err := r.takeGuildName(e.Guild, e.Name, e.Prefix); err != nil {
		return err
	}
	g := NewGuild(string(e.Guild), e.Name, e.Prefix, r.at(e.At))
	b.GuildAdded(g)
	r.guilds[e.Guild] = g
	return nil
}

// takeGuildName checks a new name and tag of a guild.
func (r *records) takeGuildName(g GuildID, name, prefix string) error {
	fold := mongo.Fold(name)
	switch other := r.guildOfName[fold]; {
	case name == "":
		return invalid("name", "name is missing")
	case prefix == "":
		return invalid("prefix", "prefix is missing")
	case r.malformed[fold]:
		return conflict("name", "the record of the guild with the name %q is malformed", name)
	case other != "" && other != g:
		return conflict("name", "%q is the name of guild %s", name, other)
	}
	r.guildOfName[fold] = g
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

func (e *GuildRenamed) needs(n *needs) { n.guildNames, n.land = append(n.guildNames, e.Name), true }

func (e *GuildRenamed) apply(b *Batch, r *records) error {
	g := r.guilds[e.Guild]
	if err := r.takeGuildName(e.Guild, e.Name, e.Prefix); err != nil {
		return err
	}
	if g.NameFold != mongo.Fold(e.Name) {
		delete(r.guildOfName, g.NameFold)
	}
	b.GuildRenamed(g, e.Name, e.Prefix, r.members(g.UUID), r.held(g.UUID, nil))
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

func (e *GuildProgressed) apply(b *Batch, r *records) error {
	if err := checkLevel("", e.Level, e.XPPercent); err != nil {
		return err
	}
	b.GuildProgressed(r.guilds[e.Guild], e.Level, e.XPPercent)
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

func (e *GuildJoined) apply(b *Batch, r *records) error {
	p, g := r.players[e.Player], r.guilds[e.Guild]
	switch err := checkRank(e.Rank); {
	case err != nil:
		return err
	case p.Guild == nil:
		b.GuildJoined(p, g, e.Rank, r.at(e.At))
	case p.Guild.UUID == g.UUID:
		b.RankGiven(p, e.Rank)
	default:
		return conflict("player", "player %s is a member of guild %s", e.Player, p.Guild.UUID)
	}
	return nil
}

func checkRank(rank string) error {
	if !slices.Contains(mongo.GuildRanks, rank) {
		return invalid("rank", "rank is %q, want one of %q", rank, mongo.GuildRanks)
	}
	return nil
}

// GuildLeft ends a membership. It has no effect on a player without a guild.
type GuildLeft struct {
	Player PlayerID `json:"player"`
}

func (e *GuildLeft) apply(b *Batch, r *records) error {
	b.GuildLeft(r.players[e.Player])
	return nil
}

// RankGiven changes the rank of a guild member.
type RankGiven struct {
	Player PlayerID `json:"player"`
	// Rank is OWNER, CHIEF, STRATEGIST, CAPTAIN, RECRUITER or RECRUIT.
	Rank string `json:"rank"`
}

func (e *RankGiven) apply(b *Batch, r *records) error {
	p := r.players[e.Player]
	if err := checkRank(e.Rank); err != nil {
		return err
	}
	if p.Guild == nil {
		return conflict("player", "player %s has no guild", e.Player)
	}
	b.RankGiven(p, e.Rank)
	return nil
}

// Contributed adds experience that a member contributed to the guild.
type Contributed struct {
	Player PlayerID `json:"player"`
	// XP is the experience.
	XP int64 `json:"xp"`
}

func (e *Contributed) apply(b *Batch, r *records) error {
	p := r.players[e.Player]
	if e.XP < 0 {
		return invalid("xp", "xp is negative")
	}
	if p.Guild == nil || p.Membership == nil {
		return conflict("player", "player %s has no guild", e.Player)
	}
	b.Contributed(p, e.XP)
	return nil
}

// WarWon counts a war for a guild and its fighters.
type WarWon struct {
	Guild GuildID `json:"guild"`
	// Fighters are the characters that took part.
	Fighters []CharacterID `json:"fighters"`
}

func (e *WarWon) apply(b *Batch, r *records) error {
	var fighters []Fighter
	for i, id := range e.Fighters {
		if slices.Contains(e.Fighters[:i], id) {
			return invalid("fighters", "character %s is listed twice", id)
		}
		c := r.characters[id]
		fighters = append(fighters, Fighter{Player: r.owner(c), Character: c})
	}
	b.WarWon(r.guilds[e.Guild], fighters)
	return nil
}

// SeasonRated adds season rating to a guild.
type SeasonRated struct {
	Guild GuildID `json:"guild"`
	// Season is the number of a season.
	Season int `json:"season"`
	// Rating is the rating gained.
	Rating int64 `json:"rating"`
	// Territories is the number of territories that the guild holds. The last one is final when the season
	// ends.
	Territories int `json:"territories"`
	// At is when the rating was gained: from the beginning of the season to its end.
	At time.Time `json:"at,omitzero"`
}

func (e *SeasonRated) needs(n *needs) { n.seasons = true }

func (e *SeasonRated) apply(b *Batch, r *records) error {
	s, at := r.seasons[e.Season], r.at(e.At)
	switch {
	case s == nil:
		return &Error{Unknown, "season", "there is no such season"}
	case e.Rating < 0:
		return invalid("rating", "rating is negative")
	case e.Territories < 0:
		return invalid("territories", "territories is negative")
	case !b.SeasonRated(r.guilds[e.Guild], s, at, e.Rating, e.Territories):
		return conflict("at", "season %d is not running at %s", s.Number, at.Format(time.RFC3339))
	}
	return nil
}

// BannerSet sets the banner of a guild.
type BannerSet struct {
	Guild GuildID `json:"guild"`
	// Banner has base, tier, structure and layers of colour and pattern; null removes it.
	Banner *model.Banner `json:"banner"`
}

func (e *BannerSet) apply(b *Batch, r *records) error {
	if e.Banner != nil && e.Banner.Base == "" {
		return invalid("banner.base", "base is missing")
	}
	b.BannerSet(r.guilds[e.Guild], e.Banner)
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

func (e *GuildDisbanded) needs(n *needs) { n.land = true }

func (e *GuildDisbanded) apply(b *Batch, r *records) error {
	g := r.guilds[e.Guild]
	if g == nil {
		g = &model.Guild{UUID: string(e.Guild)}
	}
	b.GuildDisbanded(g, r.members(g.UUID), r.held(g.UUID, nil), r.at(e.At))
	delete(r.guilds, e.Guild)
	delete(r.guildOfName, g.NameFold)
	return nil
}
