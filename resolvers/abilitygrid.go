package resolvers

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gamedata/graph/model"
)

const (
	// The cells of a page.
	mapColumns = 9
	mapRows    = 6
	// Bounds far beyond the 9 pages and 156 links of the largest recorded tree: a broken record causes an
	// error and does not exhaust the memory.
	maxMapPages = 32
	maxMapLinks = 4096
)

// cell is a cell of the map. Rows are numbered over all pages, from 1.
type cell struct{ row, x int }

func (c cell) page() int { return (c.row-1)/mapRows + 1 }

func compareCells(a, b cell) int { return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.x, b.x)) }

// abilityGrid is a validated tree: its abilities by their number in tree order, one per cell.
type abilityGrid struct {
	pages     int
	abilities []*model.Ability
	cells     []cell
	byID      map[string]int
	byCell    map[cell]int
}

// abilityKey folds an id for comparison: ids ignore case.
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
			return nil, fmt.Errorf("ability tree %q: a page is missing", tree.Key)
		case page.Page < 1 || page.Page > maxMapPages:
			return nil, fmt.Errorf("ability tree %q: page %d is outside 1 to %d", tree.Key, page.Page, maxMapPages)
		case seen[page.Page]:
			return nil, fmt.Errorf("ability tree %q: page %d is there twice", tree.Key, page.Page)
		}
		seen[page.Page] = true
		g.pages = max(g.pages, page.Page)
		for _, a := range page.Abilities {
			if err := g.place(page.Page, a); err != nil {
				return nil, fmt.Errorf("ability tree %q, page %d: %w", tree.Key, page.Page, err)
			}
		}
	}
	return g, nil
}

// place puts an ability into its cell. It uses the page that lists the ability and ignores the ability's own page
// number.
func (g *abilityGrid) place(page int, a *model.Ability) error {
	switch {
	case a == nil:
		return errors.New("an ability is missing")
	case strings.TrimSpace(a.Key) == "":
		return errors.New("an ability has no id")
	case a.Icon == nil:
		return fmt.Errorf("ability %q has no icon", a.Key)
	case a.Coordinates == nil:
		return fmt.Errorf("ability %q has no coordinates", a.Key)
	}
	x, y := a.Coordinates.X, a.Coordinates.Y
	if x < 1 || x > mapColumns || y < 1 || y > mapRows {
		return fmt.Errorf("ability %q is at %d,%d, outside the page", a.Key, x, y)
	}
	at := cell{(page-1)*mapRows + y, x}
	if other, taken := g.byCell[at]; taken {
		return fmt.Errorf("abilities %q and %q share the cell %d,%d", g.abilities[other].Key, a.Key, x, y)
	}
	if _, taken := g.byID[abilityKey(a.Key)]; taken {
		return fmt.Errorf("ability %q is there twice", a.Key)
	}
	g.byID[abilityKey(a.Key)], g.byCell[at] = len(g.abilities), len(g.abilities)
	g.abilities, g.cells = append(g.abilities, a), append(g.cells, at)
	return nil
}

// abilityLink joins two abilities: start is the upper one, or the left one of a row.
type abilityLink struct{ start, end int }

// links returns each pair of shown abilities once, whichever side names it. Unknown ids and an
// ability's own id are ignored.
func (g *abilityGrid) links(shown func(int) bool) (map[abilityLink]bool, error) {
	links := map[abilityLink]bool{}
	for i, a := range g.abilities {
		for _, id := range a.LinkKeys {
			j, known := g.byID[abilityKey(id)]
			if !known || i == j || !shown(i) || !shown(j) {
				continue
			}
			link := abilityLink{i, j}
			if compareCells(g.cells[j], g.cells[i]) < 0 {
				link = abilityLink{j, i}
			}
			links[link] = true
			if len(links) > maxMapLinks {
				return nil, fmt.Errorf("more than %d links between abilities", maxMapLinks)
			}
		}
	}
	return links, nil
}

// way returns the cells of a link from start to end, both included: sideways first, else down first,
// nil if abilities block both.
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

// walk returns the cells from one to another in the same row or column, without the last one.
func walk(from, to cell) []cell {
	var cells []cell
	for ; from != to; from.row, from.x = from.row+cmp.Compare(to.row, from.row), from.x+cmp.Compare(to.x, from.x) {
		cells = append(cells, from)
	}
	return cells
}
