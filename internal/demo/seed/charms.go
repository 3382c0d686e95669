package seed

import (
	"fmt"
	"sync"

	"gamedata/graph/model"
)

// charms returns the charms; their stats are in the base.
func charms() []*model.Item {
	var out []*model.Item
	for n, c := range []struct{ name, key, tier string }{
		{"Charm of the Tide", "leveledLootBonus", "rare"},
		{"Charm of Cinders", "damageFromMobs", "fabled"},
		{"Charm of the Long Road", "leveledXpBonus", "mythic"},
		{"Charm of Stone", "damageFromMobs", "unique"},
	} {
		level := 40 + 20*n
		i := common("charm", c.name, c.name, level, emblem("sticker", n), picture("potion", "charm.stone", int64(641+n)))
		i.Tier, i.AllowCraftsman = new(c.tier), new(n%2 == 0)
		i.Restriction, i.DropRestriction = new("untradable"), new("lootchest")
		i.Base = []*model.Identification{rolled(c.key, int64(8+5*n))}
		if n%2 == 1 {
			i.Identifications = stats(source(4, forItem, uint64(n)), 2, level, false)
		}
		out = append(out, i)
	}
	return out
}

// tomes returns tomes of each kind.
var tomes = sync.OnceValue(func() []*model.Item {
	kinds := []struct {
		subType string
		of      []string
		tiers   []string
	}{
		{
			"weapon_tome",
			[]string{"Sure Aim", "Hard Blows", "Clean Cuts", "Long Reach"},
			[]string{"legendary", "fabled", "mythic"},
		},
		{
			"armour_tome",
			[]string{"Thick Hide", "Firm Stance", "Slow Blood", "Dry Feet"},
			[]string{"legendary", "fabled", "mythic"},
		},
		{
			"mysticism_tome",
			[]string{"Quiet Thought", "Deep Breath", "Second Sight", "Old Verses"},
			[]string{"fabled", "mythic"},
		},
		{
			"expertise_tome",
			[]string{"Apt Hands", "Sharp Tools", "Patient Work", "Good Measure"},
			[]string{"fabled", "mythic"},
		},
		{"lootrun_tome", []string{"Keen Eyes", "Deep Pockets", "Short Cuts", "Open Chests"}, []string{"fabled"}},
		{"marathon_tome", []string{"Long Strides", "Light Packs", "Early Starts", "Dry Roads"}, []string{"fabled"}},
		{"guild_tome", []string{"Shared Bread", "Common Cause", "High Walls", "Full Ranks"}, []string{"legendary"}},
	}
	var out []*model.Item
	for k, kind := range kinds {
		for step, numeral := range []string{"I", "II", "III"} {
			for _, tier := range kind.tiers {
				for _, of := range kind.of {
					t := tome(len(out), of, tier, numeral, step)
					t.Icon, t.SubType = picture("potion", "tome."+kind.subType, int64(4123+k)), new(kind.subType)
					out = append(out, t)
				}
			}
		}
	}
	return out
})

// tome returns the nth tome. For every second one the internal name differs from the displayed one, and one in ten
// has no drop data.
func tome(n int, of, tier, numeral string, step int) *model.Item {
	display := fmt.Sprintf("%s Tome of %s %s", title(tier), of, numeral)
	internal := display
	if n%2 == 0 {
		internal = fmt.Sprintf("Tome of %s %s %s", of, title(tier), numeral)
	}
	level := 50 + 20*step
	i := common("tome", internal, display, level, fmt.Sprintf("square_%d", 4+n%3), nil)
	i.Tier, i.AllowCraftsman = new(tier), new(true)
	i.Restriction, i.DropRestriction = new("untradable"), new("never")
	i.Identifications = stats(source(5, forItem, uint64(n)), 1+step, level, false)
	i.DropMeta = tomeOrigin(n)
	return i
}

func tomeOrigin(n int) *model.DropMeta {
	nowhere := []float64{99999, 99999, 99999}
	switch {
	case n%10 == 9:
		return nil
	case n%3 == 0:
		return &model.DropMeta{Name: "Guild Rewards", Type: new("guild"), Coordinates: nowhere}
	case n%3 == 1:
		return &model.DropMeta{Name: "Lootruns", TypeList: []string{"lootrun"}, Coordinates: nowhere}
	}
	place := []float64{float64(n*37 - 700), 61.5, float64(-n * 90)}
	return &model.DropMeta{Name: raids[n%raidCount].name, Type: new("raid"), Coordinates: place}
}
