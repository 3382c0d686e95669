package seed

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
)

// Pages of an ability tree have six rows of nine cells; rows are numbered across pages.
const (
	pageRows  = 6
	pageCells = 9
	treePages = 9
)

// The first and the last page are the same for all classes. Those between are drawn from two lists of
// patterns, four and three pages, mirrored at random: 94 abilities.
const (
	firstPage = "....#.... ......... ....#.#.. ......... ....#.... ........."
	lastPage  = "......... ......... .#.....#. ....#.... ......... ........."
)

var (
	twelves = []string{
		"......... .#..#..#. ......... #.#...#.# ....#.... .#.#.#.#.",
		".#.#.#.#. ......... #...#...# ..#...#.. ......... #...#...#",
		"......... #.#.#.#.# ......... .#..#..#. ......... #..#.#..#",
		"......... .#.#.#.#. ....#.... #.......# ..#.#.#.. .#.....#.",
	}
	thirteens = []string{
		"......... #..#.#..# ......... .#..#..#. ...#.#... #.#...#.#",
		"..#.#.#.. ......... #.#...#.# ....#.... ......... #.#.#.#.#",
		"......... .#..#..#. #.......# ..#.#.#.. ......... #.#.#.#.#",
	}
)

// beside is the ability of the first page that is linked only sideways, to its neighbour.
const beside = 2

// place is a cell of the whole tree.
type place struct{ row, x int }

// layout holds the positions of a tree's abilities by row and column, and the links from each: sideways
// and down, never up.
type layout struct {
	at    []place
	taken map[place]bool
	links [][]int
}

func layOut(r *rand.Rand) *layout {
	pages := slices.Concat(twelves, thirteens)
	r.Shuffle(len(pages), func(i, j int) { pages[i], pages[j] = pages[j], pages[i] })
	l := &layout{taken: map[place]bool{}}
	for page, pattern := range slices.Concat([]string{firstPage}, pages, []string{lastPage}) {
		mirrored := page > 0 && page < treePages-1 && r.IntN(2) == 0
		for y, row := range strings.Fields(pattern) {
			for x := range pageCells {
				from := x
				if mirrored {
					from = pageCells - 1 - x
				}
				if row[from] == '#' {
					p := place{page*pageRows + y + 1, x + 1}
					l.at = append(l.at, p)
					l.taken[p] = true
				}
			}
		}
	}
	l.links = make([][]int, len(l.at))
	l.linkDown(r)
	l.linkSideways(r)
	return l
}

// free reports whether a link down from one ability to another can be drawn, sideways first or down first.
func (l *layout) free(from, to place) bool {
	return l.clear(from, place{from.row, to.x}, to) || l.clear(from, place{to.row, from.x}, to)
}

// clear reports whether the path from, corner, to meets no other ability.
func (l *layout) clear(from, corner, to place) bool {
	at := from
	for _, goal := range []place{corner, to} {
		for at != goal {
			at.row += cmp.Compare(goal.row, at.row)
			at.x += cmp.Compare(goal.x, at.x)
			if at != to && l.taken[at] {
				return false
			}
		}
	}
	return true
}

// linkDown links every ability but the root from above, some twice, and links every ability onwards where
// possible.
func (l *layout) linkDown(r *rand.Rand) {
	for i, to := range l.at[1:] {
		child := i + 1
		if child == beside {
			continue
		}
		parents := l.near(child, func(j int) bool { return j != beside && l.at[j].row < to.row && l.free(l.at[j], to) })
		if len(parents) == 0 {
			continue
		}
		l.links[parents[0]] = append(l.links[parents[0]], child)
		if len(parents) > 1 && to.row > pageRows && distance(l.at[parents[1]], to) < 9 && chance(r, 0.45) {
			l.links[parents[1]] = append(l.links[parents[1]], child)
		}
	}
	for i, from := range l.at {
		if len(l.links[i]) > 0 || from.row <= pageRows || from.row > (treePages-1)*pageRows {
			continue
		}
		children := l.near(i, func(j int) bool { return l.at[j].row > from.row && l.free(from, l.at[j]) })
		if len(children) > 0 && chance(r, 0.5) {
			l.links[i] = append(l.links[i], children[0])
		}
	}
}

// linkSideways links neighbours of a row, mostly in both directions.
func (l *layout) linkSideways(r *rand.Rand) {
	l.links[beside-1] = append(l.links[beside-1], beside)
	for i := beside + 2; i+1 < len(l.at); i++ {
		a, b := l.at[i], l.at[i+1]
		if a.row != b.row || b.x-a.x > 3 || a.row > (treePages-1)*pageRows || !chance(r, 0.6) {
			continue
		}
		l.links[i] = append(l.links[i], i+1)
		if chance(r, 0.8) {
			l.links[i+1] = append(l.links[i+1], i)
		}
	}
}

// near returns the matching abilities within a page's height, nearest first.
func (l *layout) near(i int, pass func(int) bool) []int {
	var list []int
	for j := range l.at {
		if j != i && pass(j) && max(l.at[j].row-l.at[i].row, l.at[i].row-l.at[j].row) <= pageRows {
			list = append(list, j)
		}
	}
	away := func(j int) int { return distance(l.at[j], l.at[i]) }
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(away(a), away(b)) })
	return list
}

// distance counts columns twice, so that links down are preferred.
func distance(a, b place) int { return 2*max(a.x-b.x, b.x-a.x) + max(a.row-b.row, b.row-a.row) }
