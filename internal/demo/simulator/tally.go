package simulator

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Kind is a kind of counted event.
type Kind int

// The kinds, in the order of reports.
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
	Deaths
	Deletions
	Ranks
	Rebuilds
	RuleChanges
	Banners
	Withdrawals
	kinds
)

var kindNames = [kinds]string{
	"login", "logout", "world change", "newcomer", "character", "gain", "level", "profession level", "quest",
	"dungeon", "party", "raid", "guild raid", "war", "capture", "guild join", "guild leave", "promotion",
	"death", "deleted character", "new rank", "rebuild", "rule change", "new banner", "withdrawal",
}

// String returns the kind's name in the singular.
func (k Kind) String() string { return kindNames[k] }

// count returns "1 login", "2 logins".
func (k Kind) count(n int) string {
	switch {
	case n == 1:
		return "1 " + k.String()
	case k == Parties:
		return fmt.Sprintf("%d parties", n)
	}
	return fmt.Sprintf("%d %ss", n, k)
}

// Tally counts events by kind.
type Tally [kinds]int

// MarshalJSON encodes the counts that are not 0 as an object. Its keys are the kinds in camelCase: "worldChange".
func (t Tally) MarshalJSON() ([]byte, error) {
	out := map[string]int{}
	for k, n := range t {
		if n == 0 {
			continue
		}
		words := strings.Fields(Kind(k).String())
		for i, word := range words[1:] {
			words[i+1] = strings.ToUpper(word[:1]) + word[1:]
		}
		out[strings.Join(words, "")] = n
	}
	return json.Marshal(out)
}

// String lists the counts that are not 0.
func (t Tally) String() string {
	var out []string
	for k, n := range t {
		if n > 0 {
			out = append(out, Kind(k).count(n))
		}
	}
	if out == nil {
		return "nothing"
	}
	return strings.Join(out, ", ")
}
