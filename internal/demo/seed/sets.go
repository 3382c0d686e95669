package seed

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"gamedata/graph/model"
)

// setNames lists the sets that have four pieces of armour of their own.
var setNames = strings.Fields(`Wickerwork Saltglass Hearthless Nettleborn Cloudcut Undertow Lichen Cindermoth Driftwood
	Hoarfrost Bellwether Emberfall Gossamer Inkwell Juniper Kiln's`)

var setPieces = []struct{ subType, word string }{
	{"helmet", "Cowl"}, {"chestplate", "Mantle"}, {"leggings", "Breeches"}, {"boots", "Shoes"},
}

// sets are generated once; they depend on no option.
var sets = sync.OnceValue(func() []*model.ItemSet {
	out := []*model.ItemSet{
		set("Reedcutter", []string{"Hollow Reed", "Reedcutter Cap", "Reedcutter Boots"},
			bonus(2, nil, stat("walkSpeed", 4), stat("rawHealth", 15)),
			bonus(3, []string{"Still Water"}, stat("walkSpeed", 8), stat("rawHealth", 40), stat("manaRegen", 6))),
		set("Wayward", []string{}, bonus(1, nil, stat("lootBonus", 5))),
		// A part that is not in the database, and bonuses with a gap.
		set("Pilgrim's Debt", []string{"Wickerwork Cowl", "Pilgrim's Debt Lantern"},
			bonus(1, nil, stat("walkSpeed", -5)), bonus(4, nil, stat("walkSpeed", 12))),
		set("Hundredfold", everyOf(weapons(), 18), bonus(2, nil, stat("damage", 2)), bonus(5, nil, stat("damage", 9)),
			bonus(9, nil, stat("damage", 30))),
	}
	for n, name := range setNames {
		r := source(1, forItem, uint64(n))
		var parts []string
		for _, piece := range setPieces {
			parts = append(parts, name+" "+piece.word)
		}
		if n%4 == 0 {
			parts = append(parts, accessories()[n].InternalName)
		}
		var bonuses []*model.SetBonus
		for worn := 2; worn <= len(parts); worn++ {
			bonuses = append(bonuses, bonus(worn, nil, grown(r, worn)...))
		}
		out = append(out, set(name, parts, bonuses...))
	}
	return out
})

// Sets returns all item sets, among them the two examples of docs/spec/wire-content.md.
func Sets() []*model.ItemSet { return sets() }

func set(name string, parts []string, bonuses ...*model.SetBonus) *model.ItemSet {
	return &model.ItemSet{Name: name, InternalName: strings.ToLower(name), PartNames: parts, Bonuses: bonuses}
}

func bonus(worn int, major []string, minor ...*model.SetStat) *model.SetBonus {
	if major == nil {
		major = []string{}
	}
	return &model.SetBonus{Parts: worn, Major: major, Minor: minor}
}

func stat(key string, value int64) *model.SetStat { return &model.SetStat{Key: key, Value: value} }

// grown draws two or three stats that grow with the number of parts worn.
func grown(r *rand.Rand, worn int) []*model.SetStat {
	var list []*model.SetStat
	for _, i := range stats(r, between(r, 2, 3), 30*worn, true) {
		list = append(list, stat(i.Key, i.Raw))
	}
	return list
}

// everyOf returns the names of every nth item.
func everyOf(list []*model.Item, n int) []string {
	var names []string
	for i := 0; i < len(list); i += n {
		names = append(names, list[i].InternalName)
	}
	return names
}

// setGear returns the pieces that exist for their set only.
func setGear() []*model.Item {
	out := []*model.Item{setPiece("Reedcutter Cap", "helmet", 0, 33), setPiece("Reedcutter Boots", "boots", 1, 35)}
	for n, name := range setNames {
		for m, piece := range setPieces {
			out = append(out, setPiece(name+" "+piece.word, piece.subType, 4*n+m+2, 8+6*n))
		}
	}
	return out
}

func setPiece(name, subType string, n, level int) *model.Item {
	r := source(2, forItem, uint64(n))
	icon := picture("leather_"+subType, subType+".leather", int64(600+n))
	i := common("armour", name, name, level, emblem("shield", n), icon)
	i.SubType, i.Tier, i.Restriction, i.DropRestriction = new(subType), new("set"), new("none"), new("lootchest")
	i.Identifications = stats(r, between(r, 2, 4), level, false)
	protect(r, i, n)
	return i
}

// tagged adds the names of sets to the items that are part of them.
func tagged(all []*model.Item) []*model.Item {
	byName := map[string]*model.Item{}
	for _, i := range all {
		byName[i.InternalName] = i
	}
	for _, s := range Sets() {
		for _, part := range s.PartNames {
			if i := byName[part]; i != nil && !slices.Contains(i.SetNames, s.Name) {
				i.SetNames = append(i.SetNames, s.Name)
			}
		}
	}
	return all
}
