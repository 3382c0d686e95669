package model

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// AccessRule is one of the rules by which players decide who may see which of their data.
type AccessRule uint8

// The access rules, in the order in which they are stored and listed.
const (
	MainAccess AccessRule = iota
	CharacterListAccess
	CharacterDataAccess
	CharacterBuildAccess
	OnlineStatus
	GuildHistoryAccess
	WeeklyAccess

	// NumAccessRules is the number of rules: `for rule := range NumAccessRules` visits each.
	NumAccessRules
)

// AccessRuleInfo describes one access rule. accessRules is the only list of rules: all code that handles every rule
// derives from it.
type AccessRuleInfo struct {
	// Name is the rule's name in REST bodies and, if Scoped, the scope that lifts it: main_access.
	Name string
	// Key is the rule's name in stored documents and in the schema's objects: mainAccess.
	Key string
	// Title names the data that the rule hides, as a heading: "Statistics".
	Title string
	// Hides names the same data within a sentence, for settings and documentation: "statistics and playtime".
	Hides string
	// Note says in the settings what the rule does not hide; mostly empty.
	Note string
	// Scoped reports whether a user can grant an application a scope that lifts the rule.
	Scoped bool
	// Consent is the sentence about the scope on the consent page; empty unless Scoped.
	Consent string
	// ScopeDescription describes the scope in the OpenAPI document; empty unless Scoped.
	ScopeDescription string
}

var accessRules = [NumAccessRules]AccessRuleInfo{
	MainAccess: {
		Name: "main_access", Key: "mainAccess", Scoped: true,
		Title:            "Statistics and playtime",
		Hides:            "statistics, playtime, first and last join, positions on leaderboards",
		Note:             "It does not hide the statistics of single characters: characters have settings of their own.",
		Consent:          "See the statistics, playtime and first and last visit of your players",
		ScopeDescription: "Stats, playtime, dates of joining and rankings of the user's own players.",
	},
	CharacterListAccess: {
		Name: "character_list_access", Key: "characterListAccess", Scoped: true,
		Title:            "List of characters",
		Hides:            "which characters there are, also on leaderboards of characters",
		Consent:          "See the list of characters of your players",
		ScopeDescription: "Which characters the user's own players have.",
	},
	CharacterDataAccess: {
		Name: "character_data_access", Key: "characterDataAccess", Scoped: true,
		Title:            "Data of characters",
		Hides:            "level, quests, dungeons and professions of each character",
		Consent:          "See the data of each character: level, quests, dungeons, professions",
		ScopeDescription: "The data of these characters.",
	},
	CharacterBuildAccess: {
		Name: "character_build_access", Key: "characterBuildAccess", Scoped: true,
		Title:            "Skill points and abilities",
		Hides:            "skill points and unlocked abilities of each character",
		Consent:          "See skill points and abilities of your characters",
		ScopeDescription: "Their skill points and abilities.",
	},
	OnlineStatus: {
		Name: "online_status", Key: "onlineStatus", Scoped: true,
		Title: "Online status and location",
		Hides: "whether the player is online, on which world and where, the last join, and " +
			"the statistics over time",
		Consent:          "See whether your players are online, on which world, as which character and where on the map",
		ScopeDescription: "Whether the user's own players are online, on which world and where on the map.",
	},
	GuildHistoryAccess: {
		Name: "guild_history_access", Key: "guildHistoryAccess", Scoped: true,
		Title:            "Former guilds",
		Hides:            "the guilds before the present one",
		Consent:          "See the guilds that your players were in before",
		ScopeDescription: "The guilds they were in before.",
	},
	WeeklyAccess: {
		Name: "weekly_access", Key: "weeklyAccess",
		Title: "Weekly objectives",
		Hides: "progress on the weekly objective of the guild",
		Note:  "Applications never see them unless everyone does.",
	},
}

// The rules that hide parts of a record, in the order of the schema.
var (
	// PlayerRules are the rules of players and characters.
	PlayerRules = []AccessRule{
		MainAccess, CharacterListAccess, CharacterDataAccess, CharacterBuildAccess, OnlineStatus, GuildHistoryAccess,
	}
	// MemberRules are the rules of guild members.
	MemberRules = []AccessRule{OnlineStatus, MainAccess, WeeklyAccess}
	// EveryRule lists all rules.
	EveryRule = func() (rules []AccessRule) {
		for rule := range NumAccessRules {
			rules = append(rules, rule)
		}
		return rules
	}()
)

// Info describes the rule. The result must not be changed.
func (r AccessRule) Info() *AccessRuleInfo { return &accessRules[r] }

var accessRuleNames = func() (names [NumAccessRules]string) {
	for rule := range names {
		names[rule] = strings.ToUpper(accessRules[rule].Name)
	}
	return names
}()

// String returns the rule's name in the schema's enum: MAIN_ACCESS.
func (r AccessRule) String() string {
	if r >= NumAccessRules {
		return fmt.Sprintf("AccessRule(%d)", uint8(r))
	}
	return accessRuleNames[r]
}

// MarshalGQL writes the rule as the schema's enum.
func (r AccessRule) MarshalGQL(w io.Writer) { _, _ = io.WriteString(w, strconv.Quote(r.String())) }

// UnmarshalGQL reads a value of the schema's enum.
func (r *AccessRule) UnmarshalGQL(v any) error {
	text, _ := v.(string)
	return r.UnmarshalText([]byte(text))
}

// UnmarshalText reads a rule in any spelling: mainAccess, main_access or MAIN_ACCESS.
func (r *AccessRule) UnmarshalText(text []byte) error {
	for rule := range NumAccessRules {
		if plainText(string(text)) == plainText(rule.String()) {
			*r = rule
			return nil
		}
	}
	return fmt.Errorf("%s is not a valid AccessRule", text)
}
