package seed

import (
	"math/rand/v2"
	"strings"
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

// The ground is a grid of territories, each a little smaller than its field.
const (
	landColumns, landRows = 9, 8
	fieldWidth, fieldLong = 400, 700
	landWest, landNorth   = -1800, -5600
)

var (
	landFirsts = strings.Fields(`Fernmoor Rushford Larkhollow Tarn Kestrel Averne Ashgarden Coldharbour Mirewick
		Thistledown Saltmarsh Bramblegate Oldmoor Hoarfell Gullrock Wyndle Hexwood Drumlin Orrowmere
		Pellan Quillby Stonewick Undermere Velloc`)
	landSeconds = strings.Fields("Crossing Quarry Orchard Keep Fields Mill Harbour Hollow Ridge Ruins Watch Shallows")
	goods       = []string{"ORE", "WOOD", "FISH", "CROP"}
	strengths   = []string{"VERY_LOW", "LOW", "MEDIUM", "HIGH", "VERY_HIGH"}
)

// territoryName returns the unique name of the ith territory.
func territoryName(i int) string {
	n := len(landFirsts)
	return landFirsts[i%n] + " " + landSeconds[(5*i+i/n)%len(landSeconds)]
}

// Territories returns the territories of a world, a connected graph. Every ninth is unclaimed, guilds hold
// the others, and all guilds that hold one but Tidewatch have headquarters.
func Territories(o Options) []*model.Territory {
	now, guilds := o.timestamp(), guildsBefore(o.Players)
	seated := map[int]bool{tidewatch: true}
	out := make([]*model.Territory, landColumns*landRows)
	for i := range out {
		r := source(o.Seed, forTerritory, uint64(i))
		t := &model.Territory{
			Name: territoryName(i), Links: territoryLinks(i), Location: ground(r, i), Resources: produce(r, i),
			Guild: &model.TerritoryGuild{}, Treasury: strengths[0], Defences: strengths[0],
		}
		holder := int(float64(guilds) * r.Float64() * r.Float64())
		if i < 2*castGuilds {
			holder = i % castGuilds
		}
		held := time.Duration(between(r, 1, 21*24*60))*time.Minute + time.Duration(r.IntN(1000))*time.Millisecond
		if i%9 != 4 {
			hold(t, guild(o.Seed, holder), now.Add(-held), strengths[min(int(held/(4*24*time.Hour)), 4)], pick(r, strengths))
			t.Hq, seated[holder] = !seated[holder], true
		}
		out[i] = t
	}
	return out
}

// hold gives a territory to a guild. The guild's headquarters are not stored with it: they follow from the
// territories.
func hold(t *model.Territory, g model.GuildReference, since time.Time, treasury, defences string) {
	t.Guild = &model.TerritoryGuild{UUID: &g.UUID, Name: &g.Name, Prefix: &g.Prefix}
	t.Acquired, t.Treasury, t.Defences = &since, treasury, defences
}

// ground returns the rectangle of the ith field; every third starts at its greater corner.
func ground(r *rand.Rand, i int) *model.TerritoryArea {
	x, z := landWest+fieldWidth*(i%landColumns), landNorth+fieldLong*(i/landColumns)
	near := []int{x + r.IntN(20), z + r.IntN(20)}
	far := []int{x + fieldWidth - 1 - r.IntN(20), z + fieldLong - 1 - r.IntN(20)}
	if i%3 == 0 {
		near, far = far, near
	}
	return &model.TerritoryArea{Start: near, End: far}
}

// territoryLinks returns the names of the fields next to the ith and across every second corner, symmetrically.
func territoryLinks(i int) []string {
	column, row := i%landColumns, i/landColumns
	out := []string{}
	for _, step := range [][2]int{{0, -1}, {-1, 0}, {1, 0}, {0, 1}, {-1, -1}, {1, 1}} {
		c, w := column+step[0], row+step[1]
		across := step[0] != 0 && step[1] != 0
		if c < 0 || c >= landColumns || w < 0 || w >= landRows || across && min(column, c)%2 == 1 {
			continue
		}
		out = append(out, territoryName(w*landColumns+c))
	}
	return out
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
