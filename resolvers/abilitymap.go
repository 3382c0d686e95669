package resolvers

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gamedata/graph/model"
)

// The cells of a page (WIRE-CONTENT §9.4).
const (
	mapColumns = 9
	mapRows    = 6
)

// Bounds of what is drawn, far beyond the 9 pages and 156 links of the largest recorded tree: a
// broken record costs an error, not the process.
const (
	maxMapPages = 32
	maxMapLinks = 4096
)

// The two types of a map element.
const (
	mapAbility   = "ability"
	mapConnector = "connector"
)

// mapOf draws the map of a class's ability tree by the routing rule of WIRE-CONTENT §9.5: pages
// 1 to the last one, elements by row and column, families in tree order, each never nil. The icons
// are those of the tree, not copies. An error says why the record cannot be rendered.
func mapOf(tree *model.AbilityTree) ([]*model.AbilityMapPage, error) {
	grid, err := gridOf(tree)
	if err != nil {
		return nil, err
	}
	return grid.draw(func(int) bool { return true })
}

// mapOfUnlocked draws what a character unlocked (WIRE §4.6): every page of the class, the unlocked
// abilities, and connectors and families from the links between two of them alone. Each link takes
// the way it takes on the map of the class, so the two can be laid over each other: an ability that
// is still locked stands in the way as well. Ids compare without case; one that the tree lacks is
// left out, for content may drop an ability that characters have.
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

// cell is a place on the map; rows count on over the pages, from 1.
type cell struct{ row, x int }

func (c cell) page() int { return (c.row-1)/mapRows + 1 }

func compareCells(a, b cell) int {
	return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.x, b.x))
}

// abilityGrid is a checked tree: its abilities by their number in tree order, each in a cell of
// its own.
type abilityGrid struct {
	pages     int
	abilities []*model.Ability
	cells     []cell
	byID      map[string]int
	byCell    map[cell]int
}

// abilityKey is the form in which ids compare: without case (WIRE-CONTENT §9.4).
func abilityKey(id string) string { return strings.ToLower(id) }

func gridOf(tree *model.AbilityTree) (*abilityGrid, error) {
	if tree == nil {
		return nil, errors.New("no ability tree")
	}
	g := &abilityGrid{byID: map[string]int{}, byCell: map[cell]int{}}
	seen := map[int]bool{}
	for _, page := range tree.Pages {
		switch {
		case page == nil:
			return nil, fmt.Errorf("ability tree %q: a page is missing", tree.Tree)
		case page.Page < 1 || page.Page > maxMapPages:
			return nil, fmt.Errorf("ability tree %q: page %d is outside 1 to %d", tree.Tree, page.Page, maxMapPages)
		case seen[page.Page]:
			return nil, fmt.Errorf("ability tree %q: page %d is there twice", tree.Tree, page.Page)
		}
		seen[page.Page] = true
		g.pages = max(g.pages, page.Page)
		for _, a := range page.Abilities {
			if err := g.place(page.Page, a); err != nil {
				return nil, fmt.Errorf("ability tree %q, page %d: %w", tree.Tree, page.Page, err)
			}
		}
	}
	return g, nil
}

// place puts an ability into its cell. The page that holds it counts, not the number it carries.
func (g *abilityGrid) place(page int, a *model.Ability) error {
	switch {
	case a == nil:
		return errors.New("an ability is missing")
	case strings.TrimSpace(a.ID) == "":
		return errors.New("an ability has no id")
	case a.Icon == nil:
		return fmt.Errorf("ability %q has no icon", a.ID)
	case a.Coordinates == nil:
		return fmt.Errorf("ability %q has no coordinates", a.ID)
	}
	x, y := a.Coordinates.X, a.Coordinates.Y
	if x < 1 || x > mapColumns || y < 1 || y > mapRows {
		return fmt.Errorf("ability %q stands at %d,%d, outside the page", a.ID, x, y)
	}
	at := cell{(page-1)*mapRows + y, x}
	if other, taken := g.byCell[at]; taken {
		return fmt.Errorf("abilities %q and %q share the cell %d,%d", g.abilities[other].ID, a.ID, x, y)
	}
	if _, taken := g.byID[abilityKey(a.ID)]; taken {
		return fmt.Errorf("ability %q is there twice", a.ID)
	}
	g.byID[abilityKey(a.ID)], g.byCell[at] = len(g.abilities), len(g.abilities)
	g.abilities, g.cells = append(g.abilities, a), append(g.cells, at)
	return nil
}

// abilityLink joins two abilities: the start is the upper one, inside one row the left one.
type abilityLink struct{ start, end int }

// links gives each pair of shown abilities once, whichever side names it. Dead entries and an
// ability's own id join nothing.
func (g *abilityGrid) links(shown func(int) bool) (map[abilityLink]bool, error) {
	links := map[abilityLink]bool{}
	for i, a := range g.abilities {
		for _, id := range a.Links {
			j, known := g.byID[abilityKey(id)]
			if !known || i == j || !shown(i) || !shown(j) {
				continue
			}
			link := abilityLink{i, j}
			if compareCells(g.cells[j], g.cells[i]) < 0 {
				link = abilityLink{j, i}
			}
			if links[link] = true; len(links) > maxMapLinks {
				return nil, fmt.Errorf("more than %d links between abilities", maxMapLinks)
			}
		}
	}
	return links, nil
}

// way gives the cells of a link from start to end, both included: sideways first, else down first,
// nil when an ability stands in the way of both.
func (g *abilityGrid) way(link abilityLink) []cell {
	start, end := g.cells[link.start], g.cells[link.end]
	for _, corner := range []cell{{start.row, end.x}, {end.row, start.x}} {
		way := append(walk(start, corner), walk(corner, end)...)
		way = append(way, end)
		if !slices.ContainsFunc(way[1:len(way)-1], func(c cell) bool { _, taken := g.byCell[c]; return taken }) {
			return way
		}
	}
	return nil
}

// walk gives the cells from one to another in the same row or column, the last one left out.
func walk(from, to cell) []cell {
	var cells []cell
	for ; from != to; from.row, from.x = from.row+cmp.Compare(to.row, from.row), from.x+cmp.Compare(to.x, from.x) {
		cells = append(cells, from)
	}
	return cells
}

// family is a set of abilities by their number in tree order.
type family map[int]bool

func (f family) add(link abilityLink) { f[link.start], f[link.end] = true, true }

// connector is what the links that run through a cell leave there.
type connector struct {
	arms   arms
	family family
}

// draw makes the pages out of the shown abilities and the links between them.
func (g *abilityGrid) draw(shown func(int) bool) ([]*model.AbilityMapPage, error) {
	links, err := g.links(shown)
	if err != nil {
		return nil, err
	}
	joined := make([]family, len(g.abilities))
	for i := range joined {
		joined[i] = family{}
	}
	connectors := map[cell]*connector{}
	for link := range links {
		joined[link.start][link.end], joined[link.end][link.start] = true, true
		way := g.way(link)
		for i := 1; i < len(way)-1; i++ {
			c := connectors[way[i]]
			if c == nil {
				c = &connector{family: family{}}
				connectors[way[i]] = c
			}
			c.arms |= armTo(way[i], way[i-1]) | armTo(way[i], way[i+1])
			c.family.add(link)
		}
	}

	elements := map[cell]*model.AbilityMapElement{}
	for i, at := range g.cells {
		if shown(i) {
			a := g.abilities[i]
			elements[at] = g.element(mapAbility, at, &model.AbilityMapMeta{Icon: a.Icon, ID: &a.ID}, joined[i])
		}
	}
	for at, c := range connectors {
		name := c.arms.name()
		elements[at] = g.element(mapConnector, at, &model.AbilityMapMeta{Connector: &name}, c.family)
	}
	return g.paginate(elements), nil
}

func (g *abilityGrid) element(kind string, at cell, meta *model.AbilityMapMeta, joined family) *model.AbilityMapElement {
	meta.Page = at.page()
	ids := make([]string, 0, len(joined))
	for _, i := range slices.Sorted(maps.Keys(joined)) {
		ids = append(ids, g.abilities[i].ID)
	}
	return &model.AbilityMapElement{
		Type:        kind,
		Coordinates: &model.Coordinates{X: at.x, Y: at.row - (meta.Page-1)*mapRows},
		Meta:        meta,
		Family:      ids,
	}
}

// paginate lays the elements on the pages 1 to the last one, by row and column.
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

// arms is the set of directions that a connector reaches to.
type arms uint8

const (
	armUp arms = 1 << iota
	armRight
	armDown
	armLeft
)

// armNames are in the order in which a connector's name lists them.
var armNames = []struct {
	arm  arms
	name string
}{{armUp, "_up"}, {armRight, "_right"}, {armDown, "_down"}, {armLeft, "_left"}}

// name is the connector name of WIRE-CONTENT §9.5, such as connector_up_down.
func (a arms) name() string {
	name := mapConnector
	for _, n := range armNames {
		if a&n.arm != 0 {
			name += n.name
		}
	}
	return name
}

// armTo is the arm that reaches from a cell to the next one.
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
