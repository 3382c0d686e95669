package seed

import (
	"slices"
	"strings"

	"gamedata/graph/model"
)

// thing is a reward by its displayed name.
func thing(kind, name string, amount int, tier string) *model.Reward {
	r := &model.Reward{Name: name, TypeText: kind, Amount: amount}
	if tier != "" {
		r.Tier = &tier
	}
	return r
}

func certain(r *model.Reward) *model.Reward { r.Always = true; return r }

var rewardTiers = []string{"MYTHIC", "FABLED", "LEGENDARY", "RARE", "UNIQUE"}

// loot draws the rewards of the nth pool from a level on, out of the item database.
func loot(n, level int) *model.LootPreview {
	r := source(uint64(n), forLoot, uint64(level))
	out := []*model.Reward{certain(thing("CURRENCY", "Emerald Block", 8*(1+level/20), ""))}
	for range 2 {
		i := pick(r, weapons())
		tier := strings.ToUpper(*i.Tier)
		if !slices.Contains(rewardTiers, tier) {
			tier = ""
		}
		out = append(out, thing("ITEM", i.DisplayName, 1, tier))
	}
	out = append(out, certain(thing("INGREDIENT", pick(r, ingredients()).DisplayName, between(r, 1, 4), "")))
	if level >= 60 {
		i := pick(r, tomes())
		out = append(out, thing("TOME", i.DisplayName, 1, strings.ToUpper(*i.Tier)),
			thing("WARD", "Ward of the Quiet Road", 1, ""))
	}
	if level >= 100 {
		out[1].Shiny = new(true)
	}
	return &model.LootPreview{Threshold: level, Rewards: out}
}

func pool(n int, thresholds ...int) []*model.LootPreview {
	out := []*model.LootPreview{}
	for _, level := range thresholds {
		out = append(out, loot(n, level))
	}
	return out
}

// LootPools returns camps and raids. The first camp and the Canyon Colossus are the examples of
// docs/spec/wire-content.md; one camp has no rewards.
func LootPools(o Options) []*model.LootPool {
	var out []*model.LootPool
	type camp struct {
		model.LootPool
		Thresholds []int
	}
	camps := readRecords[*camp]("loot-camps.json")
	if o.country() {
		camps = append(camps, readRecords[*camp]("country-camps.json")...)
	}
	for n, c := range camps {
		c.Type, c.Previews = "CAMP", pool(n, c.Thresholds...)
		out = append(out, &c.LootPool)
	}
	out[0].Previews[1].Rewards = append(out[0].Previews[1].Rewards, thing("TOME", "Tome of Steady Hands I", 1, "FABLED"))
	thresholds := [raidCount][]int{{54, 80}, {80, 100}, {95, 105}, {103}, {105}}
	for n, r := range raids {
		c := &model.LootPool{
			Name: r.name, InternalName: r.board, Type: "RAID", Difficulty: new("HARD"), Level: new(r.level), Length: new("LONG"),
			RequirementList: []*model.ContentRequirement{{Type: "COMBAT_LEVEL", Level: new(r.level)}},
			Location:        new(raidPlace(o, n)),
			Previews:        pool(10+n, thresholds[n]...),
		}
		if n%2 == 0 {
			c.Lore = new("It wakes.")
		}
		out = append(out, c)
	}
	colossus := out[len(out)-raidCount+2]
	reed := thing("ITEM", "Hollow Reed", 1, "RARE")
	reed.Shiny = new(true)
	colossus.Previews[0].Rewards = []*model.Reward{
		thing("ASPECT", "Aspect of the Patient Bow", 1, "FABLED"), reed,
		certain(thing("CURRENCY", "Emerald Block", 64, "")), certain(thing("INGREDIENT", "Bog Lantern Eye", 2, "")),
	}
	return out
}

// raidPlace returns where the entrance of the nth raid is; that of the Canyon Colossus is the example of
// docs/spec/wire-content.md.
func raidPlace(o Options, n int) model.Position {
	switch {
	case raids[n].board == "colossus":
		return at(660, 52, -4440)
	case !o.country():
		return at(-1500+700*n, 50+n, -5100+600*n)
	}
	return at(inCountry(source(2, forPlace, uint64(n))))
}
