package model

import (
	"strconv"
	"time"
)

// LifeKey is what a record's history is stored under: its uuid, with the time at which it was added, so that a record
// that is added again with the uuid has a history of its own.
func LifeKey(uuid string, added time.Time) string {
	if added.IsZero() {
		return uuid
	}
	return uuid + "@" + strconv.FormatInt(added.UnixMilli(), 10)
}

// HistoryKey is the key of the player's history.
func (p *Player) HistoryKey() string { return LifeKey(p.UUID, p.AddedAt) }

// HistoryKey is the key of the guild's history.
func (g *Guild) HistoryKey() string { return LifeKey(g.UUID, g.AddedAt) }
