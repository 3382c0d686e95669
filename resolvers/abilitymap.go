package resolvers

import (
	"maps"
	"slices"

	"gamedata/graph/model"
)

// The two types of a map element.
const (
	mapAbility   = "ability"
	mapConnector = "connector"
)

// mapOf returns the map of a class's ability tree by the routing rule of docs/spec/wire-content.md,
// "GET /ability/map/{tree}": pages 1 to the last one, elements by row and column, families in tree order, none
// nil. The map shares its icons with the tree. An error says why the record cannot be rendered.
func mapOf(tree *model.AbilityTree) ([]*model.AbilityMapPage, error) {
	grid, err := gridOf(tree)
	if err != nil {
		return nil, err
	}
	return grid.draw(func(int) bool { return true })
}

// mapOfUnlocked returns the map of a character's unlocked abilities: every page of the class, the unlocked abilities,
// and the connectors and families of links between two of them. Links take the same way as on the map of the class, so
// the two can be laid over each other: locked abilities block links too. Unknown ids are skipped: new content may drop
// an ability that characters have.
func mapOfUnlocked(tree *model.AbilityTree, unlocked []string) ([]*model.AbilityMapPage, error) {
	grid, err := gridOf(tree)
	if err != nil {
		return nil, err
	}
	shown := make(map[int]bool, len(unlocked))
	for _, id := range unlocked {
		if i, known := grid.byID[abilityKey(id)]; known {
			shown[i] = true
		}
	}
	return grid.draw(func(i int) bool { return shown[i] })
}

// connectors are drawn connectors with the abilities that their links join. K identifies an ability.
type connectors[K comparable] map[cell]*connector[K]

type connector[K comparable] struct {
	arms   arms
	family map[K]bool
}

func (c connectors[K]) draw(way []cell, from, to K) {
	for i := 1; i < len(way)-1; i++ {
		at := c[way[i]]
		if at == nil {
			at = &connector[K]{family: map[K]bool{}}
			c[way[i]] = at
		}
		at.arms |= armTo(way[i], way[i-1]) | armTo(way[i], way[i+1])
		at.family[from], at.family[to] = true, true
	}
}

func (g *abilityGrid) draw(shown func(int) bool) ([]*model.AbilityMapPage, error) {
	links, err := g.links(shown)
	if err != nil {
		return nil, err
	}
	joined := make([]map[int]bool, len(g.abilities)) // the family of each ability
	for i := range joined {
		joined[i] = map[int]bool{}
	}
	drawn := connectors[int]{}
	for link := range links {
		joined[link.start][link.end], joined[link.end][link.start] = true, true
		drawn.draw(g.way(link), link.start, link.end)
	}

	elements := map[cell]*model.AbilityMapElement{}
	for i, at := range g.cells {
		if shown(i) {
			a := g.abilities[i]
			meta := &model.AbilityMapMeta{Icon: a.Icon, AbilityKey: &a.Key, Ability: a}
			elements[at] = g.element(mapAbility, at, meta, joined[i])
		}
	}
	for at, c := range drawn {
		name := c.arms.name()
		elements[at] = g.element(mapConnector, at, &model.AbilityMapMeta{Connector: &name}, c.family)
	}
	return g.paginate(elements), nil
}

func (g *abilityGrid) element(kind string, at cell, meta *model.AbilityMapMeta, near map[int]bool,
) *model.AbilityMapElement {
	meta.Page = at.page()
	keys, abilities := make([]string, 0, len(near)), make([]*model.Ability, 0, len(near))
	for _, i := range slices.Sorted(maps.Keys(near)) {
		keys, abilities = append(keys, g.abilities[i].Key), append(abilities, g.abilities[i])
	}
	position := &model.Coordinates{X: at.x, Y: at.row - (meta.Page-1)*mapRows}
	return &model.AbilityMapElement{
		Type: kind, Coordinates: position, Meta: meta, FamilyKeys: keys, Family: abilities,
	}
}

// paginate returns all pages with their elements by row and column.
func (g *abilityGrid) paginate(elements map[cell]*model.AbilityMapElement) []*model.AbilityMapPage {
	pages := make([]*model.AbilityMapPage, g.pages)
	for i := range pages {
		pages[i] = &model.AbilityMapPage{Page: i + 1, Elements: []*model.AbilityMapElement{}}
	}
	for _, at := range slices.SortedFunc(maps.Keys(elements), compareCells) {
		page := pages[at.page()-1]
		page.Elements = append(page.Elements, elements[at])
	}
	return pages
}

type arms uint8

const (
	armUp arms = 1 << iota
	armRight
	armDown
	armLeft
)

// armNames lists the arms in the order of a connector's name.
var armNames = []struct {
	arm  arms
	name string
}{{armUp, "_up"}, {armRight, "_right"}, {armDown, "_down"}, {armLeft, "_left"}}

// name returns the name of a connector: connector_up_down.
func (a arms) name() string {
	name := mapConnector
	for _, n := range armNames {
		if a&n.arm != 0 {
			name += n.name
		}
	}
	return name
}

func armTo(from, to cell) arms {
	switch {
	case to.row < from.row:
		return armUp
	case to.x > from.x:
		return armRight
	case to.row > from.row:
		return armDown
	}
	return armLeft
}
