package app_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// itemTable has, for each key, a letter per type in the order of itemTypes: Y always, S on some items, - never.
var (
	itemTypes = []string{"weapon", "armour", "accessory", "charm", "tome", "tool", "material", "ingredient"}
	itemTable = map[string]string{
		"displayName": "YYYYYYYY", "internalName": "YYYYYYYY", "type": "YYYYYYYY", "icon": "YYYYYYYY", "emblem": "YYYYYYYY",
		"requirements": "YYYYYYYY",
		"subType":      "YYY-YYY-", "tier": "YYYYYY-Y", "restriction": "SSSYYY--", "dropRestriction": "YYYYYY--",
		"identifications": "YYYSY--S",
		"base":            "YYSY----", "powderSlots": "SS------", "elements": "SSS-----", "attackSpeed": "Y-------",
		"averageDps": "Y-------",
		"majorIds":   "SSS-----", "lore": "SSS---Y-", "identified": "SS---Y--", "allowCraftsman": "---YYY--",
		"dropMeta": "SSS-S---",
		"sets":     "SSS-----", "gatheringSpeed": "-----Y--", "durability": "-----Y--", "chances": "------Y-",
		"consumableOnlyIDs": "-------Y",
		"itemOnlyIDs":       "-------Y", "ingredientPositionModifiers": "-------Y", "droppedBy": "-------S",
	}
)

// expectNoNull reports every null below a value, except at paths with the given endings.
func expectNoNull(t *testing.T, path string, v any, except ...string) {
	t.Helper()
	switch v := v.(type) {
	case nil:
		if !slices.ContainsFunc(except, func(e string) bool { return strings.HasSuffix(path, e) }) {
			t.Errorf("%s is null", path)
		}
	case map[string]any:
		for k, child := range v {
			expectNoNull(t, path+"."+k, child, except...)
		}
	case []any:
		for _, child := range v {
			expectNoNull(t, path+"[]", child, except...)
		}
	}
}

func decodeBody[T any](t *testing.T, body []byte) T {
	t.Helper()
	var out T
	if err := json.Unmarshal(body, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// Every item of the demo world has the keys of its type and no null; each optional key is on some item.
func TestItemBodies(t *testing.T) {
	p := sharedService(t)
	items := decodeBody[[]map[string]any](t, requestOK(t, p.base, "GET", "/v3/item/database?fullResult", ""))
	seen := map[string]map[string]int{}
	for _, item := range items {
		name, _ := item["internalName"].(string)
		n := slices.Index(itemTypes, item["type"].(string))
		if n < 0 {
			t.Fatalf("%s has the type %v", name, item["type"])
		}
		expectNoNull(t, name, item, ".coords")
		for key := range item {
			if rule := itemTable[key]; rule == "" || rule[n] == '-' {
				t.Errorf("%s, a %s, has the key %s", name, itemTypes[n], key)
			}
			if seen[key] == nil {
				seen[key] = map[string]int{}
			}
			seen[key][itemTypes[n]]++
		}
		for key, rule := range itemTable {
			if _, there := item[key]; rule[n] == 'Y' && !there {
				t.Errorf("%s, a %s, lacks the key %s", name, itemTypes[n], key)
			}
		}
	}
	for key, rule := range itemTable {
		for n, kind := range itemTypes {
			if rule[n] != '-' && seen[key][kind] == 0 {
				t.Errorf("no %s shows the key %s", kind, key)
			}
		}
	}
}

// Every recipe has two materials, fifteen sprites, and ranges or an empty object.
func TestRecipeBodies(t *testing.T) {
	t.Parallel()
	p := sharedService(t)
	page := decodeBody[struct {
		Results []map[string]any
	}](t, requestOK(t, p.base, "GET", "/v3/item/recipe/database?page=3", ""))
	if len(page.Results) != 20 {
		t.Errorf("a page has %d recipes", len(page.Results))
	}
	all := requestOK(t, p.base, "GET", "/v3/item/recipe/database?full_result", "")
	for _, r := range decodeBody[[]map[string]any](t, all) {
		name := r["internalName"].(string)
		expectNoNull(t, name, r)
		used := slices.Contains([]string{"food", "potion", "scroll"}, r["type"].(string))
		for key, there := range map[string]bool{
			"durability": !used, "duration": used, "basicDuration": used,
			"healthOrDamage": true, "level": true, "xp": true, "skill": true,
		} {
			if _, got := r[key]; got != there {
				t.Errorf("%s: key %s is there: %v", name, key, got)
			}
		}
		if empty := len(r["healthOrDamage"].(map[string]any)) == 0; empty != (r["skill"] == "jeweling") {
			t.Errorf("%s: healthOrDamage is empty: %v", name, empty)
		}
		if len(r["materials"].([]any)) != 2 || len(r["sprites"].(map[string]any)) != 15 {
			t.Errorf("%s: %v materials, %d sprites", name, r["materials"], len(r["sprites"].(map[string]any)))
		}
	}
}

// The ability trees of all classes have the documented keys, in the order in which GraphQL lists the abilities.
func TestAbilityTreeBodies(t *testing.T) {
	p := sharedService(t)
	for _, class := range []string{"archer", "warrior", "assassin", "mage", "shaman"} {
		body := requestOK(t, p.base, "GET", "/v3/ability/tree/"+class, "")
		tree := decodeBody[struct {
			Archetypes map[string]map[string]any
			Pages      map[string]map[string]map[string]any
		}](t, body)
		if len(tree.Archetypes) != 3 {
			t.Errorf("%s has %d archetypes", class, len(tree.Archetypes))
		}
		for id, a := range tree.Archetypes {
			expectKeys(t, class+"."+id, a, rules(always, "name description shortDescription icon slot"))
		}
		for n, abilities := range tree.Pages {
			for id, a := range abilities {
				where := class + "." + n + "." + id
				expectKeys(t, where, a, join(rules(always, "name icon slot coordinates description requirements page"),
					rules(orNull, "links locks")))
				at := a["coordinates"].(map[string]any)
				if a["slot"].(float64) != (at["y"].(float64)-1)*9+at["x"].(float64)-1 ||
					strconv.Itoa(int(a["page"].(float64))) != n {
					t.Errorf("%s: slot %v, page %v at %v", where, a["slot"], a["page"], at)
				}
				expectKeys(t, where+".requirements", a["requirements"].(map[string]any), join(rules(always, "ABILITY_POINTS"),
					rules(orAbsent, "NODE ARCHETYPE COMBAT_LEVEL")))
			}
		}
		listed := decodeBody[struct {
			Data struct {
				AbilityTree struct {
					Pages []struct{ Abilities []struct{ Key string } }
				}
			}
		}](t, requestOK(t, p.base, "POST", "/graphql", `{"query":"{abilityTree(by:{key:`+strings.ToUpper(class)+`}){pages{abilities{key}}}}"}`))
		at := 0
		for _, page := range listed.Data.AbilityTree.Pages {
			for _, a := range page.Abilities {
				next := bytes.Index(body[at:], []byte(`"`+a.Key+`":{"name":`))
				if next < 0 {
					t.Fatalf("%s: %s is out of order", class, a.Key)
				}
				at += next
			}
		}
	}
}
