package seed

import (
	"encoding/json"
	"fmt"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
)

// Member describes a player. Players of the cast have the same name, uuid and purpose in every world.
type Member struct {
	Username string
	// UUID of the player. The nth character (from 1) of Cast[i] is CharacterUUID(i, n).
	UUID string
	// Shows describes the case that the player demonstrates; empty outside the cast.
	Shows string
	// Idle marks a player who never plays, because playing would end the case.
	Idle bool

	Nickname, LegacyName   string
	Rank, Support          string
	Veteran, Banned        bool
	NoRankDrawn            bool // rank badge, colour, short form and veteran are null
	Server, Address, Party string
	Friends                []string // uuids
	Featured               []string
	Rules                  map[string]model.Access // rules that are not public
	AgeHours               int                     // since the first join
	Guild                  string                  // its tag
	GuildRank              string
	FormerGuilds           []string // their tags, newest first
	Raids                  bool     // whether they raid, from RaidLevel on
	UnnamedRaids           int      // completions of the unnamed raid

	// Characters lists the differences of the characters' records from generated ones.
	Characters []json.RawMessage
}

// Cast lists the first players of every world. They cover every case that a client can meet, the important ones among
// the first ten.
var Cast = content.Records[Member]("cast.json")

// CharacterUUID returns the uuid of the nth character, from 1, of Cast[i].
func CharacterUUID(i, n int) string {
	switch {
	case i == 0 && n == 1:
		return "6c1f0b52-8f3e-4d0a-b7a1-2e9c4d5f6a70"
	case i == 0 && n == 2:
		return "f0a9d3c4-51b2-4e67-9a88-7b6c5d4e3f21"
	case i == 1 && n == 1:
		return "e8b16f03-7c2d-45a9-b0e4-3d5a8c917f26"
	}
	return fmt.Sprintf("c0000000-0000-4000-8000-%012d", 100*i+n)
}
