package seed

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"gamedata/graph/model"
)

// talent is an ability and what the tree says of it in text only: its archetype, or neutral.
type talent struct {
	*model.Ability
	archetype int
	row       int
}

const neutral = -1

// treeBuilder is the tree of a class during generation, with its talents in tree order.
type treeBuilder struct {
	class      int
	classTexts *classTexts
	r          *rand.Rand
	layout     *layout
	talents    []*talent
}

// treeBuilders are the trees of all classes. They depend on no option.
var treeBuilders = sync.OnceValue(func() []*treeBuilder {
	out := make([]*treeBuilder, len(classIDs))
	for i := range out {
		out[i] = grow(i)
	}
	return out
})

// AbilityTrees returns the trees of all classes: nine pages, 94 abilities, no shared cells, every link
// drawable and every ability reachable from the first.
func AbilityTrees() []*model.AbilityTree {
	var out []*model.AbilityTree
	for _, g := range treeBuilders() {
		out = append(out, g.tree())
	}
	return out
}

func grow(class int) *treeBuilder {
	r := source(0, forTree, uint64(class))
	g := &treeBuilder{class: class, classTexts: &allClassTexts[class], r: r, layout: layOut(r)}
	for i, name := range g.names() {
		at := g.layout.at[i]
		page := (at.row-1)/pageRows + 1
		cell := &model.Coordinates{X: at.x, Y: at.row - (page-1)*pageRows}
		t := &talent{archetype: neutral, row: at.row, Ability: &model.Ability{
			Key: camel(name), Page: page, Coordinates: cell,
			Slot: (cell.Y-1)*pageCells + cell.X - 1, Requirements: &model.AbilityRequirements{AbilityPoints: 1},
		}}
		if page > 1 && (page == treePages || chance(r, 0.6)) {
			t.archetype = min((at.x-1)/3, 2)
		}
		g.talents = append(g.talents, t)
		g.demand(t)
		g.draw(t, name)
	}
	g.link()
	g.oddities()
	return g
}

// names sets the name of every ability: given ones first, the others combined.
func (g *treeBuilder) names() []string {
	names := slices.Clone(g.classTexts.Opening)
	firsts, seconds := g.classTexts.Firsts, g.classTexts.Seconds
	all := len(firsts) * len(seconds)
	for n := g.r.IntN(all); len(names) < len(g.layout.at); n = (n + 89) % all {
		if name := firsts[n%len(firsts)] + " " + seconds[n/len(firsts)]; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// above returns the matching talents in higher rows.
func (g *treeBuilder) above(t *talent, pass func(*talent) bool) []*talent {
	var list []*talent
	for _, u := range g.talents {
		if u.row < t.row && pass(u) {
			list = append(list, u)
		}
	}
	return list
}

// demand draws what an ability requires: never more than the abilities above can give.
func (g *treeBuilder) demand(t *talent) {
	q := t.Requirements
	if t.Page > 3 && (t.archetype != neutral || chance(g.r, 0.3)) {
		q.AbilityPoints = 2
	}
	if t.archetype != neutral && t.Page > 2 {
		kin := len(g.above(t, func(u *talent) bool { return u.archetype == t.archetype }))
		if amount := kin * 2 / 5; amount > 0 && (t.Page == treePages || chance(g.r, 0.5)) {
			q.Archetype = &model.ArchetypeRequirement{ArchetypeKey: g.classTexts.Archetypes[t.archetype].ID, Amount: amount}
		}
	}
	if t.Page == treePages {
		level := 90
		q.CombatLevel = &level
		return
	}
	if t.Page > 2 && chance(g.r, 0.65) {
		near := func(u *talent) bool {
			return u.Page <= 2 && u.archetype == neutral || u.archetype == t.archetype && u.row > t.row-2*pageRows
		}
		if list := g.above(t, near); len(list) > 0 {
			q.AbilityKeys = []string{pick(g.r, list).Key}
		}
	}
}

func (g *treeBuilder) link() {
	for i, to := range g.layout.links {
		for _, j := range to {
			g.talents[i].LinkKeys = append(g.talents[i].LinkKeys, g.talents[j].Key)
		}
	}
}

// oddities adds what real trees have in a few places: mutually exclusive abilities, ids in another case,
// dead ids, and an empty list where others have null.
func (g *treeBuilder) oddities() {
	at := func(page, archetype int) *talent {
		for _, t := range g.talents {
			if t.Page == page && t.archetype == archetype {
				return t
			}
		}
		return g.talents[len(g.talents)-1]
	}
	for i, page := range []int{4, 5, 7} {
		a, b := at(page, i), at(page, (i+1)%3)
		a.LockKeys, b.LockKeys = append(a.LockKeys, b.Key), append(b.LockKeys, a.Key)
	}
	at(4, 0).LockKeys = append(at(4, 0).LockKeys, "")
	b := at(5, 1)
	b.LockKeys[0] = strings.ToUpper(b.LockKeys[0][:1]) + b.LockKeys[0][1:]

	first := g.talents[1]
	first.LinkKeys[len(first.LinkKeys)-1] = strings.ToUpper(first.LinkKeys[len(first.LinkKeys)-1])
	g.talents[3].LinkKeys = append(g.talents[3].LinkKeys, " ")
	g.talents[10].LinkKeys = append(g.talents[10].LinkKeys, "", "")
	g.talents[12].LinkKeys = append(g.talents[12].LinkKeys, "forgotten"+title(classIDs[g.class]))
	g.talents[2].LockKeys = []string{}
}

func (g *treeBuilder) tree() *model.AbilityTree {
	out := &model.AbilityTree{Key: classIDs[g.class]}
	// The menu shows them in another order than the class page.
	slots := [3]int{29, 33, 31}
	for i, a := range g.classTexts.Archetypes {
		out.Archetypes = append(out.Archetypes, &model.Archetype{
			Key: a.ID, Slot: slots[i], Name: model.Markup(span(a.Colour, bold(a.Name))),
			Description: model.Markup(span(gray, "The way of the "+a.Name+": "+strings.ToLower(a.Brief)+". "+
				span(dark, fmt.Sprintf("(Difficulty %d of 3)", a.Difficulty)))),
			ShortDescription: model.Markup(span(gray, a.Brief)),
			Icon:             named(picture("potion", "abilityTree."+a.ID, int64(70+3*g.class+i)), "abilityTree."+a.ID),
		})
	}
	for page := range treePages {
		out.Pages = append(out.Pages, &model.AbilityPage{Page: page + 1})
	}
	for _, t := range g.talents {
		p := out.Pages[t.Page-1]
		p.Abilities = append(p.Abilities, t.Ability)
	}
	return out
}
