package model

import "time"

// GainBoard is a board of gains. Its entries are read only if selected.
type GainBoard struct {
	Kind        GainBoardKind
	Metric      HistoryMetric
	Unit        HistoryUnit
	Period      Period
	StartedAt   time.Time
	EndsAt      *time.Time
	Final       bool
	RefreshedAt time.Time

	Ranks []GainRank
	// Before returns the positions at the end of the period before, by uuid.
	Before func() (map[string]int, error)
}

// GainBoardEntry is an entry of a board of gains. Its previous position is read only if selected.
type GainBoardEntry struct {
	Position int
	Gained   float64
	Player   *Player
	Guild    *Guild

	Board *GainBoard
}

// UUID returns the uuid of the player or guild.
func (e *GainBoardEntry) UUID() string { return e.Board.Ranks[e.Position-1].UUID }

// AddedAt returns when the player or guild was added.
func (e *GainBoardEntry) AddedAt() time.Time {
	if e.Guild != nil {
		return e.Guild.AddedAt
	}
	return e.Player.AddedAt
}

// Restricted reports whether the entry shows neither player nor guild.
func (e *GainBoardEntry) Restricted() bool { return e.Player == nil && e.Guild == nil }

// GainRank is the gain of a player or guild on a board of gains.
type GainRank struct {
	UUID   string
	Gained float64
}
