package seed

import "strings"

// The classes in the order of the API.
var (
	classIDs   = []string{"archer", "warrior", "assassin", "mage", "shaman"}
	classTypes = []string{"ARCHER", "WARRIOR", "ASSASSIN", "MAGE", "SHAMAN"}
	reskins    = []string{"HUNTER", "KNIGHT", "NINJA", "DARKWIZARD", "SKYSEER"}
)

// The indexes of the classes in the lists above.
const (
	archer = iota
	warrior
	assassin
	mage
	shaman
)

// Gamemodes.
const (
	hardcore = "hardcore"
	ironman  = "ironman"
	ultimate = "ultimate_ironman"
	craft    = "craftsman"
	hunted   = "hunted"
)

// dungeons in the order of the API with their levels.
var dungeons = [...]struct {
	name  string
	level int
}{
	{"Skeleton", 5},
	{"Decrepit Sewers", 9},
	{"Corrupted Decrepit Sewers", 74},
	{"Spider", 14},
	{"Infested Pit", 17},
	{"Zombie", 20},
	{"Timelost Sanctum", 96},
	{"Underworld Crypt", 24},
	{"Corrupted Underworld Crypt", 82},
	{"Animal", 28},
	{"Lost Sanctuary", 33},
	{"Corrupted Lost Sanctuary", 88},
	{"Silverfish", 40},
	{"Sand-Swept Tomb", 45},
	{"Corrupted Sand-Swept Tomb", 92},
	{"Ice", 50},
	{"Ice Barrows", 54},
	{"Corrupted Ice Barrows", 96},
	{"Jungle", 58},
	{"Undergrowth Ruins", 63},
	{"Corrupted Undergrowth Ruins", 99},
	{"Ocean", 66},
	{"Galleon's Graveyard", 70},
	{"Corrupted Galleon's Graveyard", 102},
	{"Fallen Factory", 90},
	{"Eldritch Outlook", 101},
}

// raids in the order of the API with their levels and the prefixes of their boards.
var raids = [...]struct {
	name, board string
	level       int
}{
	{"Nest of the Grootslangs", "grootslang", 54},
	{"Orphion's Nexus of Light", "orphion", 80},
	{"The Canyon Colossus", "colossus", 95},
	{"The Nameless Anomaly", "nameless", 103},
	{"The Wartorn Palace", "fruma", 105},
}

// unnamedRaid is what a raid was called before its release.
const unnamedRaid = "Unknown"

const raidCount = len(raids)

// worlds that random players are on; the cast has others.
var worlds = strings.Fields("EU1 EU2 EU3 EU7 EU12 EU21 EU37 US1 US2 US5 US12 US30 AS1 AS3 WC1 WC2 WC17")

// quests by rising level.
var quests = readNames("quests.txt")

// removable lists stats that character customization can remove.
var removable = []string{"wars", "mobsKilled", "chestsFound", "blocksWalked", "deaths", "playtime"}

// nicknames of some players and characters.
var nicknames = []string{
	"Dusk", "Brin", "Old Moss", "The Baker", "Nettle", "Captain", "Little Owl", "Half-Pint", "Sir Stumbles", "Ash",
}

var (
	wallpapers = []string{"default", "default", "default", "forest", "harbour", "midwinter"}
	avatars    = []string{"default", "default", "default", "owl", "lantern", "stag"}
)
