package site

import (
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strings"

	"gamedata/graph"
	"gamedata/internal/web"
)

type item struct {
	itemSummary
	Restriction, DropRestriction, AttackSpeed *string
	Requirements                              requirements
	AverageDps, PowderSlots                   *int64
	Base, Identifications                     []stat
	MajorIDs                                  []struct{ Name, HTML string }
	LoreHTML                                  *string
	Sets                                      []itemSet
	DropMeta                                  *struct {
		Name     string
		Types    []string
		Event    *string
		Position *place
	}
	DroppedBy []struct {
		Name string
		Spot *place
	}
	LootPools []struct{ Name, Type string }
	Recipes   []recipe
}

// place is where something is on the map.
type place struct{ X, Z float64 }

// MapPath is the path of the map around the place.
func (p place) MapPath() string { return p.mapPath("roads,regions") }

// EventPath is the path of the map around the place of a world event.
func (p place) EventPath() string { return p.mapPath("roads,regions,events") }

// String are the coordinates, west to east and north to south.
func (p place) String() string { return web.Number(int64(p.X)) + ", " + web.Number(int64(p.Z)) }

func (p place) mapPath(layers string) string {
	return fmt.Sprintf("%s?x=%.0f&z=%.0f&zoom=-1&layers=%s", mapPath, p.X, p.Z, layers)
}

type itemSet struct {
	Name  string
	Parts []*itemSummary
}

// ComparePath is the path of the comparison of the first parts.
func (s itemSet) ComparePath() string {
	var names []string
	for _, p := range s.Parts {
		if p != nil && len(names) < maxCompared {
			names = append(names, p.InternalName)
		}
	}
	return comparePath(names)
}

type requirements struct {
	Level                                               int64
	ClassRequirement, Quest                             *string
	Strength, Dexterity, Intelligence, Defence, Agility *int64
	Skills                                              []string
}

// Recipes are links to the recipes of the professions that use an ingredient.
func (r requirements) Recipes() []link {
	var out []link
	for _, s := range r.Skills {
		out = append(out, link{Path: "/recipes?skill=" + url.QueryEscape(strings.ToUpper(s)), Text: web.Label(s)})
	}
	return out
}

// stat is a fixed value, or the range of a rolled one.
type stat struct {
	Key      string
	Min, Max *int64
	Raw      int64
}

// top is the highest roll, or the fixed value.
func (s stat) top() int64 {
	if s.Min == nil || s.Max == nil {
		return s.Raw
	}
	return max(*s.Min, *s.Max)
}

// rolled is a stat with its range in per cent of the largest distance from zero among the stats of the item.
type rolled struct {
	stat
	From, To, At float64
}

// Sign is the CSS class of the value: up or down.
func (s stat) Sign() string {
	if s.Raw < 0 {
		return "down"
	}
	return "up"
}

// ranges draws stats on one scale for each: from zero to the farthest roll.
func ranges(stats []stat) []rolled {
	out := make([]rolled, len(stats))
	for i, s := range stats {
		r := rolled{stat: s, From: 100, To: 100, At: 100}
		if s.Min != nil && s.Max != nil {
			most := max(math.Abs(float64(*s.Min)), math.Abs(float64(*s.Max)), math.Abs(float64(s.Raw)), 1)
			at := func(n int64) float64 { return math.Round(1000*math.Abs(float64(n))/most) / 10 }
			r.From, r.To, r.At = at(*s.Min), at(*s.Max), at(s.Raw)
		}
		out[i] = r
	}
	return out
}

// Value is the stat as people write it.
func (s stat) Value() string {
	if s.Min == nil || s.Max == nil {
		return web.Number(s.Raw)
	}
	return web.Number(*s.Min) + " to " + web.Number(*s.Max)
}

type itemSummary struct {
	InternalName, DisplayName, Type string
	SubType, Tier                   *string
}

// Kind is tier and type of the item: unique bow.
func (i itemSummary) Kind() string {
	kind := i.Type
	if i.SubType != nil {
		kind = *i.SubType
	}
	if i.Tier != nil {
		kind = strings.ReplaceAll(strings.ToLower(*i.Tier), "_", " ") + " " + kind
	}
	return kind
}

// What is the type of the item, or its kind inside the type.
func (i itemSummary) What() string {
	if i.SubType != nil {
		return web.Label(*i.SubType)
	}
	return web.Label(i.Type)
}

// KindPath is the path of the list of items of the kind.
func (i itemSummary) KindPath() string {
	if i.SubType != nil {
		return "/items?subType=" + url.QueryEscape(strings.ToUpper(*i.SubType))
	}
	return "/items?type=" + url.QueryEscape(strings.ToUpper(i.Type))
}

// TierName is the tier in words, empty without one.
func (i itemSummary) TierName() string {
	if i.Tier == nil {
		return ""
	}
	return web.Label(*i.Tier)
}

// TierClass is the CSS class of the tier's colour; a material, which has none, has that of no tier.
func (i itemSummary) TierClass() string {
	if i.Tier == nil {
		return "tier"
	}
	return "tier tier-" + strings.ReplaceAll(strings.ToLower(*i.Tier), "_", "-")
}

// Ranges are the identifications with drawings of their ranges.
func (i *item) Ranges() []rolled { return ranges(i.Identifications) }

// Facts are requirements and properties of the item, in the order shown.
func (i *item) Facts() []fact {
	out := []fact{{"Level", web.Number(i.Requirements.Level)}}
	text := func(name string, value *string) {
		if value != nil {
			out = append(out, fact{name, web.Label(*value)})
		}
	}
	number := func(name string, value *int64) {
		if value != nil && *value != 0 {
			out = append(out, fact{name, web.Number(*value)})
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
	number("Average damage per second", i.AverageDps)
	number("Powder slots", i.PowderSlots)
	text("Restriction", i.Restriction)
	text("Drops", i.DropRestriction)
	return out
}

// maxSimilar is how many similar items are listed.
const maxSimilar = 50

// showItem shows the item with an internal name. A display name redirects to its item; if several
// items have it, or none, the page lists candidates.
func showItem(c *renderContext) *graph.Error {
	var data struct {
		Item    *item
		Similar struct{ Nodes []itemSummary }
	}
	if bad := c.read(&data); bad != nil {
		return bad
	}
	name := c.variable("name")
	if i := data.Item; i != nil {
		c.setCanonical(web.Path("items", i.InternalName))
		return c.show(i.DisplayName, fmt.Sprintf("%s: %s, level %d.", i.DisplayName, i.Kind(), i.Requirements.Level), i)
	}
	if len(c.errors) > 0 {
		return graph.ErrorOf(c.errors[0])
	}
	var same, similar []link
	for _, i := range data.Similar.Nodes {
		l := link{Path: web.Path("items", i.InternalName), Text: i.DisplayName, Note: i.Kind()}
		if similar = append(similar, l); strings.EqualFold(i.DisplayName, name) || strings.EqualFold(i.InternalName, name) {
			same = append(same, l)
		}
	}
	switch {
	case len(same) == 1:
		c.location = same[0].Path
	case len(same) > 1:
		c.instead = &errorPage{
			Status: http.StatusMultipleChoices, Text: "Several items have this name. Which one do you mean?",
			Candidates: same,
		}
	case len(similar) > 0:
		c.instead = &errorPage{
			Status: http.StatusNotFound, Text: fmt.Sprintf("No item named “%s”. Similar items:", name),
			Candidates: similar[:min(maxSimilar, len(similar))],
		}
	default:
		return graph.ErrNotFound
	}
	return nil
}
