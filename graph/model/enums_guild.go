package model

import "github.com/99designs/gqlgen/graphql"

var guildRanks = newEnum("GuildRank", "OWNER", "CHIEF", "STRATEGIST", "CAPTAIN", "RECRUITER", "RECRUIT")

// MarshalGuildRank writes the rank of a guild member.
func MarshalGuildRank(s string) graphql.Marshaler { return guildRanks.Marshal(s) }

// UnmarshalGuildRank reads the rank of a guild member.
func UnmarshalGuildRank(v any) (string, error) { return guildRanks.Unmarshal(v) }

var territoryLevels = newEnum("TerritoryLevel", "VERY_LOW", "LOW", "MEDIUM", "HIGH", "VERY_HIGH")

// MarshalTerritoryLevel writes a level of treasury or defences.
func MarshalTerritoryLevel(s string) graphql.Marshaler { return territoryLevels.Marshal(s) }

// UnmarshalTerritoryLevel reads a level of treasury or defences.
func UnmarshalTerritoryLevel(v any) (string, error) { return territoryLevels.Unmarshal(v) }

var resourceTypes = newEnum("ResourceType", "EMERALD", "ORE", "WOOD", "FISH", "CROP")

// MarshalResourceType writes a resource of territories.
func MarshalResourceType(s string) graphql.Marshaler { return resourceTypes.Marshal(s) }

// UnmarshalResourceType reads a resource of territories.
func UnmarshalResourceType(v any) (string, error) { return resourceTypes.Unmarshal(v) }

var seasonRewardTypes = newEnum("SeasonRewardType", "BADGE", "EFFECT", "COSMETIC", "EMERALD",
	"PRIVATE_BANK_SLOT", "PUBLIC_BANK_SLOT", "GUILD_TOME", "STRUCTURE")

// MarshalSeasonRewardType writes the type of a reward.
func MarshalSeasonRewardType(s string) graphql.Marshaler { return seasonRewardTypes.Marshal(s) }

// UnmarshalSeasonRewardType reads the type of a reward.
func UnmarshalSeasonRewardType(v any) (string, error) { return seasonRewardTypes.Unmarshal(v) }

var seasonConditionTypes = newEnum("SeasonConditionType", "SR", "LEADERBOARD_POSITION")

// MarshalSeasonConditionType writes the type of a condition.
func MarshalSeasonConditionType(s string) graphql.Marshaler { return seasonConditionTypes.Marshal(s) }

// UnmarshalSeasonConditionType reads the type of a condition.
func UnmarshalSeasonConditionType(v any) (string, error) { return seasonConditionTypes.Unmarshal(v) }
