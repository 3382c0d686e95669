package seed

import (
	"math/rand/v2"
	"slices"
	"sync"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
)

// topPoints is the number of ability points at the highest level.
const topPoints = 45

// build is an order of unlocking the abilities of a class. Every prefix is valid: each ability is linked to an earlier
// one and its requirements are met.
type build struct {
	Class     string
	Abilities []string

	requirements []*model.AbilityRequirements // of the abilities
}

// builds are the builds of each class.
var builds = sync.OnceValue(func() map[string][]*build {
	requirements := map[string]*model.AbilityRequirements{}
	for _, tree := range AbilityTrees() {
		for _, page := range tree.Pages {
			for _, a := range page.Abilities {
				requirements[tree.Key+a.Key] = a.Requirements
			}
		}
	}
	out := map[string][]*build{}
	for _, b := range content.Read[build]("builds") {
		for _, ability := range b.Abilities {
			b.requirements = append(b.requirements, requirements[b.Class+ability])
		}
		out[b.Class] = append(out[b.Class], b)
	}
	return out
})

func abilityPoints(level int) int { return min(1+level*topPoints/105, topPoints) }

// unlockedOf returns the abilities of a character: as many as its share of points and its level allow.
func unlockedOf(r *rand.Rand, s *sheet) []string {
	b := pick(r, builds()[model.ClassIDs[s.Class]])
	left := int(s.Unlocked * float64(abilityPoints(s.Level)))
	for n, q := range b.requirements {
		left -= q.AbilityPoints
		if left < 0 || q.CombatLevel != nil && *q.CombatLevel > s.Level {
			return slices.Clip(b.Abilities[:n])
		}
	}
	return b.Abilities
}
