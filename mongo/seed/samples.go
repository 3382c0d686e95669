package seed

import "gamedata/graph/model"

// samples are the items of the examples in docs/spec/wire-content.md, value for value.
func samples() []*model.Item {
	eye := common("ingredient", "Bog Lantern Eye", "Bog Lantern Eye", 42, "square", &model.Icon{
		Format: "skin",
		Text:   ptr("9f3c1e7a55d04b18a2"),
	})
	eye.Tier, eye.Requirements.Skills = ptr("TIER_2"), []string{"alchemism", "cooking"}
	eye.Identifications = []*model.Identification{spread("manaRegen", 2, 3, 4)}
	eye.ConsumableOnlyIDs = &model.ConsumableOnlyIDs{Duration: ptr[int64](-30), Charges: ptr[int64](1)}
	eye.ItemOnlyIDs = itemIDs(-40000, 0, 0, 6, 0, 0)
	eye.IngredientPositionModifiers = positions(0, 0, 0, 0, 15, 0)
	eye.DroppedBy = []*model.DroppedBy{
		{Name: "Bog Warden"},
		{Name: "Mire Imp", FixedPlace: ptr(false)},
		{Name: "Marsh Toad", Spot: &model.Spot{X: 310, Y: 48, Z: -1220, Radius: 25}},
		{Name: "Fen Wisp", Spots: []*model.Spot{{X: 300, Y: 50, Z: -1200, Radius: 20}, {
			X: 344, Y: 51, Z: -1262,
			Radius: 12,
		}}},
	}

	paper := common("material", "Refined Elder Paper", "Elder Paper", 30, "square", picture("potion",
		"profession.paperElder", 3499))
	paper.SubType, paper.Chances = ptr("woodcutting"), gatherChances(70)
	paper.Lore = ptr(model.Markup(span(gray, "Can be used to craft Scrolls")))

	reed := common("weapon", "Hollow Reed", "Hollow Reed", 34, "diamond_2", picture("potion", "wand.water2", 212))
	reed.SubType, reed.Tier, reed.Restriction, reed.DropRestriction = ptr("wand"), ptr("rare"), ptr("none"), ptr("normal")
	reed.Requirements.ClassRequirement, reed.Requirements.Intelligence = ptr("mage"), ptr(20)
	reed.AttackSpeed, reed.AverageDps, reed.PowderSlots, reed.Elements = ptr("normal"), ptr[int64](58), ptr(2),
		[]string{"water"}
	reed.Base = []*model.Identification{spread("baseDamage", 18, 22, 26), spread("baseWaterDamage", 4, 6, 8)}
	reed.Identifications = []*model.Identification{
		spread("manaRegen", 2, 6, 8), spread("walkSpeed", -3, -10, -13),
		fixed("rawIntelligence", 4),
	}
	reed.MajorIds = []*model.MajorIdentification{{Name: "Still Water", Text: model.Markup(span(aqua,
		"Standing still restores mana"))}}
	reed.Lore = ptr(model.Markup(span(dark, "It hums when rain is near.")))
	reed.DropMeta = &model.DropMeta{
		Name: "Rushford Caverns", TypeList: []string{"dungeon", "cave"},
		Coordinates: []float64{412, 61, -1190}, Event: ptr("midwinter"),
	}
	reed.Sets = []string{"Reedcutter"}

	charm := common("charm", "Lantern Charm", "Lantern Charm", 60, "sticker_3", picture("potion", "charm.light", 640))
	charm.Tier, charm.Restriction, charm.DropRestriction, charm.AllowCraftsman = ptr("legendary"), ptr("untradable"),
		ptr("lootchest"), ptr(true)
	charm.Base = []*model.Identification{spread("leveledXpBonus", 3, 10, 13)}

	greaves := common("armour", "Mossback Greaves", "Mossback Greaves", 12, "shield", picture("leather_boots",
		"boots.leather", 2, "green"))
	greaves.SubType, greaves.Tier, greaves.Restriction, greaves.DropRestriction = ptr("boots"), ptr("unique"),
		ptr("quest item"), ptr("never")
	greaves.Requirements.Quest = ptr("The Sunken Road")
	greaves.Base = []*model.Identification{
		fixed("baseHealth", 140), fixed("baseEarthDefence", 10),
		fixed("baseFireDefence", -8),
	}
	greaves.PowderSlots, greaves.Identified = ptr(0), ptr(true)
	greaves.Identifications = []*model.Identification{fixed("rawHealth", 25)}

	axe := common("tool", "Gathering Axe 2", "Tin Axe T2", 5, "square", picture("potion", "gatheringTool.axe2", 1348))
	axe.SubType, axe.Tier, axe.Restriction, axe.DropRestriction = ptr("axe"), ptr("normal"), ptr("none"), ptr("never")
	axe.Identified, axe.AllowCraftsman, axe.GatheringSpeed, axe.Durability = ptr(true), ptr(true), ptr(16), ptr(120)

	tome := common("tome", "Tome of Calm Hands I", "Tome of Steady Hands I", 60, "square_4", picture("potion",
		"tome.weapon", 4123))
	tome.SubType, tome.Tier, tome.Restriction, tome.DropRestriction = ptr("weapon_tome"), ptr("fabled"), ptr("untradable"),
		ptr("never")
	tome.AllowCraftsman = ptr(true)
	tome.Identifications = []*model.Identification{spread("damage", 1, 3, 4)}
	tome.DropMeta = &model.DropMeta{Name: "The Canyon Colossus", Type: ptr("raid"), Coordinates: []float64{
		99999, 99999,
		99999,
	}}

	return []*model.Item{eye, paper, reed, charm, greaves, axe, tome}
}
