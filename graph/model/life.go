package model

import (
	"strconv"
	"time"
)

// LifeKey returns the key of a record's history: its uuid with the time it was added. A new record with a reused uuid
// thus gets its own history.
func LifeKey(uuid string, added time.Time) string {
	if added.IsZero() {
		return uuid
	}
	return uuid + "@" + strconv.FormatInt(added.UnixMilli(), 10)
}

// HistoryKey returns the key of the player's history.
func (p *Player) HistoryKey() string { return LifeKey(p.UUID, p.AddedAt) }

// HistoryKey returns the key of the guild's history.
func (g *Guild) HistoryKey() string { return LifeKey(g.UUID, g.AddedAt) }
