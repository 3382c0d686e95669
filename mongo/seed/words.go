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
var quests = []string{
	"A Lantern for Fernmoor", "The Lost Ledger", "The Sunken Road", "Bread for the Ferryman", "Seven Crooked Nails",
	"The Miller's Debt", "Underfoot", "A Cure for Copper Cough", "The Bell That Would Not Ring", "Goat Politics",
	"The Quiet Well", "Letters from Rushford", "Three Brothers, One Boat", "The Cartographer's Error", "Salt and Silence",
	"The Hollow Hill", "Lost in the Larder", "A Song for Stone", "The Weaver's Ninth Finger", "Frost at the Window",
	"Moth Season", "The Drowned Orchard", "Keys of Kestrel Keep", "The Unfinished Statue", "Wine Before War",
	"The Ash Garden", "What the Heron Saw", "A Debt of Feathers", "The Second Lighthouse", "Children of the Quarry",
	"Thirteen Steps Down", "The Iron Postman", "Under a Paper Moon", "The Tinker's Wager", "Glass Teeth",
	"The Long Way to Averne", "Bones for Breakfast", "The Tower That Leaned", "An Honest Thief", "Ember and Oath",
	"The Tax on Rain", "Where Rivers Sleep", "The Masked Harvest", "A Chair by the Fire", "The Last Beekeeper",
	"Storm in a Kettle", "The Mirror Tenants", "Roots of the Matter", "The Silver Alibi", "Tracks in the Snow",
	"The Ghost of Gate Nine", "A Map Without North", "The Sleeping Bridge", "Fire in the Archive", "The Owl's Verdict",
	"Beneath the Theatre", "The Sixth Day Market", "Cold Harbour", "The Gilded Cage", "Whispers in the Wheat",
	"The Broken Sundial", "A Crown of Nettles", "The Patient Executioner", "Dust of Giants", "The Floating Court",
	"Nobody's Island", "The Clockmaker's Heart", "Deep Accounts", "The Red Ferry", "Songs for the Deaf King",
	"The Hanging Market", "A Winter Without Walls", "The Inkblot Conspiracy", "Shards of Noon", "The Uninvited Choir",
	"The Mountain's Price", "A Door in the Sea", "Salvage Rights", "The Thousandth Candle", "The Cursed Regatta",
	"Echoes of the Ninth Legion", "The Wandering Oasis", "Tomorrow's Newspaper", "The Fallen Aqueduct", "Sky Debts",
	"The Marble Garden", "A Study in Ash", "The Empty Throne Room", "Voices under Glass", "The Siege of Larkhollow",
	"The Night Archivist", "A Kingdom for a Spoon", "The Last Train of Camels", "Eclipse over Tarn", "The Weight of Light",
	"Into the Pale", "The Other Side of Sleep", "Ten Thousand Steps", "The World's Edge Inn", "The End of the Sunken Road",
}

// removable lists stats that character customization can remove.
var removable = []string{"wars", "mobsKilled", "chestsFound", "blocksWalked", "deaths", "playtime"}

// nicknames of some players and characters.
var nicknames = []string{
	"Dusk", "Brin", "Old Moss", "The Baker", "Nettle", "Captain", "Little Owl", "Half-Pint",
	"Sir Stumbles", "Ash",
}

var (
	wallpapers = []string{"default", "default", "default", "forest", "harbour", "midwinter"}
	avatars    = []string{"default", "default", "default", "owl", "lantern", "stag"}
)
