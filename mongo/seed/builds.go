package seed

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
)

// A character at the top spends so many ability points.
const topPoints = 45

// buildsPerClass is how many ways through a tree characters of a class take.
const buildsPerClass = 24

// build is one way through a tree. Each beginning of ids may be unlocked as a whole: every
// ability is reached over a link from one before it and has what it needs.
type build struct {
	ids    []string
	points []int // spent with this one and all before it
	level  []int // combat level needed so far
}

var builds = sync.OnceValue(func() [][]build {
	out := make([][]build, len(classIDs))
	for class, g := range groves() {
		for n := range buildsPerClass {
			out[class] = append(out[class], g.walk(source(uint64(class), forBuild, uint64(n)), n%len(g.calling.archetypes)))
		}
	}
	return out
})

// abilityPoints is how many a level gives.
func abilityPoints(level int) int { return min(1+level*topPoints/105, topPoints) }

// unlockedOf chooses the abilities of a character: as many as the share of points allows.
func unlockedOf(r *rand.Rand, s *sheet) []string {
	b := &builds()[s.class][r.IntN(buildsPerClass)]
	points := int(s.unlocked * float64(abilityPoints(s.level)))
	n := 0
	for n < len(b.ids) && b.points[n] <= points && b.level[n] <= s.level {
		n++
	}
	return b.ids[:n:n]
}

// walk unlocks one ability after another, those of a favourite archetype and the deeper
// ones first.
func (g *grove) walk(r *rand.Rand, favourite int) build {
	byID := map[string]int{}
	for i, t := range g.talents {
		byID[strings.ToLower(t.ID)] = i
	}
	var b build
	have, barred := map[int]bool{}, map[int]bool{}
	kin := [3]int{}
	for spent, level, open := 0, 1, []int{0}; len(open) > 0; {
		at, top := -1, 0.0
		for i, c := range open {
			t := g.talents[c]
			if have[c] || barred[c] || spent+t.Requirements.AbilityPoints > topPoints || !g.allows(t, have, kin, byID) {
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
			kin[t.archetype]++
		}
		spent += t.Requirements.AbilityPoints
		if t.Requirements.CombatLevel != nil {
			level = max(level, *t.Requirements.CombatLevel)
		}
		b.ids, b.points, b.level = append(b.ids, t.ID), append(b.points, spent), append(b.level, level)
		open = append(open, known(byID, t.Links)...)
		for _, i := range known(byID, t.Locks) {
			barred[i] = true
		}
	}
	return b
}

// allows tells whether what is unlocked meets what an ability needs. Who forbids whom is
// mutual in these trees, so the locks of what is unlocked tell enough.
func (g *grove) allows(t *talent, have map[int]bool, kin [3]int, byID map[string]int) bool {
	for _, id := range t.Requirements.Nodes {
		if !have[byID[strings.ToLower(id)]] {
			return false
		}
	}
	if a := t.Requirements.Archetype; a != nil {
		for i := range g.calling.archetypes {
			if g.calling.archetypes[i].id == a.Name {
				return kin[i] >= a.Amount
			}
		}
	}
	return true
}

// known gives the numbers of ids, case ignored, and skips dead ones.
func known(byID map[string]int, ids []string) []int {
	var out []int
	for _, id := range ids {
		if i, ok := byID[strings.ToLower(id)]; ok {
			out = append(out, i)
		}
	}
	return out
}
