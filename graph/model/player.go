package model

import "time"

// Player is the record of one player and the schema's Player and PlayerIdentity. What
// the schema does not show stands at the end. A record as stored has no Restrictions, so
// it cannot be answered before the access rules were applied to it.
type Player struct {
	UUID             string               `json:"uuid" bson:"_id"`
	Username         string               `json:"username"`
	Online           bool                 `json:"online"`
	Server           *string              `json:"server"`
	ActiveCharacter  *string              `json:"activeCharacter"`
	Nickname         *string              `json:"nickname"`
	Rank             string               `json:"rank"`
	RankBadge        *string              `json:"rankBadge"`
	LegacyRankColour *LegacyRankColour    `json:"legacyRankColour"`
	ShortenedRank    *string              `json:"shortenedRank"`
	SupportRank      *string              `json:"supportRank"`
	Veteran          *bool                `json:"veteran"`
	LastJoin         *time.Time           `json:"lastJoin"`
	Guild            *GuildReference      `json:"guild"`
	Ranking          []*RankPosition      `json:"ranking"`
	PreviousRanking  []*RankPosition      `json:"previousRanking"`
	FirstJoin        *time.Time           `json:"firstJoin"`
	Playtime         *float64             `json:"playtime"`
	GlobalData       *PlayerGlobalData    `json:"globalData"`
	FeaturedStats    []*FeaturedStat      `json:"featuredStats"`
	Wallpaper        string               `json:"wallpaper"`
	Avatar           string               `json:"avatar"`
	GuildHistory     []*GuildHistoryEntry `json:"guildHistory"`

	// Restrictions is the effect of Rules on the viewer; never stored.
	Restrictions *Restrictions `json:"restrictions" bson:"-"`

	// NameFold is the username folded for lookups without case; the store fills it.
	NameFold string `json:"-" bson:"nameFold"`
	// Rules says whom the player bars from what.
	Rules AccessRules `json:"-" bson:"rules"`
	// Address is where the player joined from, empty when offline.
	Address string `json:"-" bson:"address"`
}

// CountList is a total and its parts: the schema's DungeonCountList and RaidCountList.
type CountList struct {
	Total int64         `json:"total"`
	List  []*NamedCount `json:"list"`
}

// Access is the value of one access rule: who passes it (WIRE §4.8).
type Access string

// The values of a rule. GuildOrFriends is an older spelling of GuildAndFriends that is
// read and never written.
const (
	Public          Access = "public"
	Friend          Access = "friend"
	GuildOnly       Access = "guild"
	GuildAndFriends Access = "guildandfriends"
	GuildOrFriends  Access = "guildorfriends"
	Private         Access = "private"
)

// AccessRules are the rules a player set. An empty value is Public.
type AccessRules struct {
	MainAccess           Access `json:"mainAccess"`
	CharacterListAccess  Access `json:"characterListAccess"`
	CharacterDataAccess  Access `json:"characterDataAccess"`
	CharacterBuildAccess Access `json:"characterBuildAccess"`
	OnlineStatus         Access `json:"onlineStatus"`
	GuildHistoryAccess   Access `json:"guildHistoryAccess"`
	WeeklyAccess         Access `json:"weeklyAccess"`
}
