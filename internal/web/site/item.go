package site

import (
	"fmt"
	"net/http"
	"strings"

	"gamedata/graph"
)

// item is a page about an item.
type item struct {
	InternalName, DisplayName, Type                          string
	SubType, Tier, Restriction, DropRestriction, AttackSpeed *string
	Requirements                                             requirements
	AverageDps, PowderSlots                                  *int64
	Base, Identifications                                    []stat
	MajorIDs                                                 []struct{ Name, HTML string }
	LoreHTML                                                 *string
	Sets                                                     []string
	DropMeta                                                 *struct {
		Name  string
		Types []string
		Event *string
	}
	DroppedBy []struct{ Name string }
	Recipes   []struct{ InternalName string }
}

type requirements struct {
	Level                                               int64
	ClassRequirement, Quest                             *string
	Strength, Dexterity, Intelligence, Defence, Agility *int64
	Skills                                              []string
}

// stat is a value that is fixed, or rolled between two.
type stat struct {
	Key      string
	Min, Max *int64
	Raw      int64
}

// Value is the stat as people write it.
func (s stat) Value() string {
	if s.Min == nil || s.Max == nil {
		return num(s.Raw)
	}
	return num(*s.Min) + " to " + num(*s.Max)
}

// kin is an item in short.
type kin struct {
	InternalName, DisplayName, Type string
	SubType, Tier                   *string
}

// Kind is what the item is: unique bow.
func (k kin) Kind() string { return kindOf(k.Type, k.SubType, k.Tier) }

func kindOf(main string, sub, tier *string) string {
	kind := main
	if sub != nil {
		kind = *sub
	}
	if tier != nil {
		kind = strings.ReplaceAll(strings.ToLower(*tier), "_", " ") + " " + kind
	}
	return kind
}

// Kind is what the item is.
func (i *item) Kind() string { return kindOf(i.Type, i.SubType, i.Tier) }

// Facts are what the item asks for and gives, in the order shown.
func (i *item) Facts() []fact {
	out := []fact{{"Level", num(i.Requirements.Level)}}
	text := func(name string, value *string) {
		if value != nil {
			out = append(out, fact{name, label(*value)})
		}
	}
	number := func(name string, value *int64) {
		if value != nil && *value != 0 {
			out = append(out, fact{name, num(*value)})
		}
	}
	text("Class", i.Requirements.ClassRequirement)
	text("Quest", i.Requirements.Quest)
	number("Strength", i.Requirements.Strength)
	number("Dexterity", i.Requirements.Dexterity)
	number("Intelligence", i.Requirements.Intelligence)
	number("Defence", i.Requirements.Defence)
	number("Agility", i.Requirements.Agility)
	if len(i.Requirements.Skills) > 0 {
		out = append(out, fact{"Professions", strings.Join(i.Requirements.Skills, ", ")})
	}
	text("Attack speed", i.AttackSpeed)
	number("Average damage a second", i.AverageDps)
	number("Powder slots", i.PowderSlots)
	text("Restriction", i.Restriction)
	text("Drops", i.DropRestriction)
	return out
}

// mostKin is how many similar items are named.
const mostKin = 50

// showItem shows the item of an internal name. A name that is only shown in the game leads to
// its item; when several have it, or none, those that were meant perhaps are listed.
func showItem(a *asked) *graph.Error {
	var data struct {
		Items       []*item
		ItemsByName []kin
	}
	if bad := a.read(&data); bad != nil {
		return bad
	}
	name := a.variable("name")
	if len(data.Items) == 1 && data.Items[0] != nil {
		i := data.Items[0]
		a.Title = i.DisplayName
		a.Description = fmt.Sprintf("%s: %s, level %d.", i.DisplayName, i.Kind(), i.Requirements.Level)
		a.Body = i
		return nil
	}
	for _, e := range a.errors {
		if bad := graph.ErrorOf(e); bad.Code != graph.NotFound {
			return bad
		}
	}
	var same, alike []link
	for _, k := range data.ItemsByName {
		l := link{Path: path("items", k.InternalName), Text: k.DisplayName, Note: k.Kind()}
		if alike = append(alike, l); strings.EqualFold(k.DisplayName, name) || strings.EqualFold(k.InternalName, name) {
			same = append(same, l)
		}
	}
	switch {
	case len(same) == 1:
		a.moved = same[0].Path
	case len(same) > 1:
		a.other = &trouble{
			Status: http.StatusMultipleChoices, Text: sentences[graph.MultipleObjectsReturned],
			Candidates: same,
		}
	case len(alike) > 0:
		a.other = &trouble{
			Status: http.StatusNotFound, Text: "There is nothing of this name. These are like it:",
			Candidates: alike[:min(mostKin, len(alike))],
		}
	default:
		a.other = &trouble{Status: http.StatusNotFound, Text: sentences[graph.NotFound]}
	}
	return nil
}
