package seed

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"gamedata/graph/model"
)

// Worlds of fewer players than countryPlayers have the plain land instead of the country: the cases of the contract
// are about one of them.

// The plain land has rows of uneven height, each cut into fields of uneven width. A territory is a little smaller than
// its field.
const (
	landRows             = 24
	plainWest, plainEast = -1800, 1800
	plainNorth, plainEnd = -5600, 0
	minFields, fieldSum  = 14, 7 // fields of a row: minFields to minFields+fieldSum-1
	fieldBorder          = 70    // fields of two rows are linked when they share a border of this length
)

var plainFirsts = strings.Fields(`Fernmoor Rushford Larkhollow Tarn Kestrel Averne Ashgarden Coldharbour Mirewick
		Thistledown Saltmarsh Bramblegate Oldmoor Hoarfell Gullrock Wyndle Hexwood Drumlin Orrowmere
		Pellan Quillby Stonewick Undermere Velloc Withy Yarrowby Alderford Brindlecombe Corrie Dunmarrow Eskdene
		Foxlow Greyhollow Hawkscar Isleworthy Junipern`)

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
	rows := cuts(r, plainNorth, plainEnd, landRows)
	for row := range landRows {
		columns := cuts(r, plainWest, plainEast, minFields+r.IntN(fieldSum))
		for c := range len(columns) - 1 {
			n := len(out)
			name := plainFirsts[n/len(placeSeconds)] + " " + placeSeconds[n%len(placeSeconds)]
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
	return (a.row == b.row+1 || b.row == a.row+1) && min(a.east, b.east)-max(a.west, b.west) >= fieldBorder
}

// plainTerritories returns the territories of the plain land, a connected graph. Every ninth is unclaimed, guilds hold
// the others, often several in a row, and each guild has its headquarters in the first one.
func plainTerritories(o Options) []*model.Territory {
	now, guilds, holder := o.timestamp(), guildsBefore(o.Players), 0
	seated := map[int]bool{}
	var out []*model.Territory
	for i, f := range fields() {
		r := source(o.Seed, forTerritory, uint64(i))
		t := &model.Territory{
			Name: f.name, LinkNames: slices.Clone(f.links), Location: f.plot().area(r, 10, i%3 == 0),
			Resources: produce(r, i, goods[i%len(goods)]),
			Guild:     &model.TerritoryGuild{}, Treasury: strengths[0], Defences: strengths[0],
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

// plot returns the rectangle of a field.
func (f field) plot() plot { return plot{west: f.west, east: f.east, north: f.north, south: f.south} }

// onPlain draws a point of the plain land.
func onPlain(r *rand.Rand) (x, y, z int) {
	x, y = between(r, plainWest, plainEast), between(r, 20, 120)
	return x, y, between(r, plainNorth, plainEnd)
}

// plainMarkers returns the markers of the plain land.
func plainMarkers() []*model.MapMarker {
	out := []*model.MapMarker{rushfordBlacksmith}
	add := func(icon, name string) {
		x, y, z := onPlain(source(1, forPlace, uint64(len(out))))
		out = append(out, &model.MapMarker{Name: name, Icon: icon, Position: at(x, y, z)})
	}
	for _, d := range dungeons {
		add("Content_Dungeon.png", d.Name)
	}
	for _, raid := range raids {
		add("Content_Raid.png", raid.name)
	}
	for n := 0; n < len(quests); n += 3 {
		add("Content_Quest.png", quests[n])
	}
	for n, place := range origins {
		add([]string{"Content_Cave.png", "Content_BossAltar.png"}[n%2], place)
	}
	for n, first := range plainFirsts[1:] {
		add(trades[n%len(trades)][0], first+" "+trades[n%len(trades)][1])
	}
	return out
}

// nodesPerSource is the number of nodes per material of the plain land.
const nodesPerSource = 4

// plainNodes returns the gathering nodes of the plain land.
func plainNodes() []*model.GatheringNode {
	var out []*model.GatheringNode
	for p, g := range gathering {
		for s := range g.Sources {
			resource := nodeResource(p, s)
			r := source(uint64(p), forNode, uint64(s))
			x, y, z := onPlain(r)
			for n := range nodesPerSource {
				kind := "NODE"
				if p == 0 && n > 1 {
					kind = []string{"WALL", "CORNER"}[n%2]
				}
				out = append(out, &model.GatheringNode{
					Position: at(x+between(r, -30, 30), y+n, z+between(r, -30, 30)), Angle: 90 * r.IntN(4),
					Type: kind, Resource: resource, Level: sourceLevels[s],
				})
			}
		}
	}
	out[5].Angle = 190
	return out
}
