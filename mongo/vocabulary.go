package mongo

import "gamedata/graph/model"

// The fixed values of item metadata, in the order shown to people (WIRE-CONTENT §7.3,
// §7.11). Values that occur in stored items are added to them.
var (
	ItemTypes    = []string{"weapon", "armour", "accessory", "charm", "tome", "tool", "material", "ingredient"}
	AttackSpeeds = []string{"superSlow", "verySlow", "slow", "normal", "fast", "veryFast", "superFast"}
	Crafting     = []string{
		"alchemism", "armouring", "cooking", "jeweling", "scribing", "tailoring", "weaponsmithing",
		"woodworking",
	}
	Gathering = []string{"mining", "woodcutting", "farming", "fishing"}
	Emblems   = []string{"diamond", "shield", "sticker", "square"}
	// Tiers are those of items, then those of ingredients.
	Tiers = [][]string{
		{"normal", "unique", "rare", "set", "legendary", "fabled", "mythic"},
		{"TIER_0", "TIER_1", "TIER_2", "TIER_3"},
	}
	// SubTypes are the kinds of each item type that has some, by filter group.
	SubTypes = []*model.FilterGroup{
		{Name: "weapons", Values: []string{"bow", "dagger", "relik", "spear", "wand"}},
		{Name: "armour", Values: []string{"helmet", "chestplate", "leggings", "boots"}},
		{Name: "accessories", Values: []string{"ring", "bracelet", "necklace"}},
		{Name: "tomes", Values: []string{
			"weapon_tome", "armour_tome", "mysticism_tome", "expertise_tome", "lootrun_tome",
			"marathon_tome", "guild_tome",
		}},
		{Name: "tools", Values: []string{"axe", "pickaxe", "rod", "scythe"}},
	}
)
