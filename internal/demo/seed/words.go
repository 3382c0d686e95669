package seed

import (
	"slices"
	"strings"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
)

// class is an index of model.ClassIDs.
type class int

// UnmarshalText implements encoding.TextUnmarshaler.
func (c *class) UnmarshalText(id []byte) error {
	*c = class(slices.Index(model.ClassIDs, string(id)))
	return nil
}

// The classes by index.
var (
	classTypes = []string{"ARCHER", "WARRIOR", "ASSASSIN", "MAGE", "SHAMAN"}
	reskins    = []string{"HUNTER", "KNIGHT", "NINJA", "DARKWIZARD", "SKYSEER"}
)

// hardcore is the gamemode in which characters die for good.
const hardcore = "hardcore"

// dungeons in the order of the API with their levels.
var dungeons = content.Records[struct {
	Name  string
	Level int
}]("dungeons.json")

// raidLevels are the levels of model.Raids.
var raidLevels = [...]int{54, 80, 95, 103, 105}

const raidCount = len(raidLevels)

// unnamedRaid is what a raid was called before its release.
const unnamedRaid = "Unknown"

// Worlds that random players are on, the largest first; the cast has some of them.
var Worlds = strings.Fields("EU1 EU2 EU3 EU7 EU12 EU21 EU37 US1 US2 US5 US12 US30 AS1 AS3 WC1 WC2 WC17")

// quests by rising level.
var quests = content.Names("quests.txt")

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
