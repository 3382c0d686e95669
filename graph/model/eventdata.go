package model

import (
	"fmt"
	"time"
)

// EventGuild is a guild with its name at the time of an event.
type EventGuild struct {
	UUID   string `json:"uuid"`
	Name   string `json:"name"`
	Prefix string `json:"prefix"`
}

// TerritoryCaptured means that a territory changed hands or became unclaimed.
type TerritoryCaptured struct {
	EventHead `json:"-" bson:"-" retention:"past"`

	Territory string `json:"territory" graphql:"territoryName" about:"Territories"`
	// From is the former holder, or nil if there was none. To is the new holder, or nil if the territory became
	// unclaimed.
	From *EventGuild `json:"from" about:"Guilds"`
	To   *EventGuild `json:"to" about:"Guilds"`
	// HeldSeconds is how long From held the territory or the territory was unclaimed; nil if unknown.
	HeldSeconds *int64 `json:"heldSeconds"`
}

// PlayerCameOnline means that a player joined the game.
type PlayerCameOnline struct {
	EventHead `json:"-" bson:"-" retention:"presence"`

	Player string `json:"player" graphql:"playerUuid"`
	// World is the world joined; nil when the player is on none yet.
	World *string `json:"world" about:"Worlds"`
	// Guild is the uuid of the player's guild; nil without one.
	Guild *string `json:"guild" graphql:"guildUuid" about:"Guilds"`
}

// PlayerWentOffline means that a player left the game.
type PlayerWentOffline struct {
	EventHead `json:"-" bson:"-" retention:"presence"`

	Player string `json:"player" graphql:"playerUuid"`
	// World is the world the player left, or nil if they were on none.
	World *string `json:"world" about:"Worlds"`
	// Guild is the uuid of the player's guild; nil without one.
	Guild *string `json:"guild" graphql:"guildUuid" about:"Guilds"`
}

// PlayerChangedWorld means that an online player entered another world, or left one.
type PlayerChangedWorld struct {
	EventHead `json:"-" bson:"-" retention:"presence"`

	Player string `json:"player" graphql:"playerUuid"`
	// From is nil if the player was on no world, To if the player is on no world now.
	From *string `json:"from" graphql:"fromWorld" about:"Worlds"`
	To   *string `json:"to" graphql:"toWorld" about:"Worlds"`
	// Guild is the uuid of the player's guild; nil without one.
	Guild *string `json:"guild" graphql:"guildUuid" about:"Guilds"`
}

// PlayerRenamed means that a player has another name.
type PlayerRenamed struct {
	EventHead `json:"-" bson:"-" retention:"past"`

	Player string `json:"player" graphql:"playerUuid"`
	From   string `json:"from" graphql:"fromName"`
	To     string `json:"to" graphql:"toName"`
}

// CharacterCreated means that a player has a new character.
type CharacterCreated struct {
	EventHead `json:"-" bson:"-" retention:"past"`

	Player    string `json:"player" graphql:"playerUuid"`
	Character string `json:"character" graphql:"characterUuid" about:"Characters"`
	// Class is the stored type, such as ARCHER.
	Class string `json:"class" graphql:"classKey"`
}

// CharacterLevelChanged means that a character has another combat level.
type CharacterLevelChanged struct {
	EventHead `json:"-" bson:"-" retention:"past"`

	Player    string `json:"player" graphql:"playerUuid"`
	Character string `json:"character" graphql:"characterUuid" about:"Characters"`
	From      int    `json:"from" graphql:"fromLevel"`
	To        int    `json:"to" graphql:"toLevel"`
}

// CharacterDied means that a hardcore character died for good.
type CharacterDied struct {
	EventHead `json:"-" bson:"-" retention:"past"`

	Player    string `json:"player" graphql:"playerUuid"`
	Character string `json:"character" graphql:"characterUuid" about:"Characters"`
	// Level is the combat level.
	Level int `json:"level"`
}

// GuildCreated means that a guild was founded.
type GuildCreated struct {
	EventHead `json:"-" bson:"-"`

	Guild EventGuild `json:"guild" about:"Guilds"`
}

// GuildUUID returns the uuid of the guild.
func (e *GuildCreated) GuildUUID() string { return e.Guild.UUID }

// Name returns the name of the guild at that time.
func (e *GuildCreated) Name() string { return e.Guild.Name }

// Prefix returns the tag of the guild at that time.
func (e *GuildCreated) Prefix() string { return e.Guild.Prefix }

// GuildLevelChanged means that a guild has another level.
type GuildLevelChanged struct {
	EventHead `json:"-" bson:"-"`

	Guild string `json:"guild" graphql:"guildUuid" about:"Guilds"`
	From  int    `json:"from" graphql:"fromLevel"`
	To    int    `json:"to" graphql:"toLevel"`
}

// GuildMemberJoined means that a player became a member of a guild.
type GuildMemberJoined struct {
	EventHead `json:"-" bson:"-" retention:"past"`

	Guild  string `json:"guild" graphql:"guildUuid" about:"Guilds"`
	Player string `json:"player" graphql:"playerUuid"`
	// Rank is the stored rank, such as RECRUIT.
	Rank string `json:"rank"`
}

// GuildMemberLeft means that a membership ended.
type GuildMemberLeft struct {
	EventHead `json:"-" bson:"-" retention:"past"`

	Guild  string `json:"guild" graphql:"guildUuid" about:"Guilds"`
	Player string `json:"player" graphql:"playerUuid"`
}

// GuildMemberRankChanged means that a member of a guild has another rank.
type GuildMemberRankChanged struct {
	EventHead `json:"-" bson:"-" retention:"past"`

	Guild  string `json:"guild" graphql:"guildUuid" about:"Guilds"`
	Player string `json:"player" graphql:"playerUuid"`
	// From and To are stored ranks, such as RECRUIT.
	From string `json:"from" graphql:"fromRank"`
	To   string `json:"to" graphql:"toRank"`
}

// GuildDisbanded means that a guild no longer exists. Its members leave without further events, but each of its
// territories causes a TerritoryCaptured.
type GuildDisbanded struct {
	EventHead `json:"-" bson:"-"`

	Guild EventGuild `json:"guild" about:"Guilds"`
}

// GuildUUID returns the uuid of the guild.
func (e *GuildDisbanded) GuildUUID() string { return e.Guild.UUID }

// Name returns the last name of the guild.
func (e *GuildDisbanded) Name() string { return e.Guild.Name }

// Prefix returns the last tag of the guild.
func (e *GuildDisbanded) Prefix() string { return e.Guild.Prefix }

// WarFinished means that a guild won a war.
type WarFinished struct {
	EventHead `json:"-" bson:"-"`

	Guild string `json:"guild" graphql:"guildUuid" about:"Guilds"`
	// Players are the fighters.
	Players []string `json:"players" graphql:"playerUuids"`
}

// RaidFinished means that a party completed a raid.
type RaidFinished struct {
	EventHead `json:"-" bson:"-"`

	Raid string `json:"raid"`
	// Guild is the guild of all raiders in a guild raid, else nil.
	Guild *string `json:"guild" graphql:"guildUuid" about:"Guilds"`
	// Players are the raiders.
	Players []string `json:"players" graphql:"playerUuids"`
}

// GuildWeekEnded sums up a week in which a guild captured or lost a territory, or won a war.
type GuildWeekEnded struct {
	EventHead `json:"-" bson:"-"`

	Guild string `json:"guild" graphql:"guildUuid" about:"Guilds"`
	// Week is the ISO week, such as 2026-W48.
	Week string `json:"week"`
	// Captured and Lost count territories, Wars the wars won.
	Captured int `json:"captured"`
	Lost     int `json:"lost"`
	Wars     int `json:"wars"`
}

// WeekName returns the ISO week of a time in UTC, such as 2026-W48.
func WeekName(at time.Time) string {
	year, week := at.UTC().ISOWeek()
	return fmt.Sprintf("%d-W%02d", year, week)
}

// SeasonStarted means that a guild season began.
type SeasonStarted struct {
	EventHead `json:"-" bson:"-"`

	Season int `json:"season" graphql:"seasonNumber"`
}

// SeasonEnded means that a guild season ended.
type SeasonEnded struct {
	EventHead `json:"-" bson:"-"`

	Season int `json:"season" graphql:"seasonNumber"`
}

// LeaderboardsRefreshed means that leaderboards were computed again.
type LeaderboardsRefreshed struct {
	EventHead `json:"-" bson:"-"`

	// Changed lists the types of boards with possibly changed entries.
	Changed []string `json:"changed" graphql:"types" about:"Leaderboards"`
}

// ArticlePublished means that a new article appeared.
type ArticlePublished struct {
	EventHead `json:"-" bson:"-"`

	Article int    `json:"article" graphql:"number"`
	Title   string `json:"title"`
}

// AccessRulesChanged means that a player shares more or less than before.
type AccessRulesChanged struct {
	EventHead `json:"-" bson:"-" internal:"true"`

	Player string `json:"player"`
	// Rules lists the keys of the rules that were set, such as mainAccess.
	Rules []string `json:"rules"`
}

// PresenceChange compares two states of a player record and returns the event for coming online, going offline or
// changing world, or nil.
func PresenceChange(old, p *Player) EventData {
	var guild *string
	if p.Guild != nil {
		guild = &p.Guild.UUID
	}
	switch {
	case !old.Online && p.Online:
		return &PlayerCameOnline{Player: p.UUID, World: p.World, Guild: guild}
	case old.Online && !p.Online:
		return &PlayerWentOffline{Player: p.UUID, World: old.World, Guild: guild}
	case p.Online && valueOf(old.World) != valueOf(p.World):
		return &PlayerChangedWorld{Player: p.UUID, From: old.World, To: p.World, Guild: guild}
	}
	return nil
}

// NameChange returns the event for a renamed player, or nil if the name is the same.
func NameChange(p *Player, before string) EventData {
	if before == p.Username {
		return nil
	}
	return &PlayerRenamed{Player: p.UUID, From: before, To: p.Username}
}

// HolderChange returns the event for a territory that changed hands at a time. since is when the former holder got it;
// nil if unknown.
func HolderChange(territory string, from, to *TerritoryGuild, since *time.Time, at time.Time) *TerritoryCaptured {
	e := &TerritoryCaptured{Territory: territory, From: from.EventGuild(), To: to.EventGuild()}
	if since != nil && !at.Before(*since) {
		seconds := int64(at.Sub(*since) / time.Second)
		e.HeldSeconds = &seconds
	}
	return e
}

// EventGuild converts the guild for an event; nil without a guild.
func (g *TerritoryGuild) EventGuild() *EventGuild {
	if g == nil || g.UUID == nil {
		return nil
	}
	return &EventGuild{UUID: *g.UUID, Name: valueOf(g.Name), Prefix: valueOf(g.Prefix)}
}

// Capture is a recorded capture of a territory.
type Capture struct {
	// ID is the id of the event.
	ID            string
	At            time.Time
	TerritoryName string
	From, To      *EventGuild
	HeldSeconds   *int64
}
