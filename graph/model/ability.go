package model

import "strings"

// Class is the record of a class and the schema's Class.
type Class struct {
	Key               string            `json:"key"               bson:"id"`
	Name              string            `json:"name"`
	Lore              string            `json:"lore"`
	OverallDifficulty int               `json:"overallDifficulty"`
	OverallMax        int               `json:"overallMax"`
	Archetypes        []*ClassArchetype `json:"archetypes"`
}

// ClassArchetype describes an archetype on the page of a class.
type ClassArchetype struct {
	Key        string `json:"key"        bson:"id"`
	Name       string `json:"name"`
	Difficulty int    `json:"difficulty"`
	Max        int    `json:"max"`
	Icon       string `json:"icon"`
	Damage     int    `json:"damage"`
	Defence    int    `json:"defence"`
	Range      int    `json:"range"`
	Speed      int    `json:"speed"`
}

// AbilityTree is the record of the ability tree of a class and the schema's AbilityTree.
type AbilityTree struct {
	// Key is the class key.
	Key        string         `json:"key"        bson:"tree"`
	Archetypes []*Archetype   `json:"archetypes"`
	Pages      []*AbilityPage `json:"pages"`
}

// Archetype is an archetype of an ability tree.
type Archetype struct {
	Key              string `json:"key"              bson:"id"`
	Name             Markup `json:"name"`
	Description      Markup `json:"description"`
	ShortDescription Markup `json:"shortDescription"`
	Icon             *Icon  `json:"icon"`
	Slot             int    `json:"slot"`

	// Tree is the key of the tree; never stored.
	Tree string `json:"-" bson:"-"`
}

// Ability is an ability of a tree. Link sets the fields that are never stored.
type Ability struct {
	Key          string               `json:"key"          bson:"id"`
	Name         Markup               `json:"name"`
	Icon         *Icon                `json:"icon"`
	Slot         int                  `json:"slot"`
	Coordinates  *Coordinates         `json:"coordinates"`
	Description  []Markup             `json:"description"`
	Requirements *AbilityRequirements `json:"requirements"`
	LinkKeys     []string             `json:"linkKeys"     bson:"links"`
	LockKeys     []string             `json:"lockKeys"     bson:"locks"`
	Page         int                  `json:"page"`

	// Tree is the key of the tree; Links and Locks are the abilities named by the keys.
	Tree  string     `json:"-" bson:"-"`
	Links []*Ability `json:"-" bson:"-"`
	Locks []*Ability `json:"-" bson:"-"`
}

// AbilityRequirements lists what unlocking an ability requires.
type AbilityRequirements struct {
	AbilityPoints int                   `json:"abilityPoints"`
	AbilityKeys   []string              `json:"abilityKeys"   bson:"nodes"`
	Archetype     *ArchetypeRequirement `json:"archetype"`
	CombatLevel   *int                  `json:"combatLevel"`

	// Abilities are the abilities named by the keys; never stored.
	Abilities []*Ability `json:"-" bson:"-"`
}

// ArchetypeRequirement is the required number of abilities of an archetype.
type ArchetypeRequirement struct {
	ArchetypeKey string `json:"archetypeKey" bson:"name"`
	Amount       int    `json:"amount"`

	// Archetype belongs to the key; never stored.
	Archetype *Archetype `json:"-" bson:"-"`
}

// AbilityMap is a stored map of a class. It replaces the map derived from the tree.
type AbilityMap struct {
	Tree  string            `json:"tree"`
	Pages []*AbilityMapPage `json:"pages"`
}

// AbilityMapElement is an ability or a connector in one cell of a map.
type AbilityMapElement struct {
	Type        string          `json:"type"`
	Coordinates *Coordinates    `json:"coordinates"`
	Meta        *AbilityMapMeta `json:"meta"`
	FamilyKeys  []string        `json:"familyKeys"  bson:"family"`

	// Family holds the abilities named by the keys; never stored.
	Family []*Ability `json:"-" bson:"-"`
}

// AbilityMapMeta describes the drawing of a cell.
type AbilityMapMeta struct {
	Page       int     `json:"page"`
	Icon       *Icon   `json:"icon"`
	Connector  *string `json:"connector"`
	AbilityKey *string `json:"abilityKey" bson:"id"`

	// Ability belongs to the key; never stored.
	Ability *Ability `json:"-" bson:"-"`
}

// Aspect is an aspect and the schema's Aspect.
type Aspect struct {
	Name         string        `json:"name"`
	InternalName string        `json:"internalName"`
	Icon         *Icon         `json:"icon"`
	Rarity       string        `json:"rarity"`
	ClassKey     string        `json:"classKey"     bson:"requiredClass"`
	Tiers        []*AspectTier `json:"tiers"`
}

// AspectList holds the aspects of a class in stored order.
type AspectList struct {
	Tree    string    `json:"tree"`
	Aspects []*Aspect `json:"aspects"`
}

// AbilityIndex holds the parts of an ability tree by key. Keys of abilities ignore case.
type AbilityIndex struct {
	Abilities  map[string]*Ability
	Archetypes map[string]*Archetype
}

// Link sets the edges between the parts of a tree and returns an index of them. It skips unknown keys.
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

// Named returns the abilities with the given keys. It skips unknown keys.
func (x *AbilityIndex) Named(keys []string) []*Ability {
	out := make([]*Ability, 0, len(keys))
	for _, key := range keys {
		if a := x.Abilities[strings.ToLower(key)]; a != nil {
			out = append(out, a)
		}
	}
	return out
}
