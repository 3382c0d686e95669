package site

import "fmt"

// territoryMap is a map as SVG: only numbers and texts, the template writes the elements.
type territoryMap struct {
	X, Y, Width, Height int64
	Roads               []road
	Areas               []area
}

// road joins the middles of two territories.
type road struct{ X1, Y1, X2, Y2 int64 }

// area is one territory as a rectangle.
type area struct {
	X, Y, Width, Height int64
	Class               string // CSS class
	Title               string // tooltip
	Tag                 string // text on the area
	TagX, TagY, TagSize int64
}

// mapMargin is the space around the map, in blocks.
const mapMargin = 40

// newTerritoryMap draws territories at their coordinates: x to the east, z to the south. class
// returns the CSS class of a territory. The map of no territories is nil.
func newTerritoryMap(list []territory, class func(territory) string) *territoryMap {
	if len(list) == 0 {
		return nil
	}
	m := &territoryMap{}
	var right, bottom int64
	middles := map[string][2]int64{}
	for i, t := range list {
		start, end := t.Location.Start, t.Location.End
		x, y := min(start.X, end.X), min(start.Z, end.Z)
		a := area{
			X: x, Y: y, Width: max(start.X, end.X) - x, Height: max(start.Z, end.Z) - y,
			Class: class(t), Title: t.Name + ": unclaimed",
		}
		if t.GuildName != nil && t.GuildPrefix != nil {
			a.Title, a.Tag = fmt.Sprintf("%s: %s [%s]", t.Name, *t.GuildName, *t.GuildPrefix), *t.GuildPrefix
			if t.HQ {
				a.Title += ", headquarters"
			}
		}
		// A tag of four letters is about three times as wide as high.
		a.TagSize = min(a.Width*10/36, a.Height*6/10)
		a.TagX, a.TagY = x+a.Width/2, y+a.Height/2
		middles[t.Name] = [2]int64{a.TagX, a.TagY}
		if i == 0 {
			m.X, m.Y, right, bottom = a.X, a.Y, a.X+a.Width, a.Y+a.Height
		}
		m.X, m.Y = min(m.X, a.X), min(m.Y, a.Y)
		right, bottom = max(right, a.X+a.Width), max(bottom, a.Y+a.Height)
		m.Areas = append(m.Areas, a)
	}
	for _, t := range list {
		for _, name := range t.LinkNames {
			// Both ends name each other: the first by name draws the road.
			if to, ok := middles[name]; ok && t.Name < name {
				from := middles[t.Name]
				m.Roads = append(m.Roads, road{from[0], from[1], to[0], to[1]})
			}
		}
	}
	m.X, m.Y = m.X-mapMargin, m.Y-mapMargin
	m.Width, m.Height = right-m.X+mapMargin, bottom-m.Y+mapMargin
	return m
}
