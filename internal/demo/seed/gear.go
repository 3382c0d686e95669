package seed

import (
	"math/rand/v2"
	"strings"
	"sync"

	"gamedata/graph/model"
)

var (
	gearTiers  = []string{"normal", "unique", "rare", "set", "legendary", "fabled", "mythic"}
	dropWays   = []string{"normal", "never", "lootchest", "dungeon"}
	speeds     = []string{"superSlow", "verySlow", "slow", "normal", "fast", "veryFast", "superFast"}
	gearFirsts = strings.Fields(`Gloaming Wickerwork Oldmoor Saltglass Kestrel Hearthless Nettleborn Tarnish Cloudcut
		Marrow Thistle Undertow Quarry Sparrow Lichen Cindermoth Orchard Driftwood Palewater Ravel Hoarfrost Bellwether
		Drumlin Emberfall Fathom Gossamer Hexwood Inkwell Juniper Kiln Larkspur Millstone Nightjar Osier Pewterglow
		Quillback Rushlight Sablemere Tallow Umberglass Vesper Whinstone Yarrow Alderheart Brackish Chalkstream
		Dunlin Eiderdown Furrow Greywacke Hollowroot Ironbark Jackdaw Kelpwoven Loamstone Mistral Northwake Oakum
		Peatfire Ragstone`)
	// tierWeights says how frequent the tiers of gear are.
	tierWeights = []int{12, 34, 26, 3, 15, 7, 3}
	damageKeys  = []string{"baseEarthDamage", "baseThunderDamage", "baseWaterDamage", "baseFireDamage", "baseAirDamage"}
	defenceKeys = strings.Fields("baseEarthDefence baseThunderDefence baseWaterDefence baseFireDefence baseAirDefence")
)

// line is a kind of gear; its pieces differ by name. It has at most as many as there are pairs of gearFirsts and
// its eight seconds.
type line struct {
	kind, subType, emblem, icon string
	count                       int
	class, seconds              string
}

// pieces returns the gear of a line, with rising levels.
func (l line) pieces(seed uint64, finish func(r *rand.Rand, i *model.Item, n int)) []*model.Item {
	var out []*model.Item
	seconds := strings.Fields(l.seconds)
	for n := range l.count {
		r := source(seed, forItem, uint64(n))
		level := 1 + n*104/(l.count-1)
		first, turn := (n*7+int(seed)*3)%len(gearFirsts), n/len(gearFirsts)
		name := gearFirsts[first] + " " + seconds[(n+turn)%len(seconds)]
		tier := weighted(r, tierWeights)
		icon := picture("potion", l.subType+"."+l.icon+string(rune('1'+n%3)), int64(200+31*int(seed)+n%32))
		i := common(l.kind, name, name, level, emblem(l.emblem, n), icon)
		i.SubType, i.Tier = new(l.subType), new(gearTiers[tier])
		i.DropRestriction = new(dropWays[n%len(dropWays)])
		if l.class != "" {
			i.Requirements.ClassRequirement = new(l.class)
		}
		if n%9 != 4 { // sometimes missing, which is not "none"
			i.Restriction = new([]string{"none", "untradable", "none", "quest item", "none"}[n%5])
		}
		demandSkills(r, i.Requirements, level)
		plain := tier == 0
		if plain {
			i.Identified = new(true)
		}
		i.Identifications = stats(r, 1+n%6, level, plain)
		finish(r, i, n)
		adorn(r, i, n)
		out = append(out, i)
	}
	return out
}

// demandSkills adds skill requirements to half of all gear.
func demandSkills(r *rand.Rand, q *model.ItemRequirements, level int) {
	if level < 10 || chance(r, 0.5) {
		return
	}
	skills := []**int{&q.Strength, &q.Dexterity, &q.Intelligence, &q.Defence, &q.Agility}
	for range between(r, 1, 2) {
		*pick(r, skills) = new(between(r, 5, 5+level/2))
	}
	if chance(r, 0.05) {
		q.Quest = new(pick(r, quests))
	}
}

// adorn adds what only some pieces have.
func adorn(r *rand.Rand, i *model.Item, n int) {
	if n%4 == 1 {
		i.Lore = new(pick(r, lores))
	}
	if n%5 == 2 {
		i.MajorIds = []*model.MajorIdentification{pick(r, majors)}
	}
	if n%11 == 7 {
		i.MajorIds = []*model.MajorIdentification{majors[n%len(majors)], majors[(n+1)%len(majors)]}
	}
	if n%3 == 0 {
		i.DropMeta = origin(r, n)
	}
	if n%8 == 3 {
		i.Icon.Model.CustomModelData.Select = []string{pick(r, []string{"green", "tattered", "left"})}
	}
}

// origin is a place where an item drops, in each of the possible forms.
func origin(r *rand.Rand, n int) *model.DropMeta {
	name, x, y, z := pick(r, origins), between(r, -2000, 2000), between(r, 20, 120), between(r, -6000, 0)
	d := &model.DropMeta{Name: name, Coordinates: []float64{float64(x), float64(y), float64(z)}}
	switch n % 4 {
	case 0:
		d.Type = new("miniboss")
	case 1:
		d.TypeList = []string{"lootrun", "cave"}
	case 2:
		d.Type, d.Coordinates = new("merchant"), []float64{99999, 99999, 99999}
	case 3:
		d.Type, d.Event = new("event"), new(pick(r, []string{"midwinter", "harvest", "lanternfest"}))
	}
	return d
}

var weapons = sync.OnceValue(func() (out []*model.Item) {
	for n, l := range []line{
		{"weapon", "bow", "diamond", "air", 360, "archer", "Longbow Bow Arc Flatbow Recurve Hornbow Bolter Sinew"},
		{
			"weapon", "dagger", "diamond", "thunder", 360, "assassin",
			"Dirk Stiletto Knife Fang Kris Talon Poniard Shiv",
		},
		{"weapon", "relik", "diamond", "earth", 360, "shaman", "Idol Relik Effigy Drum Fetish Rattle Mask Totem"},
		{"weapon", "spear", "diamond", "fire", 360, "warrior", "Pike Spear Halberd Trident Glaive Lance Partisan Harpoon"},
		{"weapon", "wand", "diamond", "water", 360, "mage", "Wand Rod Crook Sceptre Stave Baton Branch Caduceus"},
	} {
		out = append(out, l.pieces(uint64(n+1), arm)...)
	}
	return out
})

func arm(r *rand.Rand, i *model.Item, n int) {
	level := int64(i.Requirements.Level)
	speed := n % len(speeds)
	i.AttackSpeed = new(speeds[speed])
	perHit := (6 + level*3) * int64(8-speed) / 4
	low, high := perHit*4/5, perHit*6/5
	i.Base = []*model.Identification{spread("baseDamage", low, perHit, high)}
	for e, key := range damageKeys {
		if (n+e)%7 == 0 || (n+2*e)%9 == 0 {
			i.Elements = append(i.Elements, elements[e])
			i.Base = append(i.Base, spread(key, perHit/4+1, perHit/3+2, perHit/2+3))
		}
	}
	i.AverageDps = new(perHit * int64(5+3*speed) / 10)
	if n%10 != 9 {
		i.PowderSlots = new(n % 4)
	}
}

var armour = sync.OnceValue(func() (out []*model.Item) {
	for n, l := range []line{
		{"armour", "helmet", "shield", "iron", 410, "", "Hood Cap Helm Circlet Visor Crown Coif Bonnet"},
		{"armour", "chestplate", "shield", "leather", 410, "", "Coat Tunic Plate Vest Hauberk Jerkin Robe Cuirass"},
		{"armour", "leggings", "shield", "gold", 410, "", "Skirts Leggings Trousers Kilt Greaves Hose Cuisses Chaps"},
		{"armour", "boots", "shield", "diamond", 410, "", "Boots Striders Sandals Treads Sabatons Clogs Waders Slippers"},
	} {
		out = append(out, l.pieces(uint64(n+6), protect)...)
	}
	return out
})

func protect(r *rand.Rand, i *model.Item, n int) {
	level := int64(i.Requirements.Level)
	i.Base = []*model.Identification{fixed("baseHealth", level*level/3+10)}
	if n == 6 {
		i.Base[0].Raw = -450
	}
	defend(i, n, level)
	if n%10 != 9 {
		i.PowderSlots = new(n % 5)
	}
}

// defend adds elemental defences, some negative.
func defend(i *model.Item, n int, level int64) {
	for e, key := range defenceKeys {
		if (n+e)%3 == 0 {
			i.Base = append(i.Base, fixed(key, (level+4)*int64(1+e)/3))
			i.Elements = append(i.Elements, elements[e])
		} else if (n+e)%7 == 0 {
			i.Base = append(i.Base, fixed(key, -level/2-3))
		}
	}
}

var accessories = sync.OnceValue(func() (out []*model.Item) {
	for n, l := range []line{
		{"accessory", "ring", "sticker", "gem", 230, "", "Ring Band Loop Signet Coil Knot Seal Hoop"},
		{"accessory", "bracelet", "sticker", "cord", 230, "", "Bracelet Cuff Bangle Armlet Wristlet Torque Vambrace Twine"},
		{"accessory", "necklace", "sticker", "chain", 230, "", "Necklace Pendant Amulet Choker Gorget Locket Collar Beads"},
	} {
		out = append(out, l.pieces(uint64(n+10), func(r *rand.Rand, i *model.Item, n int) {
			i.Identified = nil // accessories never have it
			if n%4 == 3 {
				return
			}
			if n%2 == 0 {
				i.Base = append(i.Base, fixed("baseHealth", int64(i.Requirements.Level)*2-30))
			}
			defend(i, n, int64(i.Requirements.Level))
		})...)
	}
	return out
})
