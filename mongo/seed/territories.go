package seed

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"gamedata/graph/model"
)

// Purposes of random sources for the map, separate from the others so that neither changes the other.
const (
	forTerritory uint64 = iota + 0x40
	forNode
	forLoot
	forFriends
	forParty
	forPartyID
	forPlace
)

// The land has rows of uneven height, each cut into fields of uneven width. A territory is a little smaller than
// its field.
const (
	landRows            = 24
	landWest, landEast  = -1800, 1800
	landNorth, landEnd  = -5600, 0
	minFields, fieldSum = 14, 7 // fields of a row: minFields to minFields+fieldSum-1
	minBorder           = 70    // fields of two rows are linked when they share a border of this length
)

var (
	landFirsts = strings.Fields(`Fernmoor Rushford Larkhollow Tarn Kestrel Averne Ashgarden Coldharbour Mirewick
		Thistledown Saltmarsh Bramblegate Oldmoor Hoarfell Gullrock Wyndle Hexwood Drumlin Orrowmere
		Pellan Quillby Stonewick Undermere Velloc Withy Yarrowby Alderford Brindlecombe Corrie Dunmarrow Eskdene
		Foxlow Greyhollow Hawkscar Isleworthy Junipern`)
	landSeconds = strings.Fields("Crossing Quarry Orchard Keep Fields Mill Harbour Hollow Ridge Ruins Watch Shallows")
	goods       = []string{"ORE", "WOOD", "FISH", "CROP"}
	strengths   = []string{"VERY_LOW", "LOW", "MEDIUM", "HIGH", "VERY_HIGH"}
)

// field is a part of the land, its greater corner excluded.
type field struct {
	row, west, east, north, south int
	name                          string
	links                         []string
}

// fields are the same in all worlds. Neighbours share the first part of their names.
var fields = sync.OnceValue(func() []field {
	r := source(1, forTerritory, 0)
	var out []field
	rows := cuts(r, landNorth, landEnd, landRows)
	for row := range landRows {
		columns := cuts(r, landWest, landEast, minFields+r.IntN(fieldSum))
		for c := range len(columns) - 1 {
			n := len(out)
			name := landFirsts[n/len(landSeconds)] + " " + landSeconds[n%len(landSeconds)]
			out = append(out, field{
				row: row, west: columns[c], east: columns[c+1], north: rows[row], south: rows[row+1], name: name,
			})
		}
	}
	for i := range out {
		for j := range out {
			if linked(out[i], out[j]) {
				out[i].links = append(out[i].links, out[j].name)
			}
		}
	}
	return out
})

// cuts divides a distance into n parts of uneven length and returns their n+1 ends.
func cuts(r *rand.Rand, from, to, n int) []int {
	part := (to - from) / n
	out := []int{from}
	for i := 1; i < n; i++ {
		out = append(out, from+(to-from)*i/n+between(r, -part/3, part/3))
	}
	return append(out, to)
}

// linked reports whether two fields are neighbours in a row, or share enough of the border between two rows.
func linked(a, b field) bool {
	if a.row == b.row {
		return a.east == b.west || b.east == a.west
	}
	return (a.row == b.row+1 || b.row == a.row+1) && min(a.east, b.east)-max(a.west, b.west) >= minBorder
}

// Territories returns the territories of a world, a connected graph. Every ninth is unclaimed, guilds hold
// the others, often several in a row, and each guild has its headquarters in the first one.
func Territories(o Options) []*model.Territory {
	now, guilds, holder := o.timestamp(), guildsBefore(o.Players), 0
	seated := map[int]bool{}
	var out []*model.Territory
	for i, f := range fields() {
		r := source(o.Seed, forTerritory, uint64(i))
		t := &model.Territory{
			Name: f.name, LinkNames: slices.Clone(f.links), Location: f.area(r, i%3 == 0), Resources: produce(r, i),
			Guild: &model.TerritoryGuild{}, Treasury: strengths[0], Defences: strengths[0],
		}
		if i < 2*castGuilds {
			holder = i % castGuilds
		} else if chance(r, 0.4) {
			holder = int(float64(guilds) * r.Float64() * r.Float64())
		}
		age := time.Duration(between(r, 1, 21*24*60))*time.Minute + time.Duration(r.IntN(1000))*time.Millisecond
		t.Acquired = new(now.Add(-age))
		if i%9 != 4 {
			g := guild(o.Seed, holder)
			t.Guild = &model.TerritoryGuild{UUID: &g.UUID, Name: &g.Name, Prefix: &g.Prefix}
			t.Treasury, t.Defences = strengths[min(int(age/(4*24*time.Hour)), 4)], pick(r, strengths)
			t.Hq, seated[holder] = !seated[holder], true
		}
		out = append(out, t)
	}
	return out
}

// area returns the rectangle of a territory in the field, from the greater corner or to it.
func (f field) area(r *rand.Rand, fromGreater bool) *model.Area {
	near := []int{f.west + r.IntN(10), f.north + r.IntN(10)}
	far := []int{f.east - 1 - r.IntN(10), f.south - 1 - r.IntN(10)}
	if fromGreater {
		near, far = far, near
	}
	return &model.Area{StartCorner: near, EndCorner: far}
}

// produce returns emeralds and one or two other resources; sometimes one is boosted away in favour of
// others.
func produce(r *rand.Rand, i int) []*model.TerritoryResource {
	kinds := []string{"EMERALD", goods[i%len(goods)]}
	if i%5 == 3 {
		kinds = append(kinds, goods[(i+1)%len(goods)])
	}
	out := make([]*model.TerritoryResource, len(kinds))
	for n, kind := range kinds {
		base := int64(3600)
		if n == 0 {
			base = 9000
		}
		limit := int64(1+r.IntN(40)) * 10_000
		out[n] = &model.TerritoryResource{
			Type: kind, Generation: base * int64(between(r, 10, 96)) / 10, BaseGeneration: base,
			Stored: r.Int64N(limit + 1), Limit: limit,
		}
	}
	if i%7 == 2 {
		out[1].Generation = 0
	}
	return out
}
