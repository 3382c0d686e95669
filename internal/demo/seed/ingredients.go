package seed

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"

	"gamedata/graph/model"
)

const ingredientCount = 969

var (
	crafting         = strings.Fields("alchemism armouring cooking jeweling scribing tailoring weaponsmithing woodworking")
	ingredientFirsts = strings.Fields(`Bog Mire Fen Marsh Cave Crypt Dune Tundra Reef Canopy Ember Hollow Salt Storm Dusk
		Spire Moor Glade Cliff Delta Ash Frost Barrow Heath Lagoon Ridge Thorn Vale Copse Gorge Shoal Steppe Grotto
		Crag Estuary Meadow`)
	ingredientParts = strings.Fields(`Fang Eyelash Feather Husk Resin Claw Ichor Petal Shell Root Dust Horn Scale Spore
		Marrow Bristle Amber Sap Whisker Pearl Thread Antler Bloom Gland Tallow Quill Flake Hide Nectar Tooth`)
	// ingredientTiers says how frequent the tiers are.
	ingredientTiers = []int{0, 1, 0, 2, 0, 1, 0, 3, 2, 1}
	creatures       = strings.Fields("Warden Imp Toad Wisp Crawler Shade Prowler Golem Moth Hag Serpent Drake")
)

var ingredients = sync.OnceValue(func() []*model.Item {
	var out []*model.Item
	for n := range ingredientCount {
		r := source(7, forItem, uint64(n))
		first := ingredientFirsts[n%len(ingredientFirsts)]
		name := first + " " + ingredientParts[(n+n/len(ingredientFirsts)*7)%len(ingredientParts)]
		icon := picture("potion", "ingredient."+strings.ToLower(first), int64(5000+n))
		if n%6 == 2 {
			icon = &model.Icon{Format: "skin", Text: new(fmt.Sprintf("%016x%016x", r.Uint64(), r.Uint64()))}
		}
		i := common("ingredient", name, name, 1+n*104/(ingredientCount-1), "square", icon)
		i.Tier = new(fmt.Sprintf("TIER_%d", ingredientTiers[n%len(ingredientTiers)]))
		for s, skill := range crafting {
			if (n+s)%5 == 0 {
				i.Requirements.Skills = append(i.Requirements.Skills, skill)
			}
		}
		if n%33 != 7 {
			i.Identifications = stats(r, 1+n%4, i.Requirements.Level, n%4 == 0)
		}
		blend(r, i, n)
		if n%7 != 6 {
			i.DroppedBy = droppers(r, first, n)
		}
		out = append(out, i)
	}
	return out
})

// blend sets the three objects that every ingredient has, some with the relevant keys only.
func blend(r *rand.Rand, i *model.Item, n int) {
	i.ConsumableOnlyIDs = &model.ConsumableOnlyIDs{Duration: new(int64(between(r, -60, 60)))}
	i.ItemOnlyIDs = &model.ItemOnlyIDs{DurabilityModifier: new(int64(between(r, -90, 30)) * 1000)}
	i.IngredientPositionModifiers = &model.IngredientPositionModifiers{}
	if n%5 == 4 {
		return
	}
	i.ConsumableOnlyIDs.Charges = new(int64(n % 3))
	few := func() *int64 { return new(int64(max(0, between(r, -12, 9)))) }
	ids := i.ItemOnlyIDs
	ids.StrengthRequirement, ids.DexterityRequirement, ids.IntelligenceRequirement = few(), few(), few()
	ids.DefenceRequirement, ids.AgilityRequirement = few(), few()
	side := func() *int64 { return new(int64(5 * max(0, between(r, -6, 6)) * (1 - 2*r.IntN(2)))) }
	p := i.IngredientPositionModifiers
	p.Left, p.Right, p.Above, p.Under, p.Touching, p.NotTouching = side(), side(), side(), side(), side(), side()
}

// droppers returns creatures of the region with their locations in each of the four forms.
func droppers(r *rand.Rand, region string, n int) []*model.DroppedBy {
	spot := func() *model.Spot {
		x, y, z, radius := between(r, -2000, 2000), between(r, 5, 120), between(r, -6000, 0), between(r, 5, 60)
		return &model.Spot{X: float64(x), Y: float64(y), Z: float64(z), Radius: float64(radius)}
	}
	var out []*model.DroppedBy
	for k := range 1 + n%3 {
		d := &model.DroppedBy{Name: region + " " + creatures[(n+5*k)%len(creatures)]}
		switch (n + k) % 4 {
		case 1:
			d.FixedPlace = new(false)
		case 2:
			d.Spot = spot()
		case 3:
			d.SpotList = []*model.Spot{spot(), spot(), spot()}
		}
		out = append(out, d)
	}
	return out
}
