package feed

import (
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// record adds an event to the log. A zero time is that of the batch.
func (b *Batch) record(at time.Time, data model.EventData) {
	if at.IsZero() {
		at = b.At
	}
	b.events = append(b.events, mongo.NewEvent{At: at, Data: data})
}

// recordPresence records what a change did to a player's presence.
func (b *Batch) recordPresence(p *model.Player, at time.Time, change func()) {
	before := &model.Player{Online: p.Online, Server: p.Server}
	change()
	if data := model.PresenceChange(before, p); data != nil {
		b.record(at, data)
	}
}

// eventGuild returns a guild as events name it.
func eventGuild(g *model.Guild) model.EventGuild {
	return model.EventGuild{UUID: g.UUID, Name: g.Name, Prefix: g.Prefix}
}

// eventGuildUUID returns the uuid of a guild for an event; nil without a guild.
func eventGuildUUID(g *model.Guild) *string {
	if g == nil {
		return nil
	}
	return &g.UUID
}
