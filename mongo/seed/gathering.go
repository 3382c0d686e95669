package seed

import (
	"fmt"
	"strings"

	"gamedata/graph/model"
)

// Each gathering profession has a tool of thirteen grades and fourteen sources, each of which gives two
// materials.
var gathering = []struct {
	profession, tool, toolWord string
	sources                    string
	goods                      [2]good
}{
	{
		"mining",
		"pickaxe",
		"Pickaxe",
		"Tinstone Bogiron Marl Redslate Chalcite Galena Feldspar Hornblende Wolfram Cobaltite Serpentine Tektite " +
			"Nightglass Starlode",
		[2]good{{"Ingot", "Ingot", "ingot", "Daggers and Spears", '\ue001'}, {
			"Gem", "Gem", "gem",
			"Rings, Bracelets & Necklaces", '\ue002',
		}},
	},
	{
		"woodcutting",
		"axe",
		"Axe",
		"Alder Hornbeam Hazel Elder Rowan Larch Yew Blackthorn Cypress Ironwood Bogoak Sorrow Palewood Dreamwood",
		[2]good{{"Plank", "Wood", "wood", "Bows, Wands & Reliks", '\ue003'}, {
			"Paper", "Paper", "paper", "Scrolls",
			'\ue008',
		}},
	},
	{
		"farming",
		"scythe",
		"Scythe",
		"Spelt Barley Flax Einkorn Teff Sorghum Buckwheat Amaranth Quinoa Emmer Fonio Moonrye Ashcorn Glimmergrain",
		[2]good{{"String", "String", "string", "Leggings and Boots", '\ue005'}, {
			"Grains", "Grains", "grains",
			"Potions and Food", '\ue006',
		}},
	},
	{
		"fishing",
		"rod",
		"Rod",
		"Stickleback Elder Loach Tench Grayling Burbot Ruffe Lamprey Sturgeon Oarfish Gulper Lanternjaw Mistfin Deepcrown",
		[2]good{{"Oil", "Oil", "oil", "Scrolls, Potions & Jewellery", '\ue007'}, {"Meat", "Meat", "meat", "Food", '\ue009'}},
	},
}

// good is what a source is refined into: the suffixes of its displayed and internal name, its icon, its
// use and the sign of the use.
type good struct {
	shown, internal, icon, use string
	sign                       rune
}

// sourceLevels lists the levels of the fourteen sources of a profession.
var sourceLevels = []int{1, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 105, 110, 115}

// materialName returns the internal name of one of a profession's two materials of a source.
func materialName(profession, kind, source int) string {
	g := gathering[profession]
	return "Refined " + strings.Fields(g.sources)[source] + " " + g.goods[kind].internal
}

func materials() []*model.Item {
	var out []*model.Item
	for p, g := range gathering {
		for s, src := range strings.Fields(g.sources) {
			for k, good := range g.goods {
				if materialName(p, k, s) == "Refined Elder Paper" {
					continue // in samples
				}
				shown := src
				if g.profession == "fishing" && src == "Elder" {
					shown = "Elver"
				}
				i := common("material", materialName(p, k, s), shown+" "+good.shown, sourceLevels[s], "square",
					picture("potion", "profession."+good.icon+src, int64(3400+28*p+2*s+k)))
				i.SubType, i.Chances = ptr(g.profession), gatherChances(70+10*float64(k))
				i.Lore = ptr(materialLore(good, s))
				out = append(out, i)
			}
		}
	}
	return out
}

func gatherChances(first float64) *model.MaterialChances {
	return &model.MaterialChances{Tier1: first, Tier2: 10, Tier3: 1}
}

// materialLore returns the text of a material, every seventh as source text.
func materialLore(g good, n int) model.Markup {
	if n%7 == 6 {
		return model.Markup("§7Can be used to craft §f" + g.use + "\n§8Rare.")
	}
	return model.Markup(span(gray, "Feed it to your "+span("#bc8f62", "Mount")+", sell it, or use it to craft "+
		span(white, craftGlyph(g.sign)+" "+g.use)))
}

// Grades of tools: material, level, tier, speed and durability.
var grades = []struct {
	made        string
	level       int
	tier        string
	speed, last int
}{
	{"Pine", 1, "normal", 8, 100},
	{"Tin", 5, "normal", 16, 120},
	{"Pewter", 15, "unique", 28, 140},
	{
		"Brass", 25,
		"unique", 45, 160,
	},
	{"Iron", 35, "unique", 65, 180},
	{"Steel", 45, "unique", 90, 200},
	{"Cobalt", 55, "rare", 120, 220},
	{
		"Wolfram", 65,
		"rare", 150, 240,
	},
	{"Silverite", 75, "rare", 190, 260},
	{"Tektite", 85, "legendary", 230, 280},
	{"Nightglass", 95, "legendary", 275, 300},
	{"Starlode", 105, "fabled", 330, 320},
	{"Dreamglass", 115, "fabled", 400, 350},
}

func tools() []*model.Item {
	var out []*model.Item
	for p, g := range gathering {
		for n, grade := range grades {
			if g.tool == "axe" && n == 1 {
				continue // in samples
			}
			i := common("tool", fmt.Sprintf("Gathering %s %d", g.toolWord, n+1), fmt.Sprintf("%s %s T%d", grade.made, g.toolWord,
				n+1), grade.level, "square",
				picture("potion", fmt.Sprintf("gatheringTool.%s%d", g.tool, n+1), int64(1347+20*p+n)))
			i.SubType, i.Tier, i.Restriction, i.DropRestriction = ptr(g.tool), ptr(grade.tier), ptr("none"), ptr("never")
			i.Identified, i.AllowCraftsman, i.GatheringSpeed, i.Durability = ptr(true), ptr(true), ptr(grade.speed),
				ptr(grade.last)
			out = append(out, i)
		}
	}
	return out
}
