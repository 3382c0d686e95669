package model

// IsNode marks an object of the interface Node.
func (*Player) IsNode() {}

// ID returns the global id.
func (p *Player) ID() string { return GlobalID("Player", p.UUID) }

// IsNode marks an object of the interface Node.
func (*Character) IsNode() {}

// ID returns the global id.
func (c *Character) ID() string { return GlobalID("Character", c.UUID) }
