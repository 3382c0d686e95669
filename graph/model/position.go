package model

// Position is a place in the world, in blocks.
type Position struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	Z float64 `json:"z"`
}

// Discovery is the record of a discovery and the schema's Discovery.
type Discovery struct {
	Name     string `json:"name"`
	Location *Box   `json:"location"`
}

// Box is a box of space, stored as the x, y and z of two corners in whole blocks.
type Box struct {
	From []int `json:"start"`
	To   []int `json:"end"`
}

// Start returns one corner.
func (b *Box) Start() *Position { return corner(b.From) }

// End returns the other corner.
func (b *Box) End() *Position { return corner(b.To) }

// corner returns the position of stored coordinates; those that are missing are 0.
func corner(at []int) *Position {
	p := &Position{}
	for i, to := range []*float64{&p.X, &p.Y, &p.Z} {
		if i < len(at) {
			*to = float64(at[i])
		}
	}
	return p
}
