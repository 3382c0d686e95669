package seed

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
)

// The ground is a country: a coast with bays, lakes and islands, nine regions with a product and a level each, and
// plots of uneven size that the land is cut into. A territory is a little smaller than its plot. All worlds of
// countryPlayers and more have the same country.

// region is a part of the country. A plot belongs to the region whose middle is nearest.
type region struct {
	Name string
	X, Z int
	// Good is the resource of most of its territories.
	Good string
	// Level is about the level of what can be gathered there.
	Level int
	// Places begin the names of its territories: neighbours have the same one.
	Places []string
}

var regions = readRecords[region]("regions.json")

// The ground that is cut into plots, in blocks.
const (
	landWest, landEast   = -3600, 3600
	landNorth, landSouth = -5700, 1100
)

// blob is an ellipse of land, or of water.
type blob struct{ x, z, width, height float64 }

var (
	mainlands = []blob{
		{-900, -4300, 1750, 1250},
		{1350, -4350, 1500, 1100},
		{-1900, -2900, 1500, 1500},
		{1900, -2400, 1550, 1500},
		{0, -2500, 1700, 1500},
		{-1350, -1200, 1250, 1050},
		{700, -1050, 1400, 900},
		{2450, -950, 850, 850},
	}
	islands = []blob{
		{-420, 560, 430, 300},
		{190, 480, 330, 260},
		{-2900, -250, 380, 330},
		{3150, -4250, 330, 440},
		{-2950, -5000, 380, 320},
	}
	waters = []blob{
		{60, -3620, 430, 250}, {-420, -1780, 230, 300}, {1650, -1500, 330, 230}, // lakes
		{250, -5500, 420, 700}, {-3350, -4000, 700, 420}, {3450, -3350, 600, 480}, {1500, -50, 330, 420}, // bays
		{-250, -250, 420, 330}, {-2500, -1750, 520, 170},
	}
)

// countryPlayers is the number of players from which on a world has the country.
const countryPlayers = 100

func (o Options) country() bool { return o.Players >= countryPlayers }

// onGround reports whether a point of the country is land.
func onGround(x, z int) bool {
	fx, fz := float64(x), float64(z)
	// The coast is bent, so that it shows no ellipse.
	fx += 260*noise(fx/700, fz/700, 1) + 90*noise(fx/240, fz/240, 2)
	fz += 260*noise(fx/700, fz/700, 3) + 90*noise(fx/240, fz/240, 4)
	inside := func(b blob) bool {
		dx, dz := (fx-b.x)/b.width, (fz-b.z)/b.height
		return dx*dx+dz*dz < 1
	}
	return slices.ContainsFunc(islands, inside) ||
		slices.ContainsFunc(mainlands, inside) && !slices.ContainsFunc(waters, inside)
}

// noise is a smooth random function of a point, from -1 to 1.
func noise(x, z float64, kind uint32) float64 {
	left, top := math.Floor(x), math.Floor(z)
	corner := func(dx, dz float64) float64 {
		h := uint32(int32(left+dx))*0x9E3779B1 ^ uint32(int32(top+dz))*0x85EBCA77 ^ kind*0xC2B2AE3D
		h = (h ^ h>>15) * 0x2C1B3C6D
		h = (h ^ h>>12) * 0x297A2D39
		return float64(h^h>>15)/(1<<31) - 1
	}
	ease := func(t float64) float64 { return t * t * (3 - 2*t) }
	mix := func(a, b, t float64) float64 { return a + (b-a)*t }
	tx, tz := ease(x-left), ease(z-top)
	return mix(mix(corner(0, 0), corner(1, 0), tx), mix(corner(0, 1), corner(1, 1), tx), tz)
}

// plot is a rectangle of land, its greater edges excluded.
type plot struct {
	west, east, north, south int
	name                     string
	region                   *region
	links                    []int // indexes of the plots that are joined to it, in rising order
}

// Sizes of plots, in blocks.
const (
	minSide   = 150 // no side is shorter
	smallPlot = 250 * 250
	largePlot = 400 * 400 // plots of this size are always divided
	whirlPlot = 1500 * 1500
	minBorder = 70 // plots with a border of this length may be joined
	trimStep  = 20 // how exactly plots follow the coast
)

// plots returns the plots of the country, those of a place next to each other. The plots are one connected graph.
var plots = sync.OnceValue(func() []plot {
	var out []plot
	cut(source(1, forTerritory, 0), plot{west: landWest, east: landEast, north: landNorth, south: landSouth}, &out)
	out = namePlots(out)
	join(source(1, forTerritory, 1), out)
	return out
})

// cut divides a rectangle into plots of uneven size and appends those on land.
func cut(r *rand.Rand, p plot, out *[]plot) {
	width, height := p.east-p.west, p.south-p.north
	area := width * height
	// part returns a distance of about 0.36 to 0.64 of a side.
	part := func(side int) int {
		return min(max(int((0.36+0.28*r.Float64())*float64(side)), minSide), side-minSide)
	}
	var parts []plot
	switch mayDivide := max(width, height) >= 2*minSide; {
	case area > whirlPlot:
		parts = p.whirl(part(width)*2/3, part(height)*2/3, chance(r, 0.5))
	case !mayDivide || area < smallPlot || area < largePlot && chance(r, 0.45):
		if p.trim() {
			*out = append(*out, p)
		}
		return
	case float64(width)*(0.8+0.4*r.Float64()) > float64(height) && width >= 2*minSide || height < 2*minSide:
		parts = []plot{p, p}
		parts[0].east = p.west + part(width)
		parts[1].west = parts[0].east
	default:
		parts = []plot{p, p}
		parts[0].south = p.north + part(height)
		parts[1].north = parts[0].south
	}
	for _, q := range parts {
		cut(r, q, out)
	}
}

// whirl divides a rectangle into one in the middle and four that turn around it, so that no straight line crosses the
// country. The middle begins at a distance from the west and the north.
func (p plot) whirl(fromWest, fromNorth int, mirrored bool) []plot {
	x, z := p.west+fromWest, p.north+fromNorth
	x2, z2 := x+(p.east-p.west)/3, z+(p.south-p.north)/3
	if mirrored {
		return []plot{
			{west: x, east: p.east, north: p.north, south: z},
			{west: x2, east: p.east, north: z, south: p.south},
			{west: p.west, east: x2, north: z2, south: p.south},
			{west: p.west, east: x, north: p.north, south: z2},
			{west: x, east: x2, north: z, south: z2},
		}
	}
	return []plot{
		{west: p.west, east: x2, north: p.north, south: z},
		{west: x2, east: p.east, north: p.north, south: z2},
		{west: x, east: p.east, north: z2, south: p.south},
		{west: p.west, east: x, north: z, south: p.south},
		{west: x, east: x2, north: z, south: z2},
	}
}

// trim moves the edges of a plot to the coast. It returns false if too little land is left.
func (p *plot) trim() bool {
	for p.east-p.west >= minSide && p.south-p.north >= minSide {
		switch mostly := 0.6; {
		case share(p.west, p.north, p.west+trimStep, p.south) < mostly:
			p.west += trimStep
		case share(p.east-trimStep, p.north, p.east, p.south) < mostly:
			p.east -= trimStep
		case share(p.west, p.north, p.east, p.north+trimStep) < mostly:
			p.north += trimStep
		case share(p.west, p.south-trimStep, p.east, p.south) < mostly:
			p.south -= trimStep
		default:
			return share(p.west, p.north, p.east, p.south) >= mostly
		}
	}
	return false
}

// share returns the share of a rectangle that is land.
func share(west, north, east, south int) float64 {
	on, all := 0, 0
	for x := west + trimStep/2; x < east; x += trimStep {
		for z := north + trimStep/2; z < south; z += trimStep {
			if all++; onGround(x, z) {
				on++
			}
		}
	}
	return float64(on) / float64(max(all, 1))
}

func (p *plot) middle() (x, z int) { return (p.west + p.east) / 2, (p.north + p.south) / 2 }

// placeSeconds are the second parts of names of plots. As many plots share a first part at most.
var placeSeconds = strings.Fields("Crossing Quarry Orchard Keep Fields Mill Harbour Hollow Ridge Ruins Watch Shallows")

// namePlots names plots and sorts them by region and place.
func namePlots(all []plot) []plot {
	byRegion := make([][]plot, len(regions))
	for _, p := range all {
		x, z := p.middle()
		best, nearest := 0, math.MaxInt
		for n, g := range regions {
			if d := (x-g.X)*(x-g.X) + (z-g.Z)*(z-g.Z); d < nearest {
				best, nearest = n, d
			}
		}
		p.region = &regions[best]
		byRegion[best] = append(byRegion[best], p)
	}
	out := make([]plot, 0, len(all))
	for n, list := range byRegion {
		places := (len(list) + len(placeSeconds) - 1) / len(placeSeconds)
		for i, group := range groups(list, places) {
			for k := range group {
				group[k].name = regions[n].Places[i] + " " + placeSeconds[k]
			}
			out = append(out, group...)
		}
	}
	return out
}

// groups divides plots into n groups of neighbours of about the same size.
func groups(list []plot, n int) [][]plot {
	if n <= 1 {
		return [][]plot{list}
	}
	low, high := list[0], list[0]
	for _, p := range list {
		low.west, low.north = min(low.west, p.west), min(low.north, p.north)
		high.east, high.south = max(high.east, p.east), max(high.south, p.south)
	}
	wide := high.east-low.west > high.south-low.north
	slices.SortStableFunc(list, func(a, b plot) int {
		ax, az := a.middle()
		bx, bz := b.middle()
		if wide {
			return cmp.Compare(ax, bx)
		}
		return cmp.Compare(az, bz)
	})
	at := len(list) * (n / 2) / n
	return slices.Concat(groups(list[:at:at], n/2), groups(list[at:], n-n/2))
}

// join joins plots by roads between most neighbours, and by ferries where only water is between.
func join(r *rand.Rand, all []plot) {
	group := make([]int, len(all)) // of plots that are connected
	for i := range group {
		group[i] = i
	}
	find := func(i int) int {
		for group[i] != i {
			i = group[i]
		}
		return i
	}
	connect := func(i, j int) {
		all[i].links, all[j].links = append(all[i].links, j), append(all[j].links, i)
		group[find(i)] = find(j)
	}
	var more [][2]int
	for i := range all {
		for j := range i {
			switch border := all[i].border(all[j]); {
			case border < minBorder:
			case find(i) != find(j):
				connect(i, j)
			default:
				more = append(more, [2]int{i, j})
			}
		}
	}
	for _, pair := range more {
		if chance(r, 0.7) {
			connect(pair[0], pair[1])
		}
	}
	for {
		from, to, nearest := -1, -1, math.MaxInt
		for i := range all {
			for j := range i {
				if d := all[i].distance(all[j]); d < nearest && find(i) != find(j) {
					from, to, nearest = i, j, d
				}
			}
		}
		if from < 0 {
			break
		}
		connect(from, to)
	}
	for i := range all {
		slices.Sort(all[i].links)
	}
}

// border returns the length of the border between two plots, 0 if they do not touch.
func (p plot) border(q plot) int {
	switch {
	case p.east == q.west || q.east == p.west:
		return max(0, min(p.south, q.south)-max(p.north, q.north))
	case p.south == q.north || q.south == p.north:
		return max(0, min(p.east, q.east)-max(p.west, q.west))
	}
	return 0
}

// distance returns the square of the distance between the middles of two plots.
func (p plot) distance(q plot) int {
	px, pz := p.middle()
	qx, qz := q.middle()
	return (px-qx)*(px-qx) + (pz-qz)*(pz-qz)
}

// within draws a point of a plot, at some distance from its edges.
func (p plot) within(r *rand.Rand) (x, y, z int) {
	const edge = 20
	x, y = between(r, p.west+edge, p.east-edge-1), between(r, 20, 120)
	return x, y, between(r, p.north+edge, p.south-edge-1)
}

// inCountry draws a point of the country.
func inCountry(r *rand.Rand) (x, y, z int) { return pick(r, plots()).within(r) }

// onLand draws a point of the land of the player's world.
func (p *plan) onLand(r *rand.Rand) (x, y, z int) {
	if p.country {
		return inCountry(r)
	}
	return onPlain(r)
}
