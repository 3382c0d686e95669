package leaderboard

import (
	"fmt"
	"slices"
	"time"

	"gamedata/graph/model"
)

// Kinds, short enough for the table.
const (
	ofPlayer    = model.LeaderboardKindPlayer
	ofCharacter = model.LeaderboardKindCharacter
	ofGamemode  = model.LeaderboardKindGamemode
	ofRaids     = model.LeaderboardKindGuildRaids
	ofSeason    = model.LeaderboardKindGuildSeason
	ofRecord    = model.LeaderboardKindGuildRecord
)

// The gamemodes (WIRE §4.7).
const (
	hardcore  = "hardcore"
	ironman   = "ironman"
	ultimate  = "ultimate_ironman"
	craftsman = "craftsman"
	hunted    = "hunted"
)

// Keys of metadata.
var (
	hours    = []string{"playtime"}
	xpHours  = []string{"xp", "playtime"}
	levels   = []string{"totalLevel", "xp", "playtime"}
	raidKeys = []string{"completions", "gambits"}
	seasonal = []string{"seasonName", "position"}
	nothing  = []string{}
)

// fixed is the table of WIRE-CONTENT §12.2 without the season boards. A level board has xp,
// which breaks its ties; shown is the xp of the metadata where it is something else.
var fixed = func() (list []*Board) {
	for _, p := range professions {
		list = append(list, &Board{
			Name: p.name + "Level", Kind: ofCharacter, Metadata: xpHours, score: professionLevel(p.of),
			xp: professionXP(p.name),
		})
	}
	list = append(list, []*Board{
		{Name: "professionsSoloLevel", Kind: ofCharacter, Metadata: levels, score: professionLevels, xp: professionsXP},
		{Name: "combatSoloLevel", Kind: ofCharacter, Metadata: levels, score: combatLevel, xp: combatXP},
		{Name: "totalSoloLevel", Kind: ofCharacter, Metadata: levels, score: totalLevel, xp: totalXP},
		{
			Name: "professionsGlobalLevel", Kind: ofPlayer, Metadata: xpHours, score: all(professionLevels),
			xp: all(professionsXP),
		},
		{Name: "combatGlobalLevel", Kind: ofPlayer, Metadata: xpHours, score: all(combatLevel), xp: all(combatXP)},
		{Name: "totalGlobalLevel", Kind: ofPlayer, Metadata: xpHours, score: all(totalLevel), xp: all(totalXP)},
		{Name: "playerContent", Kind: ofCharacter, Metadata: levels, score: contentOfOne, shown: combatXP},
		{Name: "globalPlayerContent", Kind: ofPlayer, Metadata: levels, score: contentOfAll, shown: all(combatXP)},
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
		raid := runs(r.name)
		list = append(list, &Board{
			Name: r.prefix + "Completion", Kind: ofPlayer, Metadata: hours,
			score: func(s Subject) int64 { return raid(s).completions },
		})
	}
	for _, of := range []struct {
		suffix string
		kind   model.LeaderboardKind
		raid   func(string) func(Subject) raidScore
	}{{"SrPlayers", ofPlayer, runs}, {"SrGPlayers", ofPlayer, guildRuns}, {"SrGuilds", ofRaids, tallied}} {
		for _, r := range raids {
			raid := of.raid(r.name)
			list = append(list, &Board{
				Name: r.prefix + of.suffix, Kind: of.kind, Metadata: raidKeys, raid: raid,
				score: func(s Subject) int64 { return raid(s).points() },
			})
		}
	}
	return append(list,
		&Board{Name: TotalRaids, Kind: ofRaids, Metadata: nothing, score: guildRaidsOf},
		&Board{Name: GuildLevel, Kind: ofRecord, Metadata: nothing, score: guildLevelOf},
		&Board{Name: GuildTerritories, Kind: ofRecord, Metadata: nothing},
		&Board{Name: GuildWars, Kind: ofRecord, Metadata: nothing, score: guildWarsOf})
}()

// Names of boards that are shown in ways of their own.
const (
	TotalRaids       = "guildTotalRaids"
	GuildLevel       = "guildLevel"
	GuildTerritories = "guildTerritories"
	GuildWars        = "guildWars"
)

func withModes(name string, modes ...string) *Board {
	return &Board{Name: name, Kind: ofGamemode, Metadata: levels, modes: modes, score: contentOfOne, shown: combatXP}
}

// SeasonBoard is the name of the board of a season.
func SeasonBoard(number int) string { return fmt.Sprintf("guildSeason%d", number) }

// Begun tells whether a season is shown: enabled, its initDate past (WIRE-CONTENT §12.6).
func Begun(s *model.GuildSeason, now time.Time) bool { return s.Enabled && s.InitDate.Before(now) }

// Catalogue is all boards there are at a moment.
type Catalogue struct {
	// All are the boards in the order of /leaderboards/types, season boards last by number.
	All []*Board

	byName map[string]*Board
}

// NewCatalogue adds a board to the fixed ones for each season that has begun.
func NewCatalogue(seasons []*model.GuildSeason, now time.Time) *Catalogue {
	c := &Catalogue{All: slices.Clone(fixed), byName: make(map[string]*Board, len(fixed)+len(seasons))}
	seasons = slices.Clone(seasons)
	slices.SortFunc(seasons, func(a, b *model.GuildSeason) int { return a.Number - b.Number })
	for _, s := range seasons {
		if Begun(s, now) {
			c.All = append(c.All, &Board{
				Name: SeasonBoard(s.Number), Kind: ofSeason, Metadata: seasonal, Season: s,
				score: rating(s.Number),
			})
		}
	}
	for _, b := range c.All {
		c.byName[b.Name] = b
	}
	return c
}

// Named returns the board of that name, or nil. Case matters.
func (c *Catalogue) Named(name string) *Board { return c.byName[name] }
