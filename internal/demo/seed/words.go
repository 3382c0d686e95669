package seed

import (
	"strings"

	"gamedata/graph/model"
)

// The classes in the order of the API.
var (
	classIDs   = model.ClassIDs
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
var dungeons = readRecords[struct {
	Name  string
	Level int
}]("dungeons.json")

// raidLevels are the levels of model.Raids.
var raidLevels = [...]int{54, 80, 95, 103, 105}

const raidCount = len(raidLevels)

// unnamedRaid is what a raid was called before its release.
const unnamedRaid = "Unknown"

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
