package seed

import (
	"fmt"
	"strings"

	"gamedata/graph/model"
)

// gathering lists the gathering professions. Each has a tool of thirteen grades and fourteen sources, each of which
// gives two materials.
var gathering = readRecords[struct {
	Profession, Tool string
	Sources          []string
	Goods            [2]good
}]("gathering.json")

// good is what a source is refined into: the suffixes of its displayed and internal name, its use and the sign of
// the use.
type good struct{ Shown, Internal, Use, Sign string }

// sourceLevels lists the levels of the fourteen sources of a profession.
var sourceLevels = []int{1, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 105, 110, 115}

// materialName returns the internal name of one of a profession's two materials of a source.
func materialName(profession, kind, source int) string {
	g := gathering[profession]
	return "Refined " + g.Sources[source] + " " + g.Goods[kind].Internal
}

func materials() []*model.Item {
	var out []*model.Item
	for p, g := range gathering {
		for s, src := range g.Sources {
			for k, good := range g.Goods {
				if materialName(p, k, s) == "Refined Elder Paper" {
					continue // in samples
				}
				shown := src
				if g.Profession == "fishing" && src == "Elder" {
					shown = "Elver"
				}
				i := common("material", materialName(p, k, s), shown+" "+good.Shown, sourceLevels[s], "square",
					picture("potion", "profession."+strings.ToLower(good.Internal)+src, int64(3400+28*p+2*s+k)))
				i.SubType, i.Chances = new(g.Profession), gatherChances(70+10*float64(k))
				i.Lore = new(materialLore(good, s))
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
		return model.Markup("§7Can be used to craft §f" + g.Use + "\n§8Rare.")
	}
	return model.Markup(span(gray, "Feed it to your "+span("#bc8f62", "Mount")+", sell it, or use it to craft "+
		span(white, craftGlyph(g.Sign)+" "+g.Use)))
}

var grades = readRecords[struct {
	Made        string
	Level       int
	Tier        string
	Speed, Last int
}]("tool-grades.json")

func tools() []*model.Item {
	var out []*model.Item
	for p, g := range gathering {
		for n, grade := range grades {
			if g.Tool == "axe" && n == 1 {
				continue // in samples
			}
			internal := fmt.Sprintf("Gathering %s %d", title(g.Tool), n+1)
			display := fmt.Sprintf("%s %s T%d", grade.Made, title(g.Tool), n+1)
			i := common("tool", internal, display, grade.Level, "square",
				picture("potion", fmt.Sprintf("gatheringTool.%s%d", g.Tool, n+1), int64(1347+20*p+n)))
			i.SubType, i.Tier, i.Restriction, i.DropRestriction = new(g.Tool), new(grade.Tier), new("none"), new("never")
			i.Identified, i.AllowCraftsman = new(true), new(true)
			i.GatheringSpeed, i.Durability = new(grade.Speed), new(grade.Last)
			out = append(out, i)
		}
	}
	return out
}
