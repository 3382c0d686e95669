package site

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gamedata/internal/web"
)

// territoryMap holds the numbers and texts of an SVG map; the template writes the elements. All pages draw it, and the
// script of /map reads its coast.
type territoryMap struct {
	X, Y, Width, Height int64
	Land                string // data of an SVG path
	Areas               []area
	Spots               []Place
	SpotSize            int64 // radius of their marks

	territories []MapTerritory // including territories outside
	all         []area
}

type area struct {
	X, Y, Width, Height int64
	Name                string
	Class               string // unclaimed, dim or empty
	Fill                string // the guild's colour, empty if unclaimed
	Title               string // tooltip
	Tag                 string // text on the area
	TagX, TagY, TagSize int64
	HQ                  bool
}

type mapView struct {
	// Dim reports whether a territory is in the background; nil means none is.
	Dim func(MapTerritory) bool
	// Near limits the map to the surroundings of the territories that are not dim, or of the spots.
	Near bool
	// Spots are marked on the map, which Near limits to their surroundings.
	Spots []Place
}

// Space around the map of all territories, and around territories that are not in the background, in blocks.
const (
	mapMargin  = 220
	nearMargin = 500
)

// newTerritoryMap draws territories at their coordinates: x to the east, z to the south. It returns nil for no
// territories.
func newTerritoryMap(list []MapTerritory, v mapView) *territoryMap {
	if len(list) == 0 {
		return nil
	}
	m := &territoryMap{Spots: v.Spots, territories: list}
	var front []area
	for _, t := range list {
		a := newArea(t)
		if v.Dim != nil && v.Dim(t) {
			a.Class, a.Tag, a.HQ = strings.TrimSpace("dim "+a.Class), "", false
		} else {
			front = append(front, a)
		}
		m.all = append(m.all, a)
	}
	m.Areas, m.Land = m.all, coastline(m.all)
	if len(v.Spots) > 0 {
		front = nil
		for _, s := range v.Spots {
			front = append(front, area{X: int64(s.X), Y: int64(s.Z)})
		}
	}
	margin := int64(mapMargin)
	shown := m.Areas
	if v.Near && len(front) > 0 {
		margin, shown = nearMargin, front
	}
	left, top, right, bottom := bounds(shown)
	m.X, m.Y, m.Width, m.Height = left-margin, top-margin, right-left+2*margin, bottom-top+2*margin
	if v.Near {
		left, top, right, bottom = bounds(m.Areas)
		m.X, m.Width = widen(m.X, m.Width, m.Height*16/9, left-mapMargin, right+mapMargin)
		m.Y, m.Height = widen(m.Y, m.Height, m.Width*9/16, top-mapMargin, bottom+mapMargin)
		m.Areas = slices.DeleteFunc(slices.Clone(m.all), m.outside)
	}
	m.SpotSize = m.Width / 70
	return m
}

func (m *territoryMap) outside(a area) bool {
	return a.X+a.Width < m.X || a.X > m.X+m.Width || a.Y+a.Height < m.Y || a.Y > m.Y+m.Height
}

// widen extends a side of a view to the wanted length, within the bounds of the whole map if possible, so that the
// margin shows land rather than sea.
func widen(start, length, want, low, high int64) (newStart, newLength int64) {
	if want <= length {
		return start, length
	}
	start -= (want - length) / 2
	if want >= high-low {
		return (low + high - want) / 2, want
	}
	return min(max(start, low), high-want), want
}

func newArea(t MapTerritory) area {
	start, end := t.Location.Start, t.Location.End
	x, y := min(start.X, end.X), min(start.Z, end.Z)
	a := area{
		X: x, Y: y, Width: max(start.X, end.X) - x, Height: max(start.Z, end.Z) - y,
		Name: t.Name, Class: "unclaimed", Title: t.Name + ": unclaimed",
	}
	if t.Claimed() {
		a.Class, a.Fill, a.HQ = "", t.Colour(), t.Hq
		a.Title, a.Tag = fmt.Sprintf("%s: %s [%s]", t.Name, *t.GuildName, *t.GuildPrefix), *t.GuildPrefix
		if t.Hq {
			a.Title += ", headquarters"
		}
	}
	// A tag of four letters is about three times as wide as high.
	a.TagSize = min(a.Width*10/36, a.Height*5/10, 80)
	a.TagX, a.TagY = x+a.Width/2, y+a.Height/2
	return a
}

// Fills returns the areas of each guild as one shape; unclaimed areas are a shape without a colour.
func (m *territoryMap) Fills() []web.Shape {
	paths := map[string][]byte{}
	for _, a := range m.Areas {
		paths[a.Fill] = append(paths[a.Fill], rectangle(a.X, a.Y, a.Width, a.Height)...)
	}
	var out []web.Shape
	for _, fill := range slices.Sorted(maps.Keys(paths)) {
		out = append(out, web.Shape{Fill: fill, Path: string(paths[fill])})
	}
	return out
}

func bounds(areas []area) (left, top, right, bottom int64) {
	left, top, right, bottom = areas[0].X, areas[0].Y, areas[0].X, areas[0].Y
	for _, a := range areas {
		left, top = min(left, a.X), min(top, a.Y)
		right, bottom = max(right, a.X+a.Width), max(bottom, a.Y+a.Height)
	}
	return left, top, right, bottom
}

// Roads returns the data of an SVG path with lines between the middles of connected territories.
func (m *territoryMap) Roads() string {
	at := map[string]area{}
	for _, a := range m.all {
		at[a.Name] = a
	}
	var path []byte
	point := func(command byte, a area) {
		path = strconv.AppendInt(append(path, command), a.TagX, 10)
		path = strconv.AppendInt(append(path, ' '), a.TagY, 10)
	}
	for _, t := range m.territories {
		for _, name := range t.LinkNames {
			// Both ends name each other: the first by name draws the road.
			if to, ok := at[name]; ok && t.Name < name {
				point('M', at[t.Name])
				point('L', to)
			}
		}
	}
	return string(path)
}
