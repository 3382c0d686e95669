// Package leaderboard defines the leaderboards: which boards exist, how subjects score on them, and how
// stored boards are ordered and packed. It is pure: package mongo stores boards, internal/jobs refreshes
// them, resolvers show them.
package leaderboard

import (
	"fmt"
	"slices"
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

// Fixed returns all boards but those of seasons, in the order of the API (docs/spec/wire-content.md).
func Fixed(raids []*model.Raid) (list []*Board) {
	for _, p := range model.ProfessionList {
		list = append(list, &Board{
			Name: p.Name + "Level", Kind: ofCharacter, Metadata: xpHours, score: professionLevel(p.Of), xp: professionXP(p.Name),
		})
	}
	list = append(list, []*Board{
		{Name: "professionsSoloLevel", Kind: ofCharacter, Metadata: levels, score: professionLevels, xp: professionsXP},
		{Name: "combatSoloLevel", Kind: ofCharacter, Metadata: levels, score: combatLevel, xp: combatXP},
		{Name: "totalSoloLevel", Kind: ofCharacter, Metadata: levels, score: totalLevel, xp: totalXP},
		{
			Name: "professionsGlobalLevel", Kind: ofPlayer, Metadata: xpHours, score: sum(professionLevels),
			xp: sum(professionsXP),
		},
		{Name: "combatGlobalLevel", Kind: ofPlayer, Metadata: xpHours, score: sum(combatLevel), xp: sum(combatXP)},
		{Name: "totalGlobalLevel", Kind: ofPlayer, Metadata: xpHours, score: sum(totalLevel), xp: sum(totalXP)},
		{Name: "playerContent", Kind: ofCharacter, Metadata: levels, score: characterContent, shown: combatXP},
		{Name: "globalPlayerContent", Kind: ofPlayer, Metadata: levels, score: playerContent, shown: sum(combatXP)},
		withModes("craftsmanContent", craftsman),
		withModes("ironmanContent", ironman),
		withModes("ultimateIronmanContent", ultimate),
		withModes("hardcoreContent", hardcore),
		withModes("huntedContent", hunted),
		withModes("huicContent", hardcore, ultimate, craftsman),
		withModes("huichContent", hardcore, ultimate, craftsman, hunted),
		withModes("hicContent", hardcore, ironman, craftsman),
		withModes("hichContent", hardcore, ironman, craftsman, hunted),
		{
			Name: "hardcoreLegacyLevel", Kind: ofGamemode, Metadata: levels, modes: []string{hardcore}, score: totalLevel,
			xp: totalXP,
		},
		{Name: "warsCompletion", Kind: ofPlayer, Metadata: hours, score: wars},
	}...)
	for _, r := range raids {
		raid := playerRuns(r.Name)
		list = append(list, &Board{
			Name: r.Board + "Completion", Kind: ofPlayer, Metadata: hours,
			score: func(s Subject) int64 { return raid(s).completions },
		})
	}
	for _, group := range []struct {
		suffix string
		kind   model.LeaderboardKind
		raid   func(string) func(Subject) raidScore
	}{{"SrPlayers", ofPlayer, playerRuns}, {"SrGPlayers", ofPlayer, playerGuildRuns}, {"SrGuilds", ofRaids, guildRuns}} {
		for _, r := range raids {
			raid := group.raid(r.Name)
			list = append(list, &Board{
				Name: r.Board + group.suffix, Kind: group.kind, Metadata: raidKeys, raid: raid,
				score: func(s Subject) int64 { return raid(s).points() },
			})
		}
	}
	return append(list,
		&Board{Name: TotalRaids, Kind: ofRaids, Metadata: none, score: guildRaidsOf},
		&Board{Name: GuildLevel, Kind: ofRecord, Metadata: none, score: guildLevelOf},
		&Board{Name: GuildTerritories, Kind: ofRecord, Metadata: none},
		&Board{Name: GuildWars, Kind: ofRecord, Metadata: none, score: guildWarsOf})
}

// Names of boards that callers handle specially.
const (
	TotalRaids       = "guildTotalRaids"
	GuildLevel       = "guildLevel"
	GuildTerritories = "guildTerritories"
	GuildWars        = "guildWars"
)

func withModes(name string, modes ...string) *Board {
	return &Board{Name: name, Kind: ofGamemode, Metadata: levels, modes: modes, score: characterContent, shown: combatXP}
}

// SeasonBoard returns the name of a season's board.
func SeasonBoard(number int) string { return fmt.Sprintf("guildSeason%d", number) }

// SeasonStarted reports whether a season has a board: it is enabled and its initDate is past.
func SeasonStarted(s *model.GuildSeason, now time.Time) bool {
	return s.Enabled && s.InitDate.Before(now)
}

// Catalogue lists the boards that exist at a time.
type Catalogue struct {
	// All lists the boards in the order of the API, season boards last by number.
	All []*Board

	byName map[string]*Board
}

// NewCatalogue returns fixed boards and one for each season that has started.
func NewCatalogue(fixed []*Board, seasons []*model.GuildSeason, now time.Time) *Catalogue {
	c := &Catalogue{All: slices.Clone(fixed), byName: make(map[string]*Board, len(fixed)+len(seasons))}
	seasons = slices.Clone(seasons)
	slices.SortFunc(seasons, func(a, b *model.GuildSeason) int { return a.Number - b.Number })
	for _, s := range seasons {
		if SeasonStarted(s, now) {
			c.All = append(c.All, &Board{
				Name: SeasonBoard(s.Number), Kind: ofSeason, Metadata: none, Season: s,
				score: rating(s.Number),
			})
		}
	}
	for _, b := range c.All {
		c.byName[b.Name] = b
	}
	return c
}

// characterBoards are the names of the boards that rank characters; none of them depends on data.
var characterBoards = func() map[string]bool {
	names := map[string]bool{}
	for _, b := range Fixed(nil) {
		if b.OfCharacters() {
			names[b.Name] = true
		}
	}
	return names
}()

// RanksCharacters reports whether the board with a name ranks characters.
func RanksCharacters(name string) bool { return characterBoards[name] }

// Named returns the board of a name, or nil. Case matters.
func (c *Catalogue) Named(name string) *Board { return c.byName[name] }
