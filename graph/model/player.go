package model

import "time"

// Player is the record of one player and the schema's Player and PlayerIdentity. Fields missing from the schema are at
// the end. A stored record is not redacted: it lacks the Restrictions that the schema requires, so no record can be
// returned without redaction.
type Player struct {
	UUID            string  `json:"uuid"             bson:"_id"`
	Username        string  `json:"username" record:"name"`
	Online          bool    `json:"online"           record:"volatile"`
	World           *string `json:"world" bson:"server" record:"volatile"`
	ActiveCharacter *string `json:"activeCharacterUuid" bson:"activeCharacter" record:"volatile"`
	Nickname        *string `json:"nickname"`
	// Rank is the staff rank, such as `WebDev`.
	Rank string `json:"-" bson:"rank" record:"set=PlayerRank"`
	// RankBadge is the path of the rank's badge, relative to the asset host.
	RankBadge *string `json:"-" bson:"rankBadge" record:"set=PlayerRank"`
	// RankColours are the two colours of the rank.
	RankColours *RankColours `json:"-" bson:"legacyRankColour" record:"set=PlayerRank"`
	// ShortenedRank is the short form of the rank.
	ShortenedRank *string `json:"-" bson:"shortenedRank" record:"set=PlayerRank"`
	// SupportRank is the supporter rank, such as `vipplus`; null when none.
	SupportRank *Label `json:"supportRank" record:"set=PlayerRank"`
	// Veteran is the mark of players of long standing.
	Veteran      *bool      `json:"veteran" record:"set=PlayerRank,optional"`
	LastJoinedAt *time.Time `json:"lastJoinedAt" bson:"lastJoin"         record:"volatile"`
	// Guild is nil without a guild. Access rules depend on it.
	Guild *GuildReference `json:"guildMembership" bson:"guild" record:"purge"`
	// Ranking comes from an import; the next refresh of the boards takes precedence.
	Ranking         []*RankPosition `json:"ranking"         record:"volatile,guarded=MAIN_ACCESS"`
	PreviousRanking []*RankPosition `json:"previousRanking" record:"volatile,guarded=MAIN_ACCESS"`
	// PreviousRankingAt is when PreviousRanking was stored; nil if it never was, or by an import.
	PreviousRankingAt *time.Time      `json:"previousRankingAt" bson:"previousRankingAt,omitempty" record:"volatile"`
	FirstJoinedAt     *time.Time      `json:"firstJoinedAt" bson:"firstJoin"`
	Playtime          *float64        `json:"playtime"`
	Totals            *PlayerTotals   `json:"totals" bson:"globalData"`
	Featured          []*FeaturedStat `json:"featuredStats"`
	// Wallpaper is the id of the profile's wallpaper, `default` when none.
	Wallpaper string `json:"wallpaper" record:"set=Appearance"`
	// Avatar is the id of the profile's avatar, `default` when none.
	Avatar       string               `json:"avatar" record:"set=Appearance"`
	GuildHistory []*GuildHistoryEntry `json:"guildHistory"`

	// Redaction is the effect of Rules on the viewer; never stored.
	Redaction Redaction `json:"-" bson:"-"`

	// NameFold is the username folded for lookups without case; the store fills it.
	NameFold string `json:"-" bson:"nameFold"`
	// Rules are the player's privacy settings.
	Rules AccessRules `json:"-" bson:"rules" record:"purge"`
	// Address is the address from which the player joined; empty when offline.
	Address string `json:"-" bson:"address" record:"volatile"`
	// LegacyName is an older name, or nil.
	LegacyName *string `json:"-" bson:"legacyName,omitempty"`
	// Membership describes the membership in Guild; nil without a guild.
	Membership *Membership `json:"-" bson:"membership,omitempty" record:"played"`
	// Weekly is the progress on the weekly objective.
	Weekly *WeeklyProgress `json:"-" bson:"weekly,omitempty" record:"guarded=WEEKLY_ACCESS"`
	// Gambits counts the gambits used, by raid.
	Gambits []*RaidGambits `json:"-" bson:"gambits,omitempty" record:"volatile"`
	// Friends lists the uuids of the player's friends. Access rules depend on them.
	Friends []string `json:"-" bson:"friends,omitempty" record:"volatile,purge"`
	// Party is the id of the player's party; empty without a party.
	Party string `json:"-" bson:"party,omitempty" record:"volatile"`
	// Location is the position of the active character; nil when offline.
	Location *Position `json:"-" bson:"location,omitempty" record:"volatile"`
	// Flagged makes the next refresh of the leaderboards include the player although they are offline.
	Flagged bool `json:"-" bson:"flagged,omitempty" record:"volatile"`
	// Banned only keeps the player off the leaderboards.
	Banned bool `json:"-" bson:"banned,omitempty" record:"volatile,purge"`
	// AddedAt is when the record was added; zero if the record has always existed. The store sets it. Older data
	// under the same uuid belongs to a deleted record.
	AddedAt time.Time `json:"-" bson:"addedAt,omitempty" record:"volatile"`
	// Updated is the time of the last change; the store sets it.
	Updated time.Time `json:"-" bson:"updatedAt,omitempty" record:"volatile"`
}

// RankLabel returns the player as the schema's StaffRankLabel.
func (p *Player) RankLabel() *Player { return p }

// NewPlayer returns a player without statistics who shares everything.
func NewPlayer(uuid, username string) *Player {
	return &Player{
		UUID: uuid, Username: username, Rank: "Player", Wallpaper: "default", Avatar: "default",
		Rules: UniformAccessRules(Public),
	}
}

// PlayerTotals holds the totals over all characters of a player.
type PlayerTotals struct {
	ContentCompletion int64      `json:"contentCompletion" record:"counter,label=Content completed"`
	Wars              int64      `json:"wars"              record:"counter"`
	TotalLevel        int64      `json:"totalLevel"        record:"counter,metric=LEVEL"`
	MobsKilled        int64      `json:"mobsKilled"        record:"counter"`
	ChestsFound       int64      `json:"chestsFound"       record:"counter"`
	Dungeons          *CountList `json:"dungeons"          record:"counter"`
	Raids             *CountList `json:"raids"             record:"counter"`
	WorldEvents       int64      `json:"worldEvents"       record:"counter"`
	Lootruns          int64      `json:"lootruns"          record:"counter"`
	Caves             int64      `json:"caves"             record:"counter"`
	CompletedQuests   int64      `json:"completedQuests"   record:"counter,label=Quests,metric=QUESTS,sum=Quests"`
	// RaidStats holds statistics of raids; nil if no raid was played.
	RaidStats *RaidStats `json:"raidStats"`
	Pvp       *PvpStats  `json:"pvp"`
	// GuildRaids counts the raids with all guilds; nil if the record has no count.
	GuildRaids *CountList `json:"guildRaids" record:"counter,metric=GUILD_RAIDS,sum=none"`
}

// GuildMemberTotals holds the totals of a guild member. GuildRaids counts only raids in this guild.
type GuildMemberTotals struct {
	PlayerTotals
	Playtime *float64 `json:"playtime"`
}

// GuildReference is the reference to a guild in a player record, and the schema's GuildMembership.
type GuildReference struct {
	UUID      string  `json:"guildUuid"   bson:"uuid"`
	Name      string  `json:"guildName"   bson:"name"`
	Prefix    string  `json:"guildPrefix" bson:"prefix"`
	Rank      *string `json:"rank"`
	RankStars *string `json:"rankStars"`

	// JoinedAt and Contributed come from the player's Membership; never stored.
	JoinedAt    *time.Time `json:"-" bson:"-"`
	Contributed *int64     `json:"-" bson:"-"`
}

// GuildHistoryEntry is a guild in which a player completed guild raids.
type GuildHistoryEntry struct {
	UUID       string     `json:"guildUuid"   bson:"uuid"`
	Name       string     `json:"guildName"   bson:"name"`
	Prefix     string     `json:"guildPrefix" bson:"prefix"`
	GuildRaids *CountList `json:"guildRaids"`
}

// Membership describes a player's membership in a guild.
type Membership struct {
	JoinedAt    time.Time `json:"joined"`
	Contributed int64     `json:"contributed"`
}

// ShowsPresenceToAll reports whether everybody may see when the player is online.
func (p *Player) ShowsPresenceToAll() bool { return p.Rules[OnlineStatus].IsPublic() }

// ShownOnline returns whether the player is online, or nil if an access rule hides it.
func (p *Player) ShownOnline() *bool {
	if p.Restricted(OnlineStatus) {
		return nil
	}
	return &p.Online
}

// GambitCounts counts gambits by the points they give on raid boards: 10, 20 and 30.
type GambitCounts struct {
	Ten    int64 `json:"ten"`
	Twenty int64 `json:"twenty"`
	Thirty int64 `json:"thirty"`
}

// RaidGambits counts the gambits that a player used in one raid: in all runs, and in guild runs.
type RaidGambits struct {
	Raid  string       `json:"raid"`
	All   GambitCounts `json:"all"`
	Guild GambitCounts `json:"guild"`
}

// CountList is a total and its parts: the schema's DungeonCountList and RaidCountList.
type CountList struct {
	Total int64         `json:"total"`
	List  []*NamedCount `json:"list"`
}
