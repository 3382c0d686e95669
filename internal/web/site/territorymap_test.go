package site

import (
	"strings"
	"testing"
)

type corner struct{ X, Z int64 }

func newTerritory(name, guild string, start, end corner, links ...string) MapTerritory {
	t := MapTerritory{LinkNames: links}
	t.Name = name
	t.Location.Start.X, t.Location.Start.Z = start.X, start.Z
	t.Location.End.X, t.Location.End.Z = end.X, end.Z
	if guild != "" {
		t.Holding = Holding{&guild, &guild, &guild, new("#0085cc")}
	}
	return t
}

// Corners come in any order; each road is drawn once, and roads to unknown territories are not. An area has
// the colour of its guild. The surroundings of one territory are part of its map, those far away are not.
func TestTerritoryMap(t *testing.T) {
	list := []MapTerritory{
		newTerritory("a", "X", corner{10, 40}, corner{-10, 20}, "b", "unknown"),
		newTerritory("b", "", corner{3000, 0}, corner{3020, 20}, "a"),
	}
	m := newTerritoryMap(list, mapView{})
	if m.X != -10-mapMargin || m.Y != -mapMargin || m.Width != 3030+2*mapMargin || m.Height != 40+2*mapMargin {
		t.Errorf("got map %+v", m)
	}
	if roads := m.Roads(); roads != "M0 30L3010 10" {
		t.Errorf("got roads %q", roads)
	}
	if a := m.Areas[0]; a.X != -10 || a.Y != 20 || a.Width != 20 || a.Height != 20 || a.Tag != "X" || a.Class != "" ||
		a.Fill != "#0085cc" || m.Areas[1].Title != "b: unclaimed" || m.Areas[1].Class != "unclaimed" {
		t.Errorf("got areas %+v", m.Areas)
	}
	near := newTerritoryMap(list, mapView{Dim: func(t MapTerritory) bool { return t.Name != "a" }, Near: true})
	if near.Height != 20+2*nearMargin || near.Width != near.Height*16/9 || near.X != -10-mapMargin ||
		len(near.Areas) != 1 || near.Areas[0].Class != "" {
		t.Errorf("got map %+v", near)
	}
	dim := newTerritoryMap(list, mapView{Dim: func(MapTerritory) bool { return true }})
	if near.Areas[0].Tag != "X" || dim.Areas[0].Tag != "" || dim.Areas[1].Class != "dim unclaimed" {
		t.Error("territories in the background have tags")
	}
	if newTerritoryMap(nil, mapView{}) != nil {
		t.Error("got a map of no territories, want nil")
	}
}

// Two territories that are far from each other are on two islands; a ring of territories has a lake in the middle.
func TestCoastline(t *testing.T) {
	square := func(x, y, size int64) area { return area{X: x, Y: y, Width: size, Height: size} }
	var ring []area
	for x := range int64(8) {
		for y := range int64(8) {
			if x < 2 || y < 2 || x > 5 || y > 5 {
				ring = append(ring, square(300*x, 300*y, 290))
			}
		}
	}
	for _, c := range []struct {
		name  string
		areas []area
		lines int
	}{
		{"none", nil, 0},
		{"island", []area{square(0, 0, 300)}, 1},
		{"neighbours", []area{square(0, 0, 300), square(310, 0, 300)}, 1},
		{"islands", []area{square(0, 0, 300), square(3000, -2000, 300)}, 2},
		{"lake", ring, 2},
	} {
		path := coastline(c.areas)
		if n := strings.Count(path, "M"); n != c.lines || strings.Count(path, "Z") != n {
			t.Errorf("%s: got %d lines, want %d: %.200s", c.name, n, c.lines, path)
		}
	}
}

func TestHolders(t *testing.T) {
	at := corner{}
	got := holders([]MapTerritory{
		newTerritory("a", "B", at, at), newTerritory("b", "A", at, at), newTerritory("c", "B", at, at),
		newTerritory("d", "", at, at), newTerritory("e", "C", at, at),
	})
	if len(got) != 3 || got[0].Name != "B" || got[0].Count != 2 || got[0].Bar != 100 ||
		got[1].Name != "A" || got[2].Bar != 50 {
		t.Errorf("got holders %+v", got)
	}
}
