package model

// The ids of classes, abilities, aspects, world events, camps and raids. Abilities and archetypes are unique in their
// tree.

// IsNode marks an object of the interface Node.
func (*Class) IsNode() {}

// ID returns the global id.
func (c *Class) ID() string { return GlobalID("Class", c.Key) }

// IsNode marks an object of the interface Node.
func (*AbilityTree) IsNode() {}

// ID returns the global id.
func (t *AbilityTree) ID() string { return GlobalID("AbilityTree", t.Key) }

// IsNode marks an object of the interface Node.
func (*Archetype) IsNode() {}

// ID returns the global id.
func (a *Archetype) ID() string { return GlobalID("Archetype", a.Tree+":"+a.Key) }

// IsNode marks an object of the interface Node.
func (*Ability) IsNode() {}

// ID returns the global id.
func (a *Ability) ID() string { return GlobalID("Ability", a.Tree+":"+a.Key) }

// IsNode marks an object of the interface Node.
func (*Aspect) IsNode() {}

// ID returns the global id.
func (a *Aspect) ID() string { return GlobalID("Aspect", a.InternalName) }

// IsNode marks an object of the interface Node.
func (*WorldEvent) IsNode() {}

// ID returns the global id.
func (e *WorldEvent) ID() string { return GlobalID("WorldEvent", e.InternalName) }

// IsNode marks an object of the interface Node.
func (*LootPool) IsNode() {}

// ID returns the global id.
func (p *LootPool) ID() string { return GlobalID("LootPool", p.InternalName) }

// IsNode marks an object of the interface Node.
func (*Discovery) IsNode() {}

// ID returns the global id.
func (d *Discovery) ID() string { return GlobalID("Discovery", d.Name) }

// ID returns the global id. A video keeps its address when others are added, but not its position.
func (v *Video) ID() string { return GlobalID("Video", v.URI) }
