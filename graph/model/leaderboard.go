package model

import "fmt"

// EntryKey identifies an entry of a leaderboard. The types of entries embed it.
type EntryKey struct {
	// Board is the type of the leaderboard.
	Board string
	// Position is that of the entry.
	Position int
	// UUID is the player or guild, Character the character on boards of characters. Both are empty for a restricted
	// entry, whose id must not name the player.
	UUID, Character string
}

// ID returns the global id of the entry.
func (k EntryKey) ID() string {
	switch {
	case k.UUID == "":
		return GlobalID("LeaderboardEntry", fmt.Sprintf("%s/%d", k.Board, k.Position))
	case k.Character != "":
		return GlobalID("LeaderboardEntry", k.Board+"/"+k.UUID+"/"+k.Character)
	}
	return GlobalID("LeaderboardEntry", k.Board+"/"+k.UUID)
}
