package model

import "strings"

// AbilityIndex has the parts of an ability tree by key. Keys of abilities are compared without case.
type AbilityIndex struct {
	Abilities  map[string]*Ability
	Archetypes map[string]*Archetype
}

// Link sets the edges between the parts of a tree and returns an index of them. Keys that the tree lacks are left out.
func (t *AbilityTree) Link() *AbilityIndex {
	x := &AbilityIndex{map[string]*Ability{}, map[string]*Archetype{}}
	for _, a := range t.Archetypes {
		if a != nil {
			a.Tree, x.Archetypes[a.Key] = t.Key, a
		}
	}
	abilities := func(visit func(*Ability)) {
		for _, page := range t.Pages {
			if page == nil {
				continue
			}
			for _, a := range page.Abilities {
				if a != nil {
					visit(a)
				}
			}
		}
	}
	abilities(func(a *Ability) { a.Tree, x.Abilities[strings.ToLower(a.Key)] = t.Key, a })
	abilities(func(a *Ability) {
		a.Links, a.Locks = x.Named(a.LinkKeys), x.Named(a.LockKeys)
		if r := a.Requirements; r != nil {
			r.Abilities = x.Named(r.AbilityKeys)
			if r.Archetype != nil {
				r.Archetype.Archetype = x.Archetypes[r.Archetype.ArchetypeKey]
			}
		}
	})
	return x
}

// LinkMap sets the edges from a stored map to the abilities of its tree.
func (x *AbilityIndex) LinkMap(pages []*AbilityMapPage) {
	for _, page := range pages {
		for _, e := range page.Elements {
			e.Family = x.Named(e.FamilyKeys)
			if e.Meta != nil && e.Meta.AbilityKey != nil {
				e.Meta.Ability = x.Abilities[strings.ToLower(*e.Meta.AbilityKey)]
			}
		}
	}
}

// Named returns the abilities of some keys, without those that the tree lacks.
func (x *AbilityIndex) Named(keys []string) []*Ability {
	out := make([]*Ability, 0, len(keys))
	for _, key := range keys {
		if a := x.Abilities[strings.ToLower(key)]; a != nil {
			out = append(out, a)
		}
	}
	return out
}
