package site

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"net/url"
	"strings"

	"gamedata/graph"
	"gamedata/internal/web"
)

// MapPath is the path of the map around the place.
func (p Place) MapPath() string { return p.mapPath("roads,regions") }

// EventPath returns the path of the map around the place of a world event.
func (p Place) EventPath() string { return p.mapPath("roads,regions,events") }

// String returns the coordinates, west to east and north to south.
func (p Place) String() string { return web.Number(int64(p.X)) + ", " + web.Number(int64(p.Z)) }

func (p Place) mapPath(layers string) string {
	return fmt.Sprintf("%s?x=%.0f&z=%.0f&zoom=-1&layers=%s", mapPath, p.X, p.Z, layers)
}

// MapPath is the path of the map around the place.
func (p SpotPlace) MapPath() string { return Place(p).MapPath() }

// ComparePath returns the path of the comparison of the first parts.
func (s Set) ComparePath() string {
	var names []string
	for _, p := range s.Parts {
		if p != nil && len(names) < maxCompared {
			names = append(names, p.InternalName)
		}
	}
	return comparisonPath(itemsParameter, names)
}

// top returns the highest roll, or the fixed value.
func (r Roll) top() int64 {
	if r.Min == nil || r.Max == nil {
		return r.Raw
	}
	return max(*r.Min, *r.Max)
}

// Value formats the value for people.
func (r Roll) Value() string {
	if r.Min == nil || r.Max == nil {
		return web.Number(r.Raw)
	}
	return web.Number(*r.Min) + " to " + web.Number(*r.Max)
}

// costSuffix is the suffix of identifications whose lower values are better.
const costSuffix = "SpellCost"

// rolled is a value with its extremes, and its range in per cent of the largest distance from zero.
type rolled struct {
	Roll
	Worst, Best  int64
	From, To, At float64
}

// Ranges returns the identifications, each with a drawing of its range from zero to the farthest roll.
func (p *ItemPage) Ranges() []rolled {
	out := make([]rolled, len(p.Item.Identifications))
	for i, r := range p.Item.Identifications {
		out[i] = rolled{Roll: r, From: 100, To: 100, At: 100}
		if r.Min != nil && r.Max != nil {
			most := max(math.Abs(float64(*r.Min)), math.Abs(float64(*r.Max)), math.Abs(float64(r.Raw)), 1)
			at := func(n int64) float64 { return math.Round(1000*math.Abs(float64(n))/most) / 10 }
			out[i].From, out[i].To, out[i].At = at(*r.Min), at(*r.Max), at(r.Raw)
			out[i].Worst, out[i].Best = min(*r.Min, *r.Max), max(*r.Min, *r.Max)
			if strings.HasSuffix(r.Key, costSuffix) {
				out[i].Worst, out[i].Best = out[i].Best, out[i].Worst
			}
		}
	}
	return out
}

// isNamed reports whether the item has a name, case ignored.
func (i ItemName) isNamed(name string) bool {
	return strings.EqualFold(i.DisplayName, name) || strings.EqualFold(i.InternalName, name)
}

// kind returns the subtype of the item, or else its type.
func (i ItemName) kind() string { return cmp.Or(i.SubType, &i.Type).Label }

// Kind returns tier and type of the item, such as unique bow.
func (i ItemName) Kind() string {
	if i.Tier == nil {
		return i.kind()
	}
	return strings.ReplaceAll(strings.ToLower(i.Tier.Label), "_", " ") + " " + i.kind()
}

// What describes the subtype of the item, or else its type, in words.
func (i ItemName) What() string { return web.Label(i.kind()) }

// Icon returns the name of the kind's icon.
func (i ItemName) Icon() string {
	return cmp.Or(icons().Items[i.kind()], icons().Items[i.Type.Label], "item")
}

// Picture draws the item's icon in the colour of its tier.
func (i ItemName) Picture() template.HTML {
	//nolint:gosec // the class is made of letters of an enum's label
	return template.HTML(`<span class="`+template.HTMLEscapeString(i.TierClass())+`">`) + web.Icon(i.Icon()) + "</span>"
}

// KindPath returns the path of the list of items of the same kind.
func (i ItemName) KindPath() string {
	parameter := "type"
	if i.SubType != nil {
		parameter = "subType"
	}
	return "/items?" + parameter + "=" + url.QueryEscape(strings.ToUpper(i.kind()))
}

// TierName returns the tier in words, empty without one.
func (t ItemTier) TierName() string { return web.Label(t.tier()) }

// tier returns the name of the tier, empty without one.
func (t ItemTier) tier() string {
	if t.Tier == nil {
		return ""
	}
	return t.Tier.Label
}

// TierClass returns the CSS class of the tier's colour; a material has none.
func (t ItemTier) TierClass() string {
	if t.Tier == nil {
		return "tier"
	}
	return "tier tier-" + strings.ReplaceAll(strings.ToLower(t.Tier.Label), "_", "-")
}

// maxSimilar is the maximum number of similar items listed.
const maxSimilar = 50

// showItem shows the item with an internal name. A display name redirects to its item; if several
// items have it, or none, the page lists candidates.
func showItem(c *renderContext, data *ItemPage) *errorPage {
	name := c.variable("name")
	if i := data.Item; i != nil {
		c.setCanonical(web.Path("items", i.InternalName))
		return c.show(i.DisplayName, fmt.Sprintf("%s: %s, level %d.", i.DisplayName, i.Kind(), i.Requirements.Level), data)
	}
	if len(c.errors) > 0 {
		return newErrorPage(graph.ErrorOf(c.errors[0]))
	}
	var same, similar []link
	for _, i := range data.Similar.Nodes {
		l := link{Path: web.Path("items", i.InternalName), Text: i.DisplayName, Note: i.Kind()}
		similar = append(similar, l)
		if i.isNamed(name) {
			same = append(same, l)
		}
	}
	switch {
	case len(same) == 1:
		c.location = same[0].Path
		return nil
	case len(same) > 1:
		return errorWith(graph.ErrMultiple(nil), "Which "+same[0].Text+"?", "Several items have this name.", same...)
	case len(similar) > 0:
		return errorWith(graph.ErrNotFound, "Item not found", fmt.Sprintf("No item named “%s”. Similar items:", name),
			similar[:min(maxSimilar, len(similar))]...)
	}
	return newErrorPage(graph.ErrNotFound)
}
