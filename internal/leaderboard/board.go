package leaderboard

import (
	"math"
	"slices"
	"time"

	"gamedata/graph/model"
)

// Board is one leaderboard.
type Board struct {
	// Name is the leaderboard type of the API.
	Name string
	// Title and Description describe the board in words. Neither depends on the entries.
	Title, Description string
	// Kind says whether the entries are players, characters or guilds, and how they are presented.
	Kind model.LeaderboardKind
	// Metadata lists the keys of the entries' metadata, in order.
	Metadata []string
	// Season is set on season boards only.
	Season *model.GuildSeason

	modes []string                // a character needs all these gamemodes
	score func(Subject) int64     // subjects with 0 are not on the board
	xp    func(Subject) int64     // breaks ties on level boards; nil on others
	shown func(Subject) int64     // the metadata's xp if it differs from xp
	raid  func(Subject) raidScore // on raid boards
}

// Subject is a candidate for a board: a player with all characters, one Character of the player, or a guild. Missing
// numbers count as 0.
type Subject struct {
	Player     *model.Player
	Characters []*model.Character
	Character  *model.Character
	Guild      *model.Guild
}

// Computed reports whether the board is computed per request from current records, not by the refresh.
func (b *Board) Computed() bool { return b.Kind == model.LeaderboardKindGuildRecord }

// Changes reports whether the board may still change: the board of a past season does not.
func (b *Board) Changes(at time.Time) bool {
	return b.Season == nil || b.Season.EndsAt == nil || at.Sub(*b.Season.EndsAt) <= 48*time.Hour
}

// OfCharacters reports whether the board ranks characters.
func (b *Board) OfCharacters() bool {
	return b.Kind == model.LeaderboardKindCharacter || b.Kind == model.LeaderboardKindGamemode
}

// OfGuilds reports whether the board ranks guilds.
func (b *Board) OfGuilds() bool {
	return b.Kind == model.LeaderboardKindGuildRaids || b.Kind == model.LeaderboardKindGuildSeason || b.Computed()
}

// scale separates level and experience in the metaScore of a level board.
const scale = 100_000_000_000

// metaScore returns the sort key on the board, 0 for a subject that is not on it. A metaScore of level and experience
// is exact as a double up to level 90,000.
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

// Score extracts the score from a metaScore.
func (b *Board) Score(metaScore int64) int64 {
	if b.xp == nil {
		return metaScore
	}
	return metaScore / scale
}

// Shown returns the least metaScore with the same score, and how many above it share the score. It is for entries with
// a hidden owner: exact experience would identify the owner on another board.
func (b *Board) Shown(metaScore int64) (least, above int64) {
	if b.xp == nil {
		return metaScore, 0
	}
	return b.Score(metaScore) * scale, scale - 1
}

func (b *Board) accepts(c *model.Character) bool {
	for _, m := range b.modes {
		if !slices.Contains(c.Gamemodes, m) {
			return false
		}
	}
	return true
}

// Describe returns the metadata of an entry: the board's Metadata keys, from the metaScore and the current records of
// the subject. From s.Characters it reads only experience.
func (b *Board) Describe(s Subject, metaScore int64) *model.LeaderboardMetadata {
	out := &model.LeaderboardMetadata{}
	for _, key := range b.Metadata {
		switch key {
		case "xp":
			out.Xp = new(b.experience(s, metaScore))
		case "playtime":
			out.Playtime = new(b.playtime(s))
		case "totalLevel":
			out.TotalLevel = new(b.totalLevel(s))
		case "completions":
			out.Completions = new(b.raid(s).completions)
		case "gambits":
			out.Gambits = new(b.raid(s).gambitsUsed())
		}
	}
	return out
}

// NeedsCharacters reports whether Describe needs s.Characters for an entry.
func (b *Board) NeedsCharacters(metaScore int64) bool {
	return b.Kind == model.LeaderboardKindPlayer && (b.shown != nil || b.xp != nil && capped(metaScore))
}

// capped reports whether the metaScore of a level board may understate the experience.
func capped(metaScore int64) bool { return metaScore%scale == scale-1 }

func (b *Board) experience(s Subject, metaScore int64) int64 {
	switch {
	case b.shown != nil:
		return b.shown(s)
	case capped(metaScore):
		return b.xp(s)
	}
	return metaScore % scale
}

func (b *Board) playtime(s Subject) float64 {
	if b.OfCharacters() {
		return orZero(s.Character.Playtime)
	}
	return orZero(s.Player.Playtime)
}

func (b *Board) totalLevel(s Subject) int64 {
	if b.OfCharacters() {
		return int64(s.Character.TotalLevel)
	}
	return totals(s.Player).TotalLevel
}
