package seed_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
	"gamedata/mongo"
)

type tree = model.AbilityTree

func byUUID(a, b *model.Character) int { return strings.Compare(a.UUID, b.UUID) }

func byName(list []*model.Item) map[string]*model.Item {
	out := map[string]*model.Item{}
	for _, i := range list {
		out[i.InternalName] = i
	}
	return out
}

// fieldsOf repeats the table of fields in docs/spec/wire-content.md under the schema's names: Y always, S on some,
// - never. The columns are the types in the order of mongo.ItemTypes.
var fieldsOf = map[string]string{
	"subTypeText": "YYY-YYY-", "tierText": "YYYYYY-Y", "restriction": "SSSYYY--", "dropRestriction": "YYYYYY--",
	"identifications": "YYYSY--S", "base": "YYSY----", "powderSlots": "SS------", "elements": "SSS-----",
	"attackSpeed": "Y-------", "averageDps": "Y-------", "majorIds": "SSS-----", "lore": "SSS---Y-",
	"identified": "SS---Y--", "allowCraftsman": "---YYY--", "dropMeta": "SSS-S---", "setNames": "SSS-----",
	"gatheringSpeed": "-----Y--", "durability": "-----Y--", "chances": "------Y-", "consumableOnlyIDs": "-------Y",
	"itemOnlyIDs": "-------Y", "ingredientPositionModifiers": "-------Y", "droppedBy": "-------S",
	"displayName": "YYYYYYYY", "internalName": "YYYYYYYY", "typeText": "YYYYYYYY", "icon": "YYYYYYYY",
	"emblem": "YYYYYYYY", "requirements": "YYYYYYYY",
}

func TestItemFields(t *testing.T) {
	const have, lack = 1, 2
	seen := map[string]int{}
	for _, i := range seed.Items() {
		column := slices.Index(mongo.ItemTypes, i.Type)
		if column < 0 {
			t.Fatalf("%s has the unknown type %s", i.InternalName, i.Type)
		}
		text, err := json.Marshal(i)
		if err != nil {
			t.Fatal(err)
		}
		fields := map[string]json.RawMessage{}
		if err := json.Unmarshal(text, &fields); err != nil {
			t.Fatal(err)
		}
		if len(fields) != len(fieldsOf) {
			t.Fatalf("an item has %d fields, the table %d", len(fields), len(fieldsOf))
		}
		for field, columns := range fieldsOf {
			value := string(fields[field])
			is := value != "null"
			if value == "" || value == "[]" || value == `""` || columns[column] == 'Y' && !is || columns[column] == '-' && is {
				t.Errorf("%s of type %s: got %s = %s", i.InternalName, i.Type, field, value)
			}
			if is {
				seen[i.Type+" "+field] |= have
			} else {
				seen[i.Type+" "+field] |= lack
			}
		}
	}
	for field, columns := range fieldsOf {
		for column, rule := range columns {
			if kind := mongo.ItemTypes[column]; rule == 'S' && seen[kind+" "+field] != have|lack {
				t.Errorf("%s of %s: want some with and some without it", field, kind)
			}
		}
	}
}

// Every documented value and form is in some item.
func TestItemValues(t *testing.T) {
	seen := map[string]int{}
	note := func(prefix string, is bool) {
		if is {
			seen[prefix]++
		}
	}
	displayed := map[string]int{}
	for _, i := range seed.Items() {
		note("type "+i.Type, true)
		for name, p := range map[string]*string{
			"subType": i.SubType, "restriction": i.Restriction,
			"dropRestriction": i.DropRestriction, "attackSpeed": i.AttackSpeed,
		} {
			if p != nil {
				note(name+" "+*p, true)
			}
		}
		if i.Tier != nil {
			note(i.Type+" "+*i.Tier, true)
		}
		displayed[i.DisplayName]++
		note("shared displayName", displayed[i.DisplayName] > 1)
		note("internalName differs", i.InternalName != i.DisplayName)
		note("icon "+i.Icon.Format, true)
		note("select", i.Icon.Model != nil && len(i.Icon.Model.CustomModelData.Select) > 0)
		for _, id := range i.Identifications {
			checkRoll(t, i, id)
			note("fixed", id.Min == nil)
			note("rolled up", id.Min != nil && id.Raw > 0)
			note("rolled down", id.Min != nil && id.Raw < 0)
		}
		if i.Lore != nil {
			note("lore in source form", strings.Contains(string(*i.Lore), "§"))
			note("lore rendered", strings.HasPrefix(string(*i.Lore), "<span"))
		}
		for _, m := range i.MajorIds {
			note("major in source form", strings.Contains(string(m.Text), "§"))
			note("major rendered", strings.HasPrefix(string(m.Text), "<span"))
		}
		if d := i.DropMeta; d != nil {
			note("drop as text", d.Type != nil && d.TypeList == nil)
			note("drop as list", d.Type == nil && len(d.TypeList) > 1)
			note("drop nowhere", d.Coordinates[0] == 99999)
			note("drop event", d.Event != nil)
		}
		for _, d := range i.DroppedBy {
			note("dropper unknown", d.Spot == nil && d.SpotList == nil && d.FixedPlace == nil)
			note("dropper everywhere", d.FixedPlace != nil && !*d.FixedPlace)
			note("dropper at one spot", d.Spot != nil)
			note("dropper at many spots", len(d.SpotList) > 1)
		}
		note("quest", i.Requirements.Quest != nil)
		note("skill", i.Requirements.Agility != nil)
		note("several elements", len(i.Elements) > 1)
		if i.Type == "material" && !strings.HasPrefix(i.InternalName, "Refined ") {
			t.Errorf("material %s", i.InternalName)
		}
	}
	want := []string{
		"shared displayName", "internalName differs", "icon attribute", "icon skin", "select", "fixed",
		"rolled up", "rolled down",
		"lore in source form", "lore rendered", "major in source form", "major rendered", "drop as text", "drop as list",
		"drop nowhere", "drop event",
		"dropper unknown", "dropper everywhere", "dropper at one spot", "dropper at many spots", "quest", "skill",
		"several elements",
		"restriction none", "restriction untradable", "restriction quest item", "dropRestriction normal",
		"dropRestriction never",
		"dropRestriction lootchest", "dropRestriction dungeon", "subType mining", "subType woodcutting", "subType farming",
		"subType fishing",
	}
	for _, kind := range mongo.ItemTypes {
		want = append(want, "type "+kind)
	}
	for _, speed := range mongo.AttackSpeeds {
		want = append(want, "attackSpeed "+speed)
	}
	for _, group := range mongo.SubTypes {
		for _, v := range group.Values {
			want = append(want, "subType "+v)
		}
	}
	for _, tier := range mongo.Tiers[0] {
		want = append(want, "weapon "+tier, "armour "+tier, "accessory "+tier)
	}
	for _, tier := range mongo.Tiers[1] {
		want = append(want, "ingredient "+tier)
	}
	for _, w := range want {
		if seen[w] == 0 {
			t.Errorf("no item has the case %s; got %v", w, slices.Sorted(maps.Keys(seen)))
		}
	}
	for kind, about := range map[string]int{
		"weapon": 1800, "armour": 1700, "accessory": 700, "ingredient": 970, "material": 112, "tool": 52, "tome": 156,
		"charm": 5,
	} {
		if n := seen["type "+kind]; n < about*95/100 || n > about*105/100 {
			t.Errorf("%d items of type %s, want about %d", n, kind, about)
		}
	}
	if n := len(seed.Items()); len(byName(seed.Items())) != n || n < 5000 {
		t.Errorf("%d items, %d names", n, len(byName(seed.Items())))
	}
}

// checkRoll checks that the ends of a roll have one sign and the first is nearer to zero.
func checkRoll(t *testing.T, i *model.Item, id *model.Identification) {
	t.Helper()
	if (id.Min == nil) != (id.Max == nil) || id.Raw == 0 {
		t.Errorf("%s: %s %+v", i.InternalName, id.Key, id)
	}
	if id.Min == nil {
		return
	}
	low, raw, high := *id.Min, id.Raw, *id.Max
	if raw < 0 {
		low, raw, high = -low, -raw, -high
	}
	if low < 1 || low > raw || raw > high {
		t.Errorf("%s: %s rolls %d, %d, %d", i.InternalName, id.Key, *id.Min, id.Raw, *id.Max)
	}
}

func TestSetsAndItemsAgree(t *testing.T) {
	items, names := byName(seed.Items()), map[string]bool{}
	lacking, large, empty := 0, 0, 0
	for _, s := range seed.Sets() {
		if s.InternalName != strings.ToLower(s.Name) || names[s.Name] || s.PartNames == nil || len(s.Bonuses) == 0 {
			t.Errorf("set %+v", s)
		}
		names[s.Name] = true
		for _, part := range s.PartNames {
			if i := items[part]; i == nil {
				lacking++
			} else if !slices.Contains(i.SetNames, s.Name) {
				t.Errorf("%s does not name its set %s", part, s.Name)
			}
		}
		if len(s.PartNames) == 0 {
			empty++
		}
		if len(s.PartNames) > 50 {
			large++
		}
		for _, b := range s.Bonuses {
			if b.Parts < 1 || b.Parts > 9 || b.Major == nil || len(b.Minor) == 0 {
				t.Errorf("%s: bonus %+v", s.Name, b)
			}
		}
	}
	for name, i := range items {
		for _, s := range i.SetNames {
			if !names[s] {
				t.Errorf("%s is of the unknown set %s", name, s)
			}
		}
	}
	if lacking != 1 || large != 1 || empty != 1 || len(names) < 18 {
		t.Errorf("%d sets, %d parts lacking, %d large, %d empty", len(names), lacking, large, empty)
	}
}

func TestRecipes(t *testing.T) {
	items, names := byName(seed.Items()), map[string]bool{}
	upside := 0
	for _, r := range seed.Recipes() {
		if names[r.InternalName] || len(r.Materials) != 2 || len(r.Sprites) != 15 || r.Xp < 14 || r.Xp > 20_000 ||
			r.Level.Minimum >= r.Level.Maximum {
			t.Errorf("recipe %+v", r)
		}
		names[r.InternalName] = true
		for _, m := range r.Materials {
			if i := items[m.ItemName]; i == nil || i.Type != "material" || int64(i.Requirements.Level) > r.Level.Minimum ||
				m.Amount < 1 || m.Amount > 21 {
				t.Errorf("%s takes %d of %s", r.InternalName, m.Amount, m.ItemName)
			}
		}
		consumable := slices.Contains([]string{"food", "potion", "scroll"}, r.Type)
		if (r.HealthOrDamage == nil) != (r.Skill == "jeweling") || (r.Durability == nil) != consumable ||
			(r.Duration != nil) != consumable || (r.BasicDuration != nil) != consumable {
			t.Errorf("%s: %v, %v, %v, %v", r.InternalName, r.HealthOrDamage, r.Durability, r.Duration, r.BasicDuration)
		}
		if r.HealthOrDamage != nil && r.HealthOrDamage.Minimum > r.HealthOrDamage.Maximum {
			upside++
		}
		for _, s := range r.Sprites {
			if s.Icon.Name == nil || !strings.HasSuffix(*s.Icon.Name, s.Key) {
				t.Errorf("%s: sprite %+v", r.InternalName, s)
			}
		}
	}
	for _, name := range []string{"Boots1-3", "Boots10-13", "Pants10-13", "Potion10-13", "Ring103-105", "Wand117-119"} {
		if !names[name] {
			t.Errorf("no recipe %s", name)
		}
	}
	if len(names) != 720 || upside != 1 {
		t.Errorf("%d recipes, %d upside down", len(names), upside)
	}
}

// TestMarkupIsBalanced checks every text of the content.
func TestMarkupIsBalanced(t *testing.T) {
	check := func(where string, m model.Markup) {
		text := m.Render()
		if strings.Contains(text, "§") || strings.Count(text, "<span") != strings.Count(text, "</span>") {
			t.Errorf("%s: %s", where, text)
		}
	}
	for _, i := range seed.Items() {
		if i.Lore != nil {
			check(i.InternalName, *i.Lore)
		}
		for _, m := range i.MajorIds {
			check(i.InternalName, m.Text)
		}
	}
	for _, tree := range seed.AbilityTrees() {
		for _, a := range byID(tree) {
			for _, m := range append(a.Description, a.Name) {
				check(a.Key, m)
			}
		}
		for _, a := range tree.Archetypes {
			check(a.Key, a.Name+a.Description+a.ShortDescription)
		}
	}
	for _, list := range seed.Aspects() {
		for _, a := range list.Aspects {
			for _, tier := range a.Tiers {
				for _, m := range tier.Description {
					check(a.Name, m)
				}
			}
		}
	}
}

func TestContentIsTheSameAlways(t *testing.T) {
	if d := cmp.Diff(seed.Recipes()[100], seed.Recipes()[100]); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(seed.Aspects(), seed.Aspects()); d != "" {
		t.Error(d)
	}
}
