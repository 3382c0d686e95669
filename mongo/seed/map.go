package seed

import (
	"math/rand/v2"
	"strings"

	"gamedata/graph/model"
)

// Like all content, the map does not depend on the options.

// onLand draws a point on the ground that territories cover.
func onLand(r *rand.Rand) (x, y, z int) {
	x, y = between(r, landWest, landEast), between(r, 20, 120)
	return x, y, between(r, landNorth, landEnd)
}

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

// at is a position in whole blocks.
func at(x, y, z int) model.Position {
	return model.Position{X: float64(x), Y: float64(y), Z: float64(z)}
}

// MapMarkers returns the markers, first the example of docs/spec/wire-content.md.
func MapMarkers() []*model.MapMarker {
	out := []*model.MapMarker{{Name: "Rushford Blacksmith", Icon: "NPC_Blacksmith.png", Position: at(412, 66, -1190)}}
	add := func(icon, name string) {
		x, y, z := onLand(source(1, forPlace, uint64(len(out))))
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
	for n, first := range landFirsts[1:] {
		add(trades[n%len(trades)][0], first+" "+trades[n%len(trades)][1])
	}
	return out
}

// nodesPerSource is the number of nodes per material.
const nodesPerSource = 4

// GatheringNodes returns the nodes of all sources of the gathering professions. Ore is in walls and corners
// too, and one node has an odd rotation.
func GatheringNodes() []*model.GatheringNode {
	var out []*model.GatheringNode
	for p, g := range gathering {
		for s, name := range g.Sources {
			resource := strings.ToUpper(name)
			if g.Profession == "fishing" && name == "Elder" {
				resource = "ELVER"
			}
			r := source(uint64(p), forNode, uint64(s))
			x, y, z := onLand(r)
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

// QuestSummary counts the quests that players can complete.
func QuestSummary() *model.QuestSummary { return &model.QuestSummary{Quests: len(quests)} }
