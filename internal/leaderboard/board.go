package leaderboard

import (
	"math"
	"slices"

	"gamedata/graph/model"
)

// Board is one leaderboard: a row of the catalogue.
type Board struct {
	// Name is its type, as /leaderboards/types lists it.
	Name string
	// Kind says what its entries are and how they are presented.
	Kind model.LeaderboardKind
	// Metadata are the keys of `metadata` that its entries have, in order.
	Metadata []string
	// Season is that of a season board, else nil.
	Season *model.GuildSeason

	// modes are the gamemodes a character on the board has, all of them.
	modes []string
	// score is what counts; whoever has 0 is not on the board.
	score func(Subject) int64
	// xp breaks ties and makes a level board of it; nil on the others.
	xp func(Subject) int64
	// shown is the xp of the metadata.
	shown func(Subject) int64
	// raid gives completions and gambits on raid boards.
	raid func(Subject) raidScore
}

// Subject is who stands on a board: a player with all characters, on boards of characters
// the Character besides, or a guild. Figures a record lacks count as 0.
type Subject struct {
	Player     *model.Player
	Characters []*model.Character
	Character  *model.Character
	Guild      *model.Guild
}

// Computed tells whether entries of the board are worked out on request, from records as
// they are (WIRE-CONTENT §12.7), and not by a refresh.
func (b *Board) Computed() bool { return b.Kind == model.LeaderboardKindGuildRecord }

// OfCharacters tells whether the entries of the board are characters.
func (b *Board) OfCharacters() bool {
	return b.Kind == model.LeaderboardKindCharacter || b.Kind == model.LeaderboardKindGamemode
}

// OfGuilds tells whether the entries of the board are guilds.
func (b *Board) OfGuilds() bool {
	return b.Kind == model.LeaderboardKindGuildRaids || b.Kind == model.LeaderboardKindGuildSeason || b.Computed()
}

// scale separates the level from the experience in the metaScore of a level board.
const scale = 100_000_000_000

// metaScore is what the board sorts a subject by, 0 when it is not on the board. Levels and
// experience together stay exact in a double up to level 90,000.
func (b *Board) metaScore(s Subject) int64 {
	score := b.score(s)
	switch {
	case score <= 0:
		return 0
	case b.xp == nil:
		return score
	}
	return min(score, math.MaxInt64/scale-1)*scale + min(max(b.xp(s), 0), scale-1)
}

// Score is the score that a metaScore of the board stands for.
func (b *Board) Score(metaScore int64) int64 {
	if b.xp == nil {
		return metaScore
	}
	return metaScore / scale
}

// takes tells whether a character has the gamemodes of the board.
func (b *Board) takes(c *model.Character) bool {
	for _, m := range b.modes {
		if !slices.Contains(c.Gamemode, m) {
			return false
		}
	}
	return true
}
