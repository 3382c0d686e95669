package model

import "time"

// Guild is the record of one guild and the schema's Guild. Player records name their guild.
type Guild struct {
	UUID            string               `json:"uuid"            bson:"_id"`
	Name            string               `json:"name" record:"name"`
	Prefix          string               `json:"prefix" record:"name"`
	Level           int                  `json:"level"`
	XPPercent       int                  `json:"xpPercent"`
	Wars            *int64               `json:"wars"`
	TotalGuildRaids int64                `json:"totalGuildRaids"`
	CreatedAt       time.Time            `json:"createdAt" bson:"created"`
	Banner          *Banner              `json:"banner"`
	SeasonResults   []*GuildSeasonResult `json:"seasonRanks"`
	// Ranking comes from an import; the next refresh of the boards takes precedence.
	Ranking         []*RankPosition `json:"ranking" record:"volatile"`
	PreviousRanking []*RankPosition `json:"previousRanking" record:"volatile"`
	// PreviousRankingAt is when PreviousRanking was stored; nil if it never was, or by an import.
	PreviousRankingAt *time.Time `json:"previousRankingAt" bson:"previousRankingAt,omitempty" record:"volatile"`

	// StoredColour is the colour #rrggbb chosen when the guild first held a territory; empty before.
	StoredColour string `json:"-" bson:"colour,omitempty"`
	// NameFold and PrefixFold are name and prefix folded for lookups without case; the store fills them.
	NameFold   string `json:"-" bson:"nameFold"`
	PrefixFold string `json:"-" bson:"prefixFold"`
	// RaidTallies count the raids of the guild, former members included.
	RaidTallies []*RaidTally `json:"-" bson:"raidTallies,omitempty" record:"volatile"`
	// Captured and Lost count the captures in which the guild won or lost a territory.
	Captured int64 `json:"-" bson:"captured,omitempty" record:"volatile"`
	Lost     int64 `json:"-" bson:"lost,omitempty"     record:"volatile"`
	// Flagged makes the next refresh of the leaderboards include the guild.
	Flagged bool `json:"-" bson:"flagged,omitempty" record:"volatile"`
	// AddedAt is when the record was added; zero if the record has always existed. The store sets it. Older data
	// under the same uuid belongs to a deleted record.
	AddedAt time.Time `json:"-" bson:"addedAt,omitempty" record:"volatile"`
	// Updated is the time of the last change; the store sets it.
	Updated time.Time `json:"-" bson:"updatedAt,omitempty" record:"volatile"`
}

// FormerGuild is what remains of a disbanded guild: the final standings of ended seasons refer to it.
type FormerGuild struct {
	UUID          string               `json:"uuid"        bson:"_id"`
	Name          string               `json:"name"`
	Prefix        string               `json:"prefix"`
	Banner        *Banner              `json:"banner"`
	SeasonResults []*GuildSeasonResult `json:"seasonRanks"`
	// AddedAt is when the guild was added, and Disbanded when it was disbanded. Only seasons that ended in between
	// count.
	AddedAt   time.Time `json:"-" bson:"addedAt,omitempty"`
	Disbanded time.Time `json:"disbanded"`
	// Before is the previous guild with the same uuid, or nil.
	Before *FormerGuild `json:"-" bson:"before,omitempty"`
}

// At returns the guild with the uuid at the end of a season, or nil if there was none or it is unknown.
func (f *FormerGuild) At(end time.Time) *FormerGuild {
	for f != nil && f.AddedAt.After(end) {
		f = f.Before
	}
	if f == nil || f.Disbanded.Before(end) {
		return nil
	}
	return f
}

// RaidTally counts the completed runs of a raid by a guild, and the gambits that the raiders used.
type RaidTally struct {
	Raid        string       `json:"raid"`
	Completions int64        `json:"completions"`
	Gambits     GambitCounts `json:"gambits"`
}

// GuildSeasonResult is a guild's result in a season.
type GuildSeasonResult struct {
	SeasonNumber int   `json:"season"`
	Rating       int64 `json:"rating"`
	// FinalTerritories is the number of territories held at the end, or now while the season runs.
	FinalTerritories int `json:"finalTerritories"`
}

// GuildSeason is the record of a season and the schema's GuildSeason.
type GuildSeason struct {
	Number                    int             `json:"number"                    bson:"_id"`
	TerritoryHoldingSrPerHour int             `json:"territoryHoldingSrPerHour"`
	SrPerWar                  int             `json:"srPerWar"`
	RatingRewardList          []*SeasonReward `json:"ratingRewards"`
	LeaderboardRewardList     []*SeasonReward `json:"leaderboardRewards"`
	StartsAt                  time.Time       `json:"startsAt" bson:"initDate"`
	EndsAt                    *time.Time      `json:"endsAt" bson:"endDate"`

	// Enabled reports whether the season may be shown at all.
	Enabled bool `json:"-" bson:"enabled"`
}

// RankChange returns the event for a member whose rank changed while they stayed in the guild. It returns nil for
// others, and if a rank is unknown.
func RankChange(old, p *Player) *GuildMemberRankChanged {
	if old.Guild == nil || p.Guild == nil || old.Guild.UUID != p.Guild.UUID || old.Guild.Rank == nil ||
		p.Guild.Rank == nil || *old.Guild.Rank == *p.Guild.Rank {
		return nil
	}
	return &GuildMemberRankChanged{Guild: p.Guild.UUID, Player: p.UUID, From: *old.Guild.Rank, To: *p.Guild.Rank}
}
