package leaderboard

import (
	"strconv"

	"gamedata/graph/model"
)

// Describe gives the metadata of an entry: the keys of the board, from the records of the
// subject as they are now (WIRE-CONTENT §12.3). Of the Characters only experience is needed.
func (b *Board) Describe(s Subject, position int) *model.LeaderboardMetadata {
	out := &model.LeaderboardMetadata{}
	for _, key := range b.Metadata {
		switch key {
		case "xp":
			xp := b.experience(s)
			out.Xp = &xp
		case "playtime":
			hours := b.playtime(s)
			out.Playtime = &hours
		case "totalLevel":
			level := b.totalLevel(s)
			out.TotalLevel = &level
		case "completions":
			done := b.raid(s).completions
			out.Completions = &done
		case "gambits":
			used := b.raid(s).used()
			out.Gambits = &used
		case "seasonName":
			name := strconv.Itoa(b.Season.Number)
			out.SeasonName = &name
		case "position":
			out.Position = &position
		}
	}
	return out
}

// NeedsCharacters tells whether Describe reads the Characters of a player.
func (b *Board) NeedsCharacters() bool {
	return b.Kind == ofPlayer && (b.xp != nil || b.shown != nil)
}

func (b *Board) experience(s Subject) int64 {
	if b.shown != nil {
		return b.shown(s)
	}
	return b.xp(s)
}

func (b *Board) playtime(s Subject) float64 {
	if b.OfCharacters() {
		return known(s.Character.Playtime)
	}
	return known(s.Player.Playtime)
}

func (b *Board) totalLevel(s Subject) int64 {
	if b.OfCharacters() {
		return int64(s.Character.TotalLevel)
	}
	return totals(s.Player).TotalLevel
}
