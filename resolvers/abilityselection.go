package resolvers

import (
	"slices"
	"strings"

	"gamedata/graph/model"
)

// mapSelection draws a character's unlocked abilities over a map from the content. Its connectors may differ from the
// routes that mapOf finds.
type mapSelection struct {
	shown      map[string]bool // ids of unlocked abilities
	abilities  map[string]cell
	connectors map[cell]*model.AbilityMapElement
	drawn      connectors[string] // of links between unlocked abilities
}

// selectUnlocked returns every page of a map with the unlocked abilities, and the connectors and families of links
// between two of them.
func selectUnlocked(pages []*model.AbilityMapPage, unlocked []string) []*model.AbilityMapPage {
	s := mapSelection{
		map[string]bool{}, map[string]cell{}, map[cell]*model.AbilityMapElement{}, connectors[string]{},
	}
	for _, id := range unlocked {
		s.shown[abilityKey(id)] = true
	}
	for _, page := range pages {
		for _, e := range page.Elements {
			if e.Meta.AbilityKey != nil {
				s.abilities[abilityKey(*e.Meta.AbilityKey)] = cellOn(page, e)
			} else if e.Meta.Connector != nil {
				s.connectors[cellOn(page, e)] = e
			}
		}
	}
	for _, page := range pages {
		for _, e := range page.Elements {
			if e.Meta.AbilityKey != nil && s.shown[abilityKey(*e.Meta.AbilityKey)] {
				s.drawLinks(abilityKey(*e.Meta.AbilityKey), e.FamilyKeys)
			}
		}
	}
	out := make([]*model.AbilityMapPage, len(pages))
	for i, page := range pages {
		out[i] = &model.AbilityMapPage{Page: page.Page, Elements: []*model.AbilityMapElement{}}
		for _, e := range page.Elements {
			if shown := s.element(cellOn(page, e), e); shown != nil {
				out[i].Elements = append(out[i].Elements, shown)
			}
		}
	}
	return out
}

func cellOn(page *model.AbilityMapPage, e *model.AbilityMapElement) cell {
	return cell{(page.Page-1)*mapRows + e.Coordinates.Y, e.Coordinates.X}
}

// drawLinks draws the links from an ability to unlocked abilities below it or to its right in the same row.
func (s *mapSelection) drawLinks(id string, family []string) {
	for _, other := range family {
		other = abilityKey(other)
		from, to := s.abilities[id], s.abilities[other]
		if !s.shown[other] || compareCells(from, to) >= 0 {
			continue
		}
		s.drawn.draw(s.way(id, other), id, other)
	}
}

// steps are the directions to a neighbour of a cell, sideways first.
var steps = []cell{{0, -1}, {0, 1}, {1, 0}, {-1, 0}}

// way returns the shortest route between two abilities over connectors of both, including both ends, or nil if the map
// has none.
func (s *mapSelection) way(id, other string) []cell {
	from, to := s.abilities[id], s.abilities[other]
	before := map[cell]cell{from: from}
	for next := []cell{from}; len(next) > 0; next = next[1:] {
		at := next[0]
		for _, step := range steps {
			near := cell{at.row + step.row, at.x + step.x}
			if _, seen := before[near]; seen || !s.joined(at, near, id, other) {
				continue
			}
			before[near] = at
			if near == to {
				way := []cell{to}
				for ; at != from; at = before[at] {
					way = append(way, at)
				}
				slices.Reverse(way)
				return slices.Insert(way, 0, from)
			}
			next = append(next, near)
		}
	}
	return nil
}

// joined reports whether a link between two abilities can go from a cell to its neighbour.
func (s *mapSelection) joined(at, near cell, id, other string) bool {
	open := func(c, toward cell) bool {
		if c == s.abilities[id] || c == s.abilities[other] {
			return true
		}
		e := s.connectors[c]
		return e != nil && armsOf(*e.Meta.Connector)&armTo(c, toward) != 0 && names(e.FamilyKeys, id) &&
			names(e.FamilyKeys, other)
	}
	return open(at, near) && open(near, at)
}

func names(family []string, id string) bool {
	return slices.ContainsFunc(family, func(f string) bool { return abilityKey(f) == id })
}

func (s *mapSelection) element(at cell, e *model.AbilityMapElement) *model.AbilityMapElement {
	out, meta := *e, *e.Meta
	keep := s.shown
	if e.Meta.AbilityKey == nil {
		c := s.drawn[at]
		if c == nil {
			return nil
		}
		meta.Connector, keep = new(c.arms.name()), c.family
	} else if !s.shown[abilityKey(*e.Meta.AbilityKey)] {
		return nil
	}
	out.Meta = &meta
	locked := func(key string) bool { return !keep[abilityKey(key)] }
	out.FamilyKeys = slices.DeleteFunc(slices.Clone(e.FamilyKeys), locked)
	out.Family = slices.DeleteFunc(slices.Clone(e.Family), func(a *model.Ability) bool { return locked(a.Key) })
	return &out
}

func armsOf(name string) arms {
	var a arms
	for _, n := range armNames {
		if strings.Contains(name, n.name) {
			a |= n.arm
		}
	}
	return a
}
