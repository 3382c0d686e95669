package site

import (
	"math"
	"strconv"
)

// The coast is derived from the territories, so every world has one: everything near a territory is land.
const (
	coastCell  = 50  // size of a cell of the grid on which the coast is computed, in blocks
	coastReach = 70  // how far the land goes beyond territories
	coastSea   = 400 // sea around the land
)

// coastline returns the coast around territories as the data of an SVG path: closed lines, including the shores of
// lakes.
func coastline(areas []area) string {
	if len(areas) == 0 {
		return ""
	}
	g := newLandGrid(areas)
	g.blur()
	g.blur()
	g.roughen()
	return g.outline()
}

// landGrid holds the share of land at each point of a grid, from 0 to 1. In the last step it becomes a height from -0.5
// to 0.5, 0 at the coast.
type landGrid struct {
	left, top, width, height int
	land                     []float64
}

func newLandGrid(areas []area) *landGrid {
	left, top, right, bottom := bounds(areas)
	g := &landGrid{left: int(left) - coastSea, top: int(top) - coastSea}
	g.width, g.height = (int(right)+coastSea-g.left)/coastCell+1, (int(bottom)+coastSea-g.top)/coastCell+1
	g.land = make([]float64, g.width*g.height)
	for _, a := range areas {
		for y := (int(a.Y) - coastReach - g.top) / coastCell; y <= (int(a.Y+a.Height)+coastReach-g.top)/coastCell; y++ {
			for x := (int(a.X) - coastReach - g.left) / coastCell; x <= (int(a.X+a.Width)+coastReach-g.left)/coastCell; x++ {
				g.land[y*g.width+x] = 1
			}
		}
	}
	return g
}

// blur replaces each value by the mean of its neighbours, except at the edges of the grid, which are sea.
func (g *landGrid) blur() {
	const reach = 2
	out := make([]float64, len(g.land))
	for y := reach; y < g.height-reach; y++ {
		for x := reach; x < g.width-reach; x++ {
			sum := 0.0
			for dy := -reach; dy <= reach; dy++ {
				for dx := -reach; dx <= reach; dx++ {
					sum += g.land[(y+dy)*g.width+x+dx]
				}
			}
			out[y*g.width+x] = sum / ((2*reach + 1) * (2*reach + 1))
		}
	}
	g.land = out
}

// roughen adds small waves to make the coast uneven, and turns the values into heights above the coast.
func (g *landGrid) roughen() {
	for i := range g.land {
		x, y := float64(g.left+i%g.width*coastCell), float64(g.top+i/g.width*coastCell)
		g.land[i] += 0.13*math.Sin(x/170+2*math.Sin(y/210))*math.Cos(y/150) - 0.5
	}
}

// cellEdges lists the edges of a cell that the coast joins, indexed by the corners on land: 8 for the upper left one,
// then 4, 2 and 1 clockwise. Edges are numbered clockwise from the upper one.
var cellEdges = [16][][2]int{
	1: {{3, 2}}, 2: {{2, 1}}, 3: {{3, 1}}, 4: {{0, 1}}, 5: {{0, 1}, {3, 2}}, 6: {{0, 2}}, 7: {{0, 3}}, 8: {{0, 3}},
	9: {{0, 2}}, 10: {{0, 3}, {2, 1}}, 11: {{0, 1}}, 12: {{3, 1}}, 13: {{2, 1}}, 14: {{3, 2}},
}

// outline traces the edge of the land with marching squares.
func (g *landGrid) outline() string {
	next := map[int][]int{} // an edge, numbered by its first point, to the edges that the coast joins to it
	var order []int
	join := func(a, b int) {
		if next[a] == nil {
			order = append(order, a)
		}
		next[a] = append(next[a], b)
	}
	for y := range g.height - 1 {
		for x := range g.width - 1 {
			corners := 0
			i := y*g.width + x
			for _, corner := range [4]int{i, i + 1, i + g.width + 1, i + g.width} {
				if corners <<= 1; g.land[corner] > 0 {
					corners |= 1
				}
			}
			edges := [4]int{2 * i, 2*(i+1) + 1, 2 * (i + g.width), 2*i + 1}
			for _, e := range cellEdges[corners] {
				join(edges[e[0]], edges[e[1]])
				join(edges[e[1]], edges[e[0]])
			}
		}
	}
	var path []byte
	seen := map[int]bool{}
	for _, start := range order {
		command := byte('M')
		for edge := start; !seen[edge]; {
			seen[edge] = true
			x, y := g.crossing(edge)
			path = strconv.AppendInt(append(path, command), x, 10)
			path = strconv.AppendInt(append(path, ' '), y, 10)
			command = 'L'
			for _, n := range next[edge] {
				if !seen[n] {
					edge = n
					break
				}
			}
		}
		if command == 'L' {
			path = append(path, 'Z')
		}
	}
	return string(path)
}

// crossing returns where the coast crosses an edge.
func (g *landGrid) crossing(edge int) (x, y int64) {
	from := edge / 2
	x, y = int64(g.left+from%g.width*coastCell), int64(g.top+from/g.width*coastCell)
	if edge%2 == 1 {
		return x, y + g.part(from, from+g.width)
	}
	return x + g.part(from, from+1), y
}

// part returns the distance of the coast from a point towards another one, in blocks.
func (g *landGrid) part(from, to int) int64 {
	return int64(coastCell * g.land[from] / (g.land[from] - g.land[to]))
}
