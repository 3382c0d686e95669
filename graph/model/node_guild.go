package model

import "strconv"

// IsNode marks an object of the interface Node.
func (*Guild) IsNode() {}

// ID returns the global id.
func (g *Guild) ID() string { return GlobalID("Guild", g.UUID) }

// ID returns the global id: that of the player, who is in one guild at most.
func (m *GuildMember) ID() string { return GlobalID("GuildMember", m.UUID) }

// IsNode marks an object of the interface Node.
func (*Territory) IsNode() {}

// ID returns the global id.
func (t *Territory) ID() string { return GlobalID("Territory", t.Name) }

// IsNode marks an object of the interface Node.
func (*GuildSeason) IsNode() {}

// ID returns the global id.
func (s *GuildSeason) ID() string { return GlobalID("GuildSeason", strconv.Itoa(s.Number)) }
