package model

import "github.com/99designs/gqlgen/graphql"

var gamemodes = newEnum("Gamemode", "HARDCORE", "IRONMAN", "ULTIMATE_IRONMAN", "CRAFTSMAN", "HUNTED")

// MarshalGamemode writes a gamemode.
func MarshalGamemode(s string) graphql.Marshaler { return gamemodes.Marshal(s) }

// UnmarshalGamemode reads a gamemode.
func UnmarshalGamemode(v any) (string, error) { return gamemodes.Unmarshal(v) }

var staffRanks = newEnum("StaffRank", "PLAYER", "MEDIA", "BUILDER", "MODERATOR", "WEB_DEV", "ADMINISTRATOR", "OTHER")

// MarshalStaffRank writes a staff rank.
func MarshalStaffRank(s string) graphql.Marshaler { return staffRanks.Marshal(s) }

// UnmarshalStaffRank reads a staff rank.
func UnmarshalStaffRank(v any) (string, error) { return staffRanks.Unmarshal(v) }

var supportRanks = newEnum("SupportRank", "VIP", "VIP_PLUS", "HERO", "CHAMPION", "OTHER")

// MarshalSupportRank writes a supporter rank.
func MarshalSupportRank(s string) graphql.Marshaler { return supportRanks.Marshal(s) }

// UnmarshalSupportRank reads a supporter rank.
func UnmarshalSupportRank(v any) (string, error) { return supportRanks.Unmarshal(v) }
