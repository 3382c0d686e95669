package simulator

import (
	"fmt"
	"strings"
)

// Kind is a kind of event that is counted.
type Kind int

// The kinds, in the order they are told in.
const (
	Logins Kind = iota
	Logouts
	WorldChanges
	Newcomers
	Characters
	Gains
	Levels
	ProfessionLevels
	Quests
	Dungeons
	Parties
	Raids
	GuildRaids
	Wars
	Captures
	GuildJoins
	GuildLeaves
	Promotions
	kinds
)

var kindNames = [kinds]string{
	"logins", "logouts", "world changes", "newcomers", "characters", "gains", "levels",
	"profession levels",
	"quests", "dungeons", "parties", "raids", "guild raids", "wars", "captures", "guild joins", "guild leaves",
	"promotions",
}

func (k Kind) String() string { return kindNames[k] }

// Tally counts events by kind.
type Tally [kinds]int

// String tells the counts for people, leaving out what did not happen.
func (t Tally) String() string {
	var out []string
	for k, n := range t {
		if n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, Kind(k)))
		}
	}
	if out == nil {
		return "nothing"
	}
	return strings.Join(out, ", ")
}
