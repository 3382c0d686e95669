package model

// The ids of what belongs to an account. Only its owner finds it by them.

// IsNode marks an object of the interface Node.
func (*APIToken) IsNode() {}

// ID returns the global id.
func (t *APIToken) ID() string { return GlobalID("ApiToken", t.Key) }

// IsNode marks an object of the interface Node.
func (*Application) IsNode() {}

// ID returns the global id.
func (a *Application) ID() string { return GlobalID("Application", a.ClientID) }

// IsNode marks an object of the interface Node.
func (*Grant) IsNode() {}

// ID returns the global id.
func (g *Grant) ID() string { return GlobalID("Grant", g.Key) }

// IsNode marks an object of the interface Node.
func (*Session) IsNode() {}

// ID returns the global id.
func (s *Session) ID() string { return GlobalID("Session", s.Key) }
