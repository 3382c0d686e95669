package seed

import (
	"fmt"
	"strings"

	"gamedata/graph/model"
)

// product is a kind of craftable: its profession, its two materials by profession and kind, and how many of
// each a step of difficulty costs.
type product struct {
	kind, skill, word string
	first, second     [2]int
	amounts           [2]int
}

// Materials by profession and kind, in the order of gathering.
var (
	ingot, gem     = [2]int{0, 0}, [2]int{0, 1}
	wood, paper    = [2]int{1, 0}, [2]int{1, 1}
	thread, grains = [2]int{2, 0}, [2]int{2, 1}
	oil, meat      = [2]int{3, 0}, [2]int{3, 1}
)

var products = []product{
	{"boots", "tailoring", "Boots", ingot, thread, [2]int{1, 2}},
	{"bow", "woodworking", "Bow", thread, wood, [2]int{2, 1}},
	{"bracelet", "jeweling", "Bracelet", gem, oil, [2]int{2, 1}},
	{"chestplate", "armouring", "Chestplate", ingot, paper, [2]int{2, 1}},
	{"dagger", "weaponsmithing", "Dagger", ingot, wood, [2]int{2, 1}},
	{"food", "cooking", "Food", meat, grains, [2]int{2, 1}},
	{"helmet", "armouring", "Helmet", ingot, paper, [2]int{1, 2}},
	{"leggings", "tailoring", "Pants", ingot, thread, [2]int{2, 1}},
	{"necklace", "jeweling", "Necklace", gem, oil, [2]int{1, 2}},
	{"potion", "alchemism", "Potion", oil, grains, [2]int{1, 2}},
	{"relik", "woodworking", "Relik", oil, wood, [2]int{1, 2}},
	{"ring", "jeweling", "Ring", gem, oil, [2]int{1, 1}},
	{"scroll", "scribing", "Scroll", oil, paper, [2]int{1, 1}},
	{"spear", "weaponsmithing", "Spear", ingot, wood, [2]int{1, 2}},
	{"wand", "woodworking", "Wand", thread, wood, [2]int{1, 2}},
}

var spriteKeys = strings.Fields(
	`default air earth fire thunder water rainbow magic melee ranged defensive offensive quick slow stealing`,
)

// Recipes returns a recipe for each kind of product and range of levels: between 1 and 119, four ranges in
// ten levels, with shared borders.
func Recipes() []*model.Recipe {
	var out []*model.Recipe
	for _, p := range products {
		for ten := range 12 {
			for _, ends := range [4][2]int{{0, 3}, {3, 5}, {5, 7}, {7, 9}} {
				out = append(out, p.recipe(max(10*ten+ends[0], 1), 10*ten+ends[1]))
			}
		}
	}
	return out
}

func (p product) recipe(low, high int) *model.Recipe {
	source := 0
	for s, level := range sourceLevels {
		if level <= low {
			source = s
		}
	}
	step := 1 + low/20
	l, h := int64(low), int64(high)
	out := &model.Recipe{
		InternalName: fmt.Sprintf("%s%d-%d", p.word, low, high), Type: p.kind, Skill: p.skill,
		Level: &model.ValueRange{Minimum: l, Maximum: h},
		Materials: []*model.RecipeMaterial{
			{ItemName: materialName(p.first[0], p.first[1], source), Amount: p.amounts[0] * step},
			{ItemName: materialName(p.second[0], p.second[1], source), Amount: p.amounts[1] * step},
		},
		Sprites: p.sprites(), Xp: 14 + l*l*l/160 + l*6,
	}
	if p.skill != "jeweling" {
		out.HealthOrDamage = &model.ValueRange{Minimum: 9 + l*l/4 + 2*l, Maximum: 10 + h*h/4 + 2*h}
	}
	switch p.kind {
	case "food":
		out.Duration = &model.ValueRange{Minimum: 1062 + 18*l, Maximum: 1062 + 18*h}
		out.BasicDuration = &model.ValueRange{Minimum: 60, Maximum: 60}
	case "potion", "scroll":
		out.Duration = &model.ValueRange{Minimum: 354 + 6*l, Maximum: 354 + 6*h}
		out.BasicDuration = &model.ValueRange{Minimum: 3, Maximum: 3}
	default:
		out.Durability = &model.ValueRange{Minimum: (171 + 7*l/2) * 1000, Maximum: (171 + 7*h/2) * 1000}
	}
	switch out.InternalName {
	case "Potion10-13": // an example of docs/spec/wire-content.md
		out.HealthOrDamage, out.Xp = &model.ValueRange{Minimum: 60, Maximum: 72}, 65
	case "Spear87-89": // stored upside down, as in recorded data
		out.HealthOrDamage.Minimum, out.HealthOrDamage.Maximum = out.HealthOrDamage.Maximum, out.HealthOrDamage.Minimum
	}
	return out
}

// sprites returns the fifteen icons of a product. Consumables have names of their own.
func (p product) sprites() []*model.RecipeSprite {
	prefix, id := "item", "potion"
	switch p.kind {
	case "food", "potion", "scroll":
		prefix = p.kind
	case "boots", "helmet", "leggings", "chestplate":
		id = "leather_" + p.kind
	}
	var out []*model.RecipeSprite
	for n, key := range spriteKeys {
		look := key
		if key == "default" {
			look = "plain"
		}
		out = append(out, &model.RecipeSprite{Key: key, Icon: named(picture(id, p.kind+"."+look, int64(301+n)), prefix+key)})
	}
	return out
}
