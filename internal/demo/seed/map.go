package seed

import (
	"math"
	"math/rand/v2"
	"strings"

	"gamedata/graph/model"
)

// The map depends on the options only by the land, which small worlds have another one of.

// trades lists the icons and names of workplaces.
var trades = [][2]string{
	{"NPC_Blacksmith.png", "Blacksmith"},
	{"NPC_ItemIdentifier.png", "Item Identifier"},
	{"Merchant_Potion.png", "Potion Merchant"},
	{"Merchant_Weapon.png", "Weapon Merchant"},
	{"Merchant_Scroll.png", "Scroll Merchant"},
	{"Special_FastTravel.png", "Coach"},
	{"Profession_Cooking.png", "Cooking Station"},
	{"Profession_Tailoring.png", "Tailoring Station"},
	{"painting.png", "Painter"},
}

// townTrades is how many of the trades each town has.
const townTrades = 4

// at is a position in whole blocks.
func at(x, y, z int) model.Position {
	return model.Position{X: float64(x), Y: float64(y), Z: float64(z)}
}

// rushfordBlacksmith is the example of docs/spec/wire-content.md.
var rushfordBlacksmith = &model.MapMarker{
	Name: "Rushford Blacksmith", Icon: "NPC_Blacksmith.png", Position: at(412, 66, -1190),
}

// MapMarkers returns the markers, first rushfordBlacksmith.
func MapMarkers(o Options) []*model.MapMarker {
	if !o.country() {
		return plainMarkers()
	}
	out := []*model.MapMarker{rushfordBlacksmith}
	add := func(icon, name string, position model.Position) {
		out = append(out, &model.MapMarker{Name: name, Icon: icon, Position: position})
	}
	anywhere := func(icon, name string) {
		add(icon, name, at(inCountry(source(1, forPlace, uint64(len(out))))))
	}
	for _, g := range regions {
		add("Place_Region.png", g.Name, at(g.X, 80, g.Z))
	}
	for _, d := range dungeons {
		anywhere("Content_Dungeon.png", d.Name)
	}
	for n, raid := range raids {
		add("Content_Raid.png", raid.name, raidPlace(o, n))
	}
	for n := 0; n < len(quests); n += 3 {
		anywhere("Content_Quest.png", quests[n])
	}
	for n, place := range origins {
		anywhere([]string{"Content_Cave.png", "Content_BossAltar.png"}[n%2], place)
	}
	towns := 0
	for _, p := range plots() {
		town, isTown := strings.CutSuffix(p.name, " "+placeSeconds[0])
		if !isTown {
			continue
		}
		r := source(1, forTown, uint64(towns))
		for n := range townTrades {
			trade := trades[(townTrades*towns+n)%len(trades)]
			if name := town + " " + trade[1]; name != rushfordBlacksmith.Name {
				add(trade[0], name, at(p.within(r)))
			}
		}
		towns++
	}
	return out
}

// The number of gathering nodes: clusters of a source, and nodes of a cluster.
const (
	clusters    = 25
	clusterSize = 12
)

// GatheringNodes returns the nodes of all sources of the gathering professions, in clusters: most of them in regions
// that have the material, at about their level. Ore is in walls and corners too, and one node has an odd rotation.
func GatheringNodes(o Options) []*model.GatheringNode {
	if !o.country() {
		return plainNodes()
	}
	out := make([]*model.GatheringNode, 0, len(gathering)*len(sourceLevels)*clusters*clusterSize)
	for p, g := range gathering {
		for s := range g.Sources {
			resource := nodeResource(p, s)
			r := source(uint64(p), forNode, uint64(s))
			for range clusters {
				around := habitat(r, goods[p], sourceLevels[s])
				x, y, z := around.within(r)
				for n := range clusterSize {
					kind := "NODE"
					if goods[p] == "ORE" && n%4 > 1 {
						kind = []string{"WALL", "CORNER"}[n%2]
					}
					out = append(out, &model.GatheringNode{
						Position: at(near(r, x, around.west, around.east), y+n%5, near(r, z, around.north, around.south)),
						Angle:    90 * r.IntN(4), Type: kind, Resource: resource, Level: sourceLevels[s],
					})
				}
			}
		}
	}
	out[5].Angle = 190
	return out
}

// nodeResource returns what nodes call a profession's source.
func nodeResource(profession, source int) string {
	name := gathering[profession].Sources[source]
	if gathering[profession].Profession == "fishing" && name == "Elder" {
		return "ELVER"
	}
	return strings.ToUpper(name)
}

// habitat draws a plot for nodes of a material: that which suits it best of a few.
func habitat(r *rand.Rand, good string, level int) plot {
	best, fit := plot{}, math.MinInt
	for range 4 {
		p := pick(r, plots())
		suits := -max(level-p.region.Level, p.region.Level-level)
		if p.region.Good == good {
			suits += 40
		}
		if suits > fit {
			best, fit = p, suits
		}
	}
	return best
}

// near draws a number about another one, from low to high.
func near(r *rand.Rand, n, low, high int) int {
	return min(max(n+between(r, -35, 35)+between(r, -35, 35), low), high-1)
}

// QuestSummary counts the quests that players can complete.
func QuestSummary() *model.QuestSummary { return &model.QuestSummary{Quests: len(quests)} }
