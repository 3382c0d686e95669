package seed

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
)

// topPoints is the number of ability points at the highest level.
const topPoints = 45

// buildsPerClass is the number of different builds per class.
const buildsPerClass = 24

// build is one order of unlocking a tree. Every prefix of ids is valid: each ability is linked to an
// earlier one and its requirements are met.
type build struct {
	ids    []string
	points []int // spent up to this ability
	level  []int // combat level required so far
}

var builds = sync.OnceValue(func() [][]build {
	out := make([][]build, len(classIDs))
	for class, g := range treeBuilders() {
		for n := range buildsPerClass {
			out[class] = append(out[class], g.walk(source(uint64(class), forBuild, uint64(n)), n%len(g.classTexts.Archetypes)))
		}
	}
	return out
})

func abilityPoints(level int) int { return min(1+level*topPoints/105, topPoints) }

// unlockedOf returns the abilities of a character: as many as its share of points allows.
func unlockedOf(r *rand.Rand, s *sheet) []string {
	b := &builds()[s.class][r.IntN(buildsPerClass)]
	points := int(s.unlocked * float64(abilityPoints(s.level)))
	n := 0
	for n < len(b.ids) && b.points[n] <= points && b.level[n] <= s.level {
		n++
	}
	return b.ids[:n:n]
}

// walk unlocks abilities one by one, preferring a favourite archetype and deeper ones.
func (g *treeBuilder) walk(r *rand.Rand, favourite int) build {
	byID := map[string]int{}
	for i, t := range g.talents {
		byID[strings.ToLower(t.Key)] = i
	}
	var b build
	have, locked := map[int]bool{}, map[int]bool{}
	perArchetype := [3]int{}
	for spent, level, open := 0, 1, []int{0}; len(open) > 0; {
		at, top := -1, 0.0
		for i, c := range open {
			t := g.talents[c]
			if have[c] || locked[c] || spent+t.Requirements.AbilityPoints > topPoints || !g.allows(t, have, perArchetype, byID) {
				continue
			}
			score := 1 + float64(t.row)/8 + 3*r.Float64()
			if t.archetype == favourite {
				score += 4
			}
			if score > top {
				at, top = i, score
			}
		}
		if at < 0 {
			break
		}
		c := open[at]
		open = slices.Delete(open, at, at+1)
		t := g.talents[c]
		have[c] = true
		if t.archetype != neutral {
			perArchetype[t.archetype]++
		}
		spent += t.Requirements.AbilityPoints
		if t.Requirements.CombatLevel != nil {
			level = max(level, *t.Requirements.CombatLevel)
		}
		b.ids, b.points, b.level = append(b.ids, t.Key), append(b.points, spent), append(b.level, level)
		open = append(open, known(byID, t.LinkKeys)...)
		for _, i := range known(byID, t.LockKeys) {
			locked[i] = true
		}
	}
	return b
}

// allows reports whether the requirements of an ability are met. Locks are mutual in these trees, so those
// of the unlocked abilities suffice.
func (g *treeBuilder) allows(t *talent, have map[int]bool, perArchetype [3]int, byID map[string]int) bool {
	for _, id := range t.Requirements.AbilityKeys {
		if !have[byID[strings.ToLower(id)]] {
			return false
		}
	}
	if a := t.Requirements.Archetype; a != nil {
		for i := range g.classTexts.Archetypes {
			if g.classTexts.Archetypes[i].ID == a.ArchetypeKey {
				return perArchetype[i] >= a.Amount
			}
		}
	}
	return true
}

// known returns the indexes of ids, ignoring case and dead ids.
func known(byID map[string]int, ids []string) []int {
	var out []int
	for _, id := range ids {
		if i, ok := byID[strings.ToLower(id)]; ok {
			out = append(out, i)
		}
	}
	return out
}
