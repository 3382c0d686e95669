package model

import "fmt"

// EntryKey identifies an entry of a leaderboard. The types of entries embed it.
type EntryKey struct {
	// Board is the type of the leaderboard.
	Board    string
	Position int
	// UUID identifies the player or guild, Character the character on boards of characters. Both are empty for a
	// restricted entry, whose id must not name the player.
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

// Raid is a raid of the game. Its leaderboards and the zeros in lists of guild raids follow from its record.
type Raid struct {
	// Name is unique and appears in lists of raids.
	Name string `json:"name"`
	// Board is the prefix of the names of its leaderboards, such as colossus in colossusCompletion.
	Board string `json:"board"`
	// Order sorts the raids in lists and catalogues.
	Order int `json:"order"`
}

// KnownRaids lists the raids for a store without raid records.
var KnownRaids = []*Raid{
	{Name: "Nest of the Grootslangs", Board: "grootslang", Order: 1},
	{Name: "Orphion's Nexus of Light", Board: "orphion", Order: 2},
	{Name: "The Canyon Colossus", Board: "colossus", Order: 3},
	{Name: "The Nameless Anomaly", Board: "nameless", Order: 4},
	{Name: "The Wartorn Palace", Board: "fruma", Order: 5},
}

// Raids lists the names of KnownRaids.
var Raids = func() (names []string) {
	for _, r := range KnownRaids {
		names = append(names, r.Name)
	}
	return names
}()
