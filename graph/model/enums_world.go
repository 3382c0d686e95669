package model

import "github.com/99designs/gqlgen/graphql"

// The enums of classes and of the map.

var rarities = newEnum("Rarity", "UNIQUE", "RARE", "LEGENDARY", "FABLED", "MYTHIC")

// MarshalRarity writes how rare something is.
func MarshalRarity(s string) graphql.Marshaler { return rarities.Marshal(s) }

// UnmarshalRarity reads how rare something is.
func UnmarshalRarity(v any) (string, error) { return rarities.Unmarshal(v) }

var mapElementTypes = newEnum("AbilityMapElementType", "ABILITY", "CONNECTOR")

// MarshalAbilityMapElementType writes what is in a cell of a map.
func MarshalAbilityMapElementType(s string) graphql.Marshaler { return mapElementTypes.Marshal(s) }

// UnmarshalAbilityMapElementType reads what is in a cell of a map.
func UnmarshalAbilityMapElementType(v any) (string, error) { return mapElementTypes.Unmarshal(v) }

var difficulties = newEnum("Difficulty", "EASY", "MEDIUM", "HARD")

// MarshalDifficulty writes how hard content is.
func MarshalDifficulty(s string) graphql.Marshaler { return difficulties.Marshal(s) }

// UnmarshalDifficulty reads how hard content is.
func UnmarshalDifficulty(v any) (string, error) { return difficulties.Unmarshal(v) }

var contentLengths = newEnum("ContentLength", "SHORT", "MEDIUM", "LONG")

// MarshalContentLength writes how long content is.
func MarshalContentLength(s string) graphql.Marshaler { return contentLengths.Marshal(s) }

// UnmarshalContentLength reads how long content is.
func UnmarshalContentLength(v any) (string, error) { return contentLengths.Unmarshal(v) }

var requirementTypes = newEnum("ContentRequirementType", "COMBAT_LEVEL", "QUEST", "GLOBAL_QUEST")

// MarshalContentRequirementType writes what content needs.
func MarshalContentRequirementType(s string) graphql.Marshaler { return requirementTypes.Marshal(s) }

// UnmarshalContentRequirementType reads what content needs.
func UnmarshalContentRequirementType(v any) (string, error) { return requirementTypes.Unmarshal(v) }

var lootPoolTypes = newEnum("LootPoolType", "CAMP", "RAID")

// MarshalLootPoolType writes what has a loot pool.
func MarshalLootPoolType(s string) graphql.Marshaler { return lootPoolTypes.Marshal(s) }

// UnmarshalLootPoolType reads what has a loot pool.
func UnmarshalLootPoolType(v any) (string, error) { return lootPoolTypes.Unmarshal(v) }

var rewardTypes = newEnum("RewardType", "ITEM", "TOME", "ASPECT", "CURRENCY", "INGREDIENT", "WARD", "OTHER")

// MarshalRewardType writes what a reward is.
func MarshalRewardType(s string) graphql.Marshaler { return rewardTypes.Marshal(s) }

// UnmarshalRewardType reads what a reward is.
func UnmarshalRewardType(v any) (string, error) { return rewardTypes.Unmarshal(v) }

var nodeTypes = newEnum("GatheringNodeType", "NODE", "WALL", "CORNER")

// MarshalGatheringNodeType writes where a gathering node is.
func MarshalGatheringNodeType(s string) graphql.Marshaler { return nodeTypes.Marshal(s) }

// UnmarshalGatheringNodeType reads where a gathering node is.
func UnmarshalGatheringNodeType(v any) (string, error) { return nodeTypes.Unmarshal(v) }
