package model

// IsNode marks an object of the interface Node.
func (*Item) IsNode() {}

// ID returns the global id.
func (i *Item) ID() string { return GlobalID("Item", i.InternalName) }

// IsNode marks an object of the interface Node.
func (*ItemSet) IsNode() {}

// ID returns the global id.
func (s *ItemSet) ID() string { return GlobalID("ItemSet", s.Name) }

// ID returns the global id.
func (r *Recipe) ID() string { return GlobalID("Recipe", r.InternalName) }
