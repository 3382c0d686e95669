package seed

import (
	"math/rand/v2"
	"sync"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
)

// A world has one of two lands, each cut into plots of uneven size. The country has a coast, lakes and islands, and
// regions with a product and a level each. Small worlds have the plain land: the cases of the contract are about one of
// them. Folders of the content contain what depends on the land.
const (
	country = "country"
	plain   = "plain"
)

// countryPlayers is the number of players from which on a world has the country.
const countryPlayers = 100

// land returns the land of a world.
func (o Options) land() string {
	if o.Players+o.newcomers < countryPlayers {
		return plain
	}
	return country
}

// plot is a rectangle of land, its greater edges excluded. A territory is a little smaller than its plot.
type plot struct {
	Name                     string
	West, East, North, South int
	// Good is the resource of most territories around.
	Good string
	// Links are indexes of the plots that are joined to it, in rising order. The plots of a land are one connected graph.
	Links []int
}

// plots returns the plots of each land, those of a place next to each other.
var plots = sync.OnceValue(func() map[string][]*plot {
	return map[string][]*plot{
		country: content.Read[plot]("country/plots"),
		plain:   content.Read[plot]("plain/plots"),
	}
})

// area returns the rectangle of a territory in the plot, less than a distance from each edge; from the greater corner
// or to it.
func (p *plot) area(r *rand.Rand, distance int, fromGreater bool) *model.Area {
	near := []int{p.West + r.IntN(distance), p.North + r.IntN(distance)}
	far := []int{p.East - 1 - r.IntN(distance), p.South - 1 - r.IntN(distance)}
	if fromGreater {
		near, far = far, near
	}
	return &model.Area{StartCorner: near, EndCorner: far}
}

// distance returns the square of the distance between the middles of two plots.
func (p *plot) distance(q *plot) int {
	px, pz := p.middle()
	qx, qz := q.middle()
	return (px-qx)*(px-qx) + (pz-qz)*(pz-qz)
}

func (p *plot) middle() (x, z int) { return (p.West + p.East) / 2, (p.North + p.South) / 2 }

// within draws a point of a plot, at some distance from its edges.
func (p *plot) within(r *rand.Rand) (x, y, z int) {
	const edge = 20
	x, y = between(r, p.West+edge, p.East-edge-1), between(r, 20, 120)
	return x, y, between(r, p.North+edge, p.South-edge-1)
}

// onLand draws a point of the land of the player's world.
func (p *plan) onLand(r *rand.Rand) (x, y, z int) {
	if p.land == country {
		return pick(r, plots()[country]).within(r)
	}
	x, y = between(r, -1800, 1800), between(r, 20, 120)
	return x, y, between(r, -5600, 0)
}
