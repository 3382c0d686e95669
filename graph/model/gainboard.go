package model

import "time"

// GainBoard is a board of gains. Its entries are read when they are selected.
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
}

// GainRank is what a player or guild on a board of gains gained.
type GainRank struct {
	UUID   string
	Gained float64
}
