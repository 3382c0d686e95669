package model

import "strconv"

// The ids of objects. Each is made of the type and the natural key.

// IsNode marks an object of the interface Node.
func (*Article) IsNode() {}

// ID returns the global id.
func (a *Article) ID() string { return GlobalID("Article", strconv.Itoa(a.Pk)) }
