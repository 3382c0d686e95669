package seed

import (
	"strings"

	"gamedata/graph/model"
)

// archetype is a way to play a class, as class page and ability tree show it.
type archetype struct {
	id, name                                string
	sign                                    string // colour code of the class page
	colour                                  string // colour of the tree
	difficulty, damage, defence, rng, speed int
	brief                                   string
}

// classTexts holds the texts about a class; its index is that in classIDs.
type classTexts struct {
	name, lore string
	difficulty int
	archetypes [3]archetype // in display order, from left to right in the tree
	// The abilities of the first page in order, then the first ones after it.
	opening []string
	// Names of all other abilities are combined from these.
	firsts, seconds string
}

var allClassTexts = [5]classTexts{
	archer: {
		name: "Archer (Hunter)", lore: "Raised where the paths end.", difficulty: 2,
		archetypes: [3]archetype{
			{"galewing", "Galewing", "e", "#dae069", 3, 3, 1, 2, 3, "Close burst"},
			{"longsight", "Longsight", "d", "#eb3dfe", 1, 3, 1, 3, 1, "Aimed power"},
			{"snarer", "Snarer", "2", "#87dd47", 2, 2, 2, 2, 2, "Traps and patience"},
		},
		opening: []string{"Firebolt", "Bow Lore", "Cheaper Firebolt", "Leap Away", "Gust", "Ember Rain"},
		firsts:  "Ember Hail Thorn Feather Falcon Hollow Quick Split Barbed Silent Wind Bramble Hawk Cinder Twin Far",
		seconds: "Volley Snare Shot Quiver String Step Mark Flight Arrow Watch Trap Draw Aim Nock Whistle Fletching",
	},
	warrior: {
		name: "Warrior (Knight)", lore: "Stands where others step back.", difficulty: 1,
		archetypes: [3]archetype{
			{"oathshield", "Oathshield", "b", "#55c8f2", 1, 1, 3, 1, 1, "Guards the others"},
			{"fallenbrand", "Fallenbrand", "c", "#e5483a", 3, 3, 1, 1, 2, "Wounds for power"},
			{"stonevow", "Stonevow", "6", "#d9a441", 2, 2, 3, 1, 1, "Slow and heavy"},
		},
		opening: []string{"Ground Slam", "Spear Lore", "Cheaper Ground Slam", "Forward Rush", "War Cry", "Shield Wall"},
		firsts:  "Iron Stone Broken Rallying Heavy Oath Crimson Bronze Rising Steady Shatter Grim Burning Last Royal Quake",
		seconds: "Charge Bulwark Strike Vow Rampart Cleave Banner Stance Roar Pike Hammer March Guard Reprisal Crush Boast",
	},
	assassin: {
		name: "Assassin (Ninja)", lore: "Nobody remembers the face.", difficulty: 3,
		archetypes: [3]archetype{
			{"duskblade", "Duskblade", "5", "#9a5bd9", 2, 3, 1, 1, 3, "Strikes from the dark"},
			{"trickster", "Trickster", "d", "#f27ad1", 3, 2, 1, 2, 3, "Decoys and smoke"},
			{"redthread", "Redthread", "4", "#c0392b", 2, 3, 2, 1, 2, "Poison and patience"},
		},
		opening: []string{"Dusk Step", "Long Shadow", "Cheaper Dusk Step", "Vanish", "Smoke Veil", "Spin Cut"},
		firsts:  "Night Smoke Silk Velvet Shadow Venom Hidden Sleight Mirror Razor Ink Moon Quiet False Double Needle",
		seconds: "Blade Veil Fang Lunge Decoy Mask Edge Whisper Dance Wound Ambush Fan Poison Slip Thread Vanishing",
	},
	mage: {
		name: "Mage (Dark Wizard)", lore: "Asked one question too many.", difficulty: 1,
		archetypes: [3]archetype{
			{"riftweaver", "Riftweaver", "9", "#5b7bf2", 3, 3, 1, 3, 2, "Stores and bursts"},
			{"lightkeeper", "Lightkeeper", "f", "#f5f0d0", 1, 1, 2, 2, 2, "Heals the group"},
			{"embermind", "Embermind", "6", "#f2923a", 2, 3, 2, 2, 1, "Heat that grows"},
		},
		opening: []string{"Falling Star", "Wand Lore", "Cheaper Falling Star", "Blink", "Frost Coil", "Warm Light"},
		firsts:  "Arcane Frost Rune Star Mist Spark Prism Astral Hoar Lumen Rift Glacial Ashen Chrono Tidal Radiant",
		seconds: "Coil Orb Ward Surge Beam Sigil Nova Echo Bloom Lens Spiral Pulse Shard Hymn Mantle Storm",
	},
	shaman: {
		name: "Shaman (Skyseer)", lore: "Listens before the rain speaks.", difficulty: 3,
		archetypes: [3]archetype{
			{"rootcaller", "Rootcaller", "a", "#6fcf5a", 2, 2, 2, 2, 1, "Many small helpers"},
			{"stormritual", "Stormritual", "e", "#f2e35b", 3, 3, 1, 2, 3, "Masks and thunder"},
			{"bloodwillow", "Bloodwillow", "4", "#d1495b", 3, 3, 2, 2, 2, "Trades blood for strength"},
		},
		opening: []string{"Rain Totem", "Relik Lore", "Cheaper Rain Totem", "Spirit Walk", "Thunder Mask", "Root Grip"},
		firsts:  "Totem Root Spirit Rain Bone Willow Drum Feathered Ancestral Storm Moss Mask Sap Bark Thunder Seed",
		seconds: "Call Chant Grip Ritual Dance Mask Bond Grove Aura Omen Puppet Offering Surge Howl Bough Return",
	},
}

// Classes returns all classes.
func Classes() []*model.Class {
	out := make([]*model.Class, len(allClassTexts))
	for i, c := range allClassTexts {
		out[i] = &model.Class{ID: classIDs[i], Name: c.name, Lore: c.lore, OverallDifficulty: c.difficulty, OverallMax: 3}
		for _, a := range c.archetypes {
			out[i].Archetypes = append(out[i].Archetypes, &model.ClassArchetype{
				ID: a.id, Name: "&" + a.sign + "&l" + a.name,
				Difficulty: a.difficulty, Max: 3, Icon: "abilityTree." + a.id, Damage: a.damage, Defence: a.defence, Range: a.rng,
				Speed: a.speed,
			})
		}
	}
	return out
}

// camel returns the id of a name: `emberRain` for `Ember Rain`.
func camel(name string) string {
	words := strings.Fields(name)
	words[0] = strings.ToLower(words[0])
	return strings.Join(words, "")
}
