package resolvers_test

import (
	"slices"
	"strings"
	"testing"

	"gamedata/graph"
)

type label struct{ Key string }

func (l *label) key() *string {
	if l == nil {
		return nil
	}
	return &l.Key
}

type foundItem struct {
	ID, InternalName, DisplayName string
	Type, SubType, Tier           *label
	AttackSpeed                   *string
	Requirements                  struct{ Level int }
	AverageDps, PowderSlots       *int
	Identifications               []struct {
		Key string
		Raw int
	}
	DropMeta *struct {
		Name     string
		Types    []string
		Position *struct{ X, Y, Z float64 }
	}
}

const itemFields = `{totalCount nodes{id internalName displayName type{key} subType{key} tier{key} attackSpeed requirements{level}
	averageDps powderSlots identifications{key raw} dropMeta{name types position{x y z}}}}`

func (w *world) items(t *testing.T, args string) []foundItem {
	t.Helper()
	var data struct{ Items struct{ Nodes []foundItem } }
	w.ask(t, `{items(first:100000 `+args+`)`+itemFields+`}`, nil, &data)
	return data.Items.Nodes
}

func (i foundItem) identification(key string) (int, bool) {
	for _, id := range i.Identifications {
		if id.Key == key {
			return id.Raw, true
		}
	}
	return 0, false
}

// Each filter selects exactly the items that match it.
func TestItemFilters(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 10)
	all := w.items(t, "")
	is := func(values ...string) func(*string) bool {
		return func(v *string) bool { return v != nil && slices.Contains(values, *v) }
	}
	for filter, match := range map[string]func(foundItem) bool{
		`{types:[WEAPON,CHARM]}`:      func(i foundItem) bool { return is("WEAPON", "CHARM")(i.Type.key()) },
		`{types:[]}`:                  func(foundItem) bool { return true },
		`{subTypes:[WEAPON_TOME]}`:    func(i foundItem) bool { return is("WEAPON_TOME")(i.SubType.key()) },
		`{tiers:[TIER_3,MYTHIC]}`:     func(i foundItem) bool { return is("TIER_3", "MYTHIC")(i.Tier.key()) },
		`{attackSpeeds:[SUPER_SLOW]}`: func(i foundItem) bool { return is("SUPER_SLOW")(i.AttackSpeed) },
		`{level:{min:30,max:32}}`:     func(i foundItem) bool { return 30 <= i.Requirements.Level && i.Requirements.Level <= 32 },
		`{level:{min:100}}`:           func(i foundItem) bool { return i.Requirements.Level >= 100 },
		`{averageDps:{max:60}}`:       func(i foundItem) bool { return i.AverageDps != nil && *i.AverageDps <= 60 },
		`{powderSlots:{min:3}}`:       func(i foundItem) bool { return i.PowderSlots != nil && *i.PowderSlots >= 3 },
		`{query:["REED"]}`: func(i foundItem) bool {
			return strings.Contains(strings.ToLower(i.DisplayName+"|"+i.InternalName), "reed")
		},
		`{query:[" "]}`:                        func(foundItem) bool { return false },
		`{internalNames:["Hollow Reed","no"]}`: func(i foundItem) bool { return i.InternalName == "Hollow Reed" },
		`{dropSources:["RAID"]}`:               func(i foundItem) bool { return i.DropMeta != nil && slices.Contains(i.DropMeta.Types, "raid") },
		`{dropSources:["rushford caverns"]}`:   func(i foundItem) bool { return i.DropMeta != nil && i.DropMeta.Name == "Rushford Caverns" },
		`{types:[ARMOUR],identifications:[{key:"WALKSPEED",min:5,max:12},{key:"rawHealth"}]}`: func(i foundItem) bool {
			speed, has := i.identification("walkSpeed")
			_, hasHealth := i.identification("rawHealth")
			return i.Type.Key == "ARMOUR" && has && 5 <= speed && speed <= 12 && hasHealth
		},
	} {
		var want, got []string
		for _, i := range all {
			if match(i) {
				want = append(want, i.InternalName)
			}
		}
		for _, i := range w.items(t, `orderBy:{field:NAME} filter:`+filter) {
			got = append(got, i.InternalName)
		}
		if !slices.Equal(got, want) || len(want) == 0 && !strings.Contains(filter, `" "`) {
			t.Errorf("%s: got %d items, want %d", filter, len(got), len(want))
		}
	}
	for filter, least := range map[string]int{
		`{classes:[MAGE]}`: 10, `{professions:[COOKING]}`: 10, `{elements:[WATER]}`: 10, `{majorIds:["Still Water"]}`: 1,
		`{majorIds:["stillwater"]}`: 1, `{restrictions:[QUEST_ITEM]}`: 1, `{dropRestrictions:[DUNGEON]}`: 1,
		`{dropSources:["Bog Warden"]}`: 1, `{search:{type:["Wand"],query:"reed"}}`: 1,
	} {
		if n := len(w.items(t, `filter:`+filter)); n < least || n == len(all) {
			t.Errorf("%s: got %d items of %d", filter, n, len(all))
		}
	}
}

// Orders put items without the value last, and a search puts equal names first.
func TestItemOrders(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 10)
	for args, value := range map[string]func(foundItem) (int, bool){
		`orderBy:{field:LEVEL}`: func(i foundItem) (int, bool) { return i.Requirements.Level, true },
		`orderBy:{field:DPS,direction:DESC}`: func(i foundItem) (int, bool) {
			if i.AverageDps == nil {
				return 0, false
			}
			return -*i.AverageDps, true
		},
		`orderBy:{field:TIER} filter:{types:[INGREDIENT,MATERIAL]}`: func(i foundItem) (int, bool) {
			if i.Tier == nil {
				return 0, false
			}
			return int(i.Tier.Key[len("TIER_")]), true
		},
		`orderBy:{field:IDENTIFICATION,identification:"walkspeed",direction:DESC}`: func(i foundItem) (int, bool) {
			v, has := i.identification("walkSpeed")
			return -v, has
		},
	} {
		list := w.items(t, args)
		sorted := slices.IsSortedFunc(list, func(a, b foundItem) int {
			x, hasX := value(a)
			y, hasY := value(b)
			switch {
			case hasX != hasY && hasX, hasX && x < y:
				return -1
			case hasX != hasY, hasX && x > y:
				return 1
			}
			return strings.Compare(a.DisplayName, b.DisplayName)
		})
		if _, first := value(list[0]); !sorted || !first {
			t.Errorf("%s: the items are not in order, the first is %s", args, list[0].InternalName)
		}
	}
	list := w.items(t, `filter:{query:["hollow reed","reed"]}`)
	begins := slices.IndexFunc(list, func(i foundItem) bool { return strings.HasPrefix(i.DisplayName, "Reed") })
	if list[0].DisplayName != "Hollow Reed" || begins != 1 {
		t.Errorf("the search for a name begins with %s, %s", list[0].DisplayName, list[1].DisplayName)
	}
	if bad := refused(t, w.exec, `{items(orderBy:{field:IDENTIFICATION}){totalCount}}`); bad.Code != graph.InvalidQueryParams {
		t.Errorf("an order without its key is %s", bad.Code)
	}
}

// Lookups find one object, and its id finds it again.
func TestItemLookups(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 10)
	var got struct {
		A, B         *foundItem
		Set, SameSet *struct {
			ID        string
			PartNames []string
			Parts     []*struct {
				InternalName string
				SetNames     []string
				Sets         []struct{ Name string }
			}
		}
		Recipe *struct {
			ID, Type, Skill string
			Materials       []struct {
				ItemName string
				Item     *struct {
					Type    label
					Recipes []struct{ InternalName string }
				}
			}
		}
	}
	w.ask(t, `{
		a:item(by:{internalName:"Tome of Calm Hands I"}){...I} b:item(by:{displayName:"tome of STEADY hands i"}){...I}
		set:itemSet(by:{name:"Reedcutter"}){...S} sameSet:itemSet(by:{internalName:"reedcutter"}){...S}
		recipe(by:{internalName:"Potion10-13"}){...R}
	}
	fragment I on Item{id internalName dropMeta{position{x y z}}}
	fragment S on ItemSet{id partNames parts{internalName setNames sets{name}}}
	fragment R on Recipe{id type skill materials{itemName item{type{key} recipes{internalName}}}}`, nil, &got)
	if got.A == nil || got.B == nil || got.A.ID != got.B.ID || got.A.DropMeta.Position != nil {
		t.Errorf("items: %+v %+v", got.A, got.B)
	}
	if s := got.Set; s == nil || got.SameSet == nil || s.ID != got.SameSet.ID || len(s.Parts) != len(s.PartNames) ||
		s.Parts[0] == nil || s.Parts[0].InternalName != s.PartNames[0] || s.Parts[0].Sets[0].Name != "Reedcutter" {
		t.Errorf("sets: %+v %+v", got.Set, got.SameSet)
	}
	if r := got.Recipe; r == nil || r.Type != "POTION" || r.Skill != "ALCHEMISM" ||
		r.Materials[0].Item.Type.Key != "MATERIAL" || len(r.Materials[0].Item.Recipes) == 0 {
		t.Errorf("recipes: %+v", got.Recipe)
	}
	var nodes struct {
		Nodes []struct{ InternalName string }
	}
	w.ask(t, `query($ids:[ID!]!){nodes(ids:$ids){... on Item{internalName} ... on ItemSet{internalName} ... on Recipe{internalName}}}`,
		map[string]any{"ids": []string{got.Recipe.ID, got.Set.ID, got.A.ID}}, &nodes)
	if n := nodes.Nodes; n[0].InternalName != "Potion10-13" || n[1].InternalName != "reedcutter" ||
		n[2].InternalName != "Tome of Calm Hands I" {
		t.Errorf("nodes: %+v", n)
	}
	double := ""
	names := map[string]bool{}
	for _, i := range w.items(t, "") {
		if names[i.DisplayName] {
			double = i.DisplayName
		}
		names[i.DisplayName] = true
	}
	bad := refused(t, w.exec, `{item(by:{displayName:"`+double+`"}){id}}`)
	if bad.Code != graph.MultipleObjectsReturned || len(bad.Objects) < 2 {
		t.Errorf("a name of several items is %s with %d candidates", bad.Code, len(bad.Objects))
	}
}
