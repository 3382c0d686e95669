// Package leaderboard defines the leaderboards: which boards exist, how subjects score on them, and how stored boards
// are ordered and packed. It does no I/O: package mongo stores boards, internal/jobs refreshes them, resolvers show
// them.
package leaderboard

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gamedata/graph/model"
)

// Short names of kinds for the table below.
const (
	ofPlayer    = model.LeaderboardKindPlayer
	ofCharacter = model.LeaderboardKindCharacter
	ofGamemode  = model.LeaderboardKindGamemode
	ofRaids     = model.LeaderboardKindGuildRaids
	ofSeason    = model.LeaderboardKindGuildSeason
	ofRecord    = model.LeaderboardKindGuildRecord
)

// Gamemodes.
const (
	hardcore  = "hardcore"
	ironman   = "ironman"
	ultimate  = "ultimate_ironman"
	craftsman = "craftsman"
	hunted    = "hunted"
)

// Metadata keys.
var (
	hours    = []string{"playtime"}
	xpHours  = []string{"xp", "playtime"}
	levels   = []string{"totalLevel", "xp", "playtime"}
	raidKeys = []string{"completions", "gambits"}
	none     = []string{}
)

// Fixed returns all boards except season boards, in the order of the API (docs/spec/wire-content.md).
func Fixed(raids []*model.Raid) (list []*Board) {
	for _, p := range model.ProfessionList {
		list = append(list, &Board{
			Name: p.Name + "Level", Title: capital(p.Name) + " level",
			Description: "Characters by their level in " + p.Name + ".",
			Kind:        ofCharacter, Metadata: xpHours, score: professionLevel(p.Of), xp: professionXP(p.Name),
		})
	}
	list = append(list, []*Board{
		{
			Name: "professionsSoloLevel", Title: "Profession levels of a character",
			Description: "Characters by the sum of their profession levels.",
			Kind:        ofCharacter, Metadata: levels, score: professionLevels, xp: professionsXP,
		},
		{
			Name: "combatSoloLevel", Title: "Combat level",
			Description: "Characters by their combat level.",
			Kind:        ofCharacter, Metadata: levels, score: combatLevel, xp: combatXP,
		},
		{
			Name: "totalSoloLevel", Title: "Total level of a character",
			Description: "Characters by the sum of their combat and profession levels.",
			Kind:        ofCharacter, Metadata: levels, score: totalLevel, xp: totalXP,
		},
		{
			Name: "professionsGlobalLevel", Title: "Profession levels of all characters",
			Description: "Players by the profession levels of all their characters together.",
			Kind:        ofPlayer, Metadata: xpHours, score: sum(professionLevels),
			xp: sum(professionsXP),
		},
		{
			Name: "combatGlobalLevel", Title: "Combat levels of all characters",
			Description: "Players by the combat levels of all their characters together.",
			Kind:        ofPlayer, Metadata: xpHours, score: sum(combatLevel), xp: sum(combatXP),
		},
		{
			Name: "totalGlobalLevel", Title: "Total level of all characters",
			Description: "Players by all levels of all their characters together.",
			Kind:        ofPlayer, Metadata: xpHours, score: sum(totalLevel), xp: sum(totalXP),
		},
		{
			Name: "playerContent", Title: "Content completed, single character",
			Description: "Characters by how much content they completed: quests, discoveries, dungeons, raids and more.",
			Kind:        ofCharacter, Metadata: levels, score: characterContent, shown: combatXP,
		},
		{
			Name: "globalPlayerContent", Title: "Content completed, all characters",
			Description: "Players by how much content all their characters completed.",
			Kind:        ofPlayer, Metadata: levels, score: playerContent, shown: sum(combatXP),
		},
		withModes("craftsmanContent", "Craftsman: content", craftsman),
		withModes("ironmanContent", "Ironman: content", ironman),
		withModes("ultimateIronmanContent", "Ultimate ironman: content", ultimate),
		withModes("hardcoreContent", "Hardcore: content", hardcore),
		withModes("huntedContent", "Hunted: content", hunted),
		withModes("huicContent", "Hardcore ultimate ironman craftsman (HUIC): content",
			hardcore, ultimate, craftsman),
		withModes("huichContent", "Hardcore ultimate ironman craftsman hunted (HUICH): content",
			hardcore, ultimate, craftsman, hunted),
		withModes("hicContent", "Hardcore ironman craftsman (HIC): content", hardcore, ironman, craftsman),
		withModes("hichContent", "Hardcore ironman craftsman hunted (HICH): content", hardcore, ironman, craftsman, hunted),
		{
			Name: "hardcoreLegacyLevel", Title: "Hardcore: total level",
			Description: "Hardcore characters by the sum of their levels.",
			Kind:        ofGamemode, Metadata: levels, modes: []string{hardcore}, score: totalLevel,
			xp: totalXP,
		},
		{
			Name: "warsCompletion", Title: "Wars",
			Description: "Players by the wars that they fought in.",
			Kind:        ofPlayer, Metadata: hours, score: wars,
		},
	}...)
	for _, r := range raids {
		raid := playerRuns(r.Name)
		list = append(list, &Board{
			Name: r.Board + "Completion", Title: r.Name + ": completions",
			Description: "Players by how often they completed the raid " + r.Name + ".", Kind: ofPlayer, Metadata: hours,
			score: func(s Subject) int64 { return raid(s).completions },
		})
	}
	for _, group := range []struct {
		suffix, title, description string
		kind                       model.LeaderboardKind
		raid                       func(string) func(Subject) raidScore
	}{
		{"SrPlayers", "score of players", "Players by their score in the raid ", ofPlayer, playerRuns},
		{
			"SrGPlayers", "score of players in guild runs", "Players by their score in runs with their guild in the raid ",
			ofPlayer, playerGuildRuns,
		},
		{"SrGuilds", "score of guilds", "Guilds by the score of their runs in the raid ", ofRaids, guildRuns},
	} {
		for _, r := range raids {
			raid := group.raid(r.Name)
			list = append(list, &Board{
				Name: r.Board + group.suffix, Title: r.Name + ": " + group.title,
				Description: group.description + r.Name + ". Gambits raise the score.",
				Kind:        group.kind, Metadata: raidKeys, raid: raid,
				score: func(s Subject) int64 { return raid(s).points() },
			})
		}
	}
	return append(list,
		&Board{
			Name: TotalRaids, Title: "Raids of guilds",
			Description: "Guilds by the raids that their members completed together.",
			Kind:        ofRaids, Metadata: none, score: func(s Subject) int64 { return s.Guild.TotalGuildRaids },
		},
		&Board{
			Name: GuildLevel, Title: "Guild level", Description: "Guilds by their level.",
			Kind: ofRecord, Metadata: none,
		},
		&Board{
			Name: GuildTerritories, Title: "Territories of guilds",
			Description: "Guilds by the territories that they hold now.",
			Kind:        ofRecord, Metadata: none,
		},
		&Board{
			Name: GuildWars, Title: "Wars of guilds", Description: "Guilds by the wars that they won.",
			Kind: ofRecord, Metadata: none,
		})
}

// Names of boards that callers handle specially.
const (
	TotalRaids       = "guildTotalRaids"
	GuildLevel       = "guildLevel"
	GuildTerritories = "guildTerritories"
	GuildWars        = "guildWars"
)

func withModes(name, title string, modes ...string) *Board {
	return &Board{
		Name: name, Title: title,
		Description: "Characters with " + gamemodes(modes) + " by how much content they completed.",
		Kind:        ofGamemode, Metadata: levels, modes: modes, score: characterContent, shown: combatXP,
	}
}

// gamemodes describes gamemodes in words.
func gamemodes(modes []string) string {
	words := make([]string, len(modes))
	for i, m := range modes {
		words[i] = strings.ReplaceAll(m, "_", " ")
	}
	if len(words) == 1 {
		return "the gamemode " + words[0]
	}
	last := len(words) - 1
	return "the gamemodes " + strings.Join(words[:last], ", ") + " and " + words[last]
}

func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// SeasonBoard returns the name of a season's board.
func SeasonBoard(number int) string { return fmt.Sprintf("guildSeason%d", number) }

// SeasonStarted reports whether a season is enabled and has begun, and thus has a board.
func SeasonStarted(s *model.GuildSeason, now time.Time) bool {
	return s.Enabled && s.StartsAt.Before(now)
}

// Catalogue lists the boards that exist at a time.
type Catalogue struct {
	// All lists the boards in the order of the API, season boards last by number.
	All []*Board

	byName map[string]*Board
}

// NewCatalogue returns the fixed boards and a board for each started season.
func NewCatalogue(fixed []*Board, seasons []*model.GuildSeason, now time.Time) *Catalogue {
	c := &Catalogue{All: slices.Clone(fixed), byName: make(map[string]*Board, len(fixed)+len(seasons))}
	seasons = slices.Clone(seasons)
	slices.SortFunc(seasons, func(a, b *model.GuildSeason) int { return a.Number - b.Number })
	for _, s := range seasons {
		if SeasonStarted(s, now) {
			c.All = append(c.All, &Board{
				Name: SeasonBoard(s.Number), Title: fmt.Sprint("Season ", s.Number),
				Description: fmt.Sprintf("Guilds by their rating in season %d.", s.Number),
				Kind:        ofSeason, Metadata: none, Season: s,
				score: rating(s.Number),
			})
		}
	}
	for _, b := range c.All {
		c.byName[b.Name] = b
	}
	return c
}

// characterBoards holds the names of the boards that rank characters, which do not depend on data.
var characterBoards = func() map[string]bool {
	names := map[string]bool{}
	for _, b := range Fixed(nil) {
		if b.OfCharacters() {
			names[b.Name] = true
		}
	}
	return names
}()

// RanksCharacters reports whether the named board ranks characters.
func RanksCharacters(name string) bool { return characterBoards[name] }

// Named returns the board with a name, or nil. Case matters.
func (c *Catalogue) Named(name string) *Board { return c.byName[name] }
