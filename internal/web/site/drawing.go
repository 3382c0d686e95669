package site

import "fmt"

// drawing is a map as SVG: numbers alone, the template writes the elements.
type drawing struct {
	X, Y, Width, Height int64
	Roads               []road
	Grounds             []ground
}

// road joins the middles of two territories.
type road struct{ X1, Y1, X2, Y2 int64 }

// ground is one territory as a rectangle.
type ground struct {
	X, Y, Width, Height int64
	Mark                string // class
	Title               string // told when it is pointed at
	Tag                 string // written on it
	TagX, TagY, TagSize int64
}

// margin is left around the map, in blocks.
const margin = 40

// drawLand lays territories out as the world has them: x to the east, z to the south.
func drawLand(list []territory, mark func(territory) string) *drawing {
	if len(list) == 0 {
		return nil
	}
	d := &drawing{}
	var right, bottom int64
	middles := map[string][2]int64{}
	for i, t := range list {
		s, e := t.Location.Start, t.Location.End
		x, y := min(s[0], e[0]), min(s[1], e[1])
		g := ground{X: x, Y: y, Width: max(s[0], e[0]) - x, Height: max(s[1], e[1]) - y, Mark: mark(t)}
		g.Title = t.Name + ": nobody holds it"
		if t.Guild.Name != nil && t.Guild.Prefix != nil {
			g.Title, g.Tag = fmt.Sprintf("%s: %s [%s]", t.Name, *t.Guild.Name, *t.Guild.Prefix), *t.Guild.Prefix
			if t.HQ {
				g.Title += ", headquarters"
			}
		}
		// A tag of four letters is about three times as wide as it is high.
		g.TagSize = min(g.Width*10/36, g.Height*6/10)
		g.TagX, g.TagY = x+g.Width/2, y+g.Height/2
		middles[t.Name] = [2]int64{g.TagX, g.TagY}
		if i == 0 {
			d.X, d.Y, right, bottom = g.X, g.Y, g.X+g.Width, g.Y+g.Height
		}
		d.X, d.Y = min(d.X, g.X), min(d.Y, g.Y)
		right, bottom = max(right, g.X+g.Width), max(bottom, g.Y+g.Height)
		d.Grounds = append(d.Grounds, g)
	}
	for _, t := range list {
		for _, name := range t.Links {
			// Both ends name each other: one of them draws the road.
			if to, ok := middles[name]; ok && t.Name < name {
				from := middles[t.Name]
				d.Roads = append(d.Roads, road{from[0], from[1], to[0], to[1]})
			}
		}
	}
	d.X, d.Y = d.X-margin, d.Y-margin
	d.Width, d.Height = right-d.X+margin, bottom-d.Y+margin
	return d
}
