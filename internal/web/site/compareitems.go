package site

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"gamedata/graph"
	"gamedata/internal/web"
)

// Parameters of the comparison: the internal names of its items, and the name of one to add.
const (
	itemsParameter = "items"
	addParameter   = "add"
)

type comparison struct {
	Items      []comparedItem
	Rows       comparedRows
	Groups     []barGroup
	Height     int  // of the drawing of a group
	CanAdd     bool // for one more item
	Message    string
	Candidates []link
}

type comparedItem struct {
	ComparedItem
	Without string // path of the comparison without it
	Line    string // CSS class of its colour
}

// barGroup is an identification of all items, each a bar on one scale, in per cent of the width.
type barGroup struct {
	Name, Text string
	Zero       float64
	Items      []comparedBar
}

type comparedBar struct {
	Line     string
	Y        int
	From, To float64
}

// compareItems splits a list of items in one parameter, and reports too many.
func compareItems(_ time.Time, given url.Values) *graph.Error {
	names := comparedNames(given[itemsParameter])
	if len(names) > maxCompared {
		return graph.Errorf(graph.InvalidQueryParams, "Compare at most %d items.", maxCompared)
	}
	if given.Del(itemsParameter); len(names) > 0 {
		given[itemsParameter] = names
	}
	return nil
}

func comparePath(names ...string) string {
	return comparisonPath("/items/compare", itemsParameter, names)
}

func showCompare(c *renderContext, data *ComparePage) *graph.Error {
	names := comparedNames(c.query[itemsParameter])
	c.setCanonical(comparePath(names...))
	if len(names) == 0 {
		data.Items.Nodes = nil // the whole list
	}
	out := &comparison{CanAdd: len(names) < maxCompared}
	slices.SortFunc(data.Items.Nodes, func(a, b ComparedItem) int {
		return cmp.Compare(slices.Index(names, a.InternalName), slices.Index(names, b.InternalName))
	})
	for i, it := range data.Items.Nodes {
		others := without(names, func(name string) bool { return name == it.InternalName })
		out.Items = append(out.Items, comparedItem{it, comparePath(others...), "line-" + strconv.Itoa(i)})
	}
	if missing := len(names) - len(out.Items); missing > 0 {
		out.Message = fmt.Sprintf("%d of the items in the address of this page do not exist.", missing)
	}
	if added := c.Value(addParameter); added != "" {
		c.location = out.add(names, added, data.Named.Nodes)
		if c.location != "" {
			return nil
		}
	}
	if len(out.Items) > 0 {
		out.compare()
	}
	c.NoIndex = true
	c.setAPILinks("/v3/item/database")
	return c.show("Compare items", "Items beside each other: levels, damage and identifications.", out)
}

// add returns the path of the comparison with an item of a name. If there is no item of the name or several, it sets a
// message or candidates instead.
func (v *comparison) add(names []string, name string, found []ItemName) string {
	same := slices.DeleteFunc(slices.Clone(found), func(i ItemName) bool { return !i.isNamed(name) })
	with := func(i ItemName) string { return comparePath(append(slices.Clone(names), i.InternalName)...) }
	found = slices.Concat(same, found)
	switch {
	case len(names) >= maxCompared:
		v.Message = fmt.Sprintf("At most %d items can be compared.", maxCompared)
	case len(found) == 0:
		v.Message = "No item has this name."
	case len(same) == 1 || len(found) == 1:
		return with(found[0])
	default:
		for _, i := range found {
			l := link{Path: with(i), Text: i.DisplayName, Note: i.Kind()}
			if !slices.Contains(v.Candidates, l) {
				v.Candidates = append(v.Candidates, l)
			}
		}
	}
	return ""
}

// barHeight is the height of a bar with the space around it.
const barHeight = 10

// compare sets the rows and the drawing: level, damage and slots, then base values and identifications in the order of
// the items that have them.
func (v *comparison) compare() {
	v.Height = barHeight * len(v.Items)
	var levels []string
	for _, it := range v.Items {
		levels = append(levels, web.Number(it.Requirements.Level))
	}
	v.Rows.addTexts("Level", levels...)
	v.Rows.add("Damage per second", valuesOf(v.Items, func(i comparedItem) *int64 { return i.AverageDps }), false)
	v.Rows.add("Powder slots", valuesOf(v.Items, func(i comparedItem) *int64 { return i.PowderSlots }), false)
	v.addRolls(func(i comparedItem) []Roll { return i.Base })
	v.addRolls(func(i comparedItem) []Roll { return i.Identifications })
}

// addRolls adds a row and a drawing for each key of some values of the items.
func (v *comparison) addRolls(rolls func(comparedItem) []Roll) {
	var keys []string
	byKey := map[string][]*Roll{}
	for i, it := range v.Items {
		for _, r := range rolls(it) {
			if byKey[r.Key] == nil {
				keys = append(keys, r.Key)
				byKey[r.Key] = make([]*Roll, len(v.Items))
			}
			byKey[r.Key][i] = &r
		}
	}
	for _, key := range keys {
		v.Rows.add(web.Label(key), byKey[key], strings.HasSuffix(key, "SpellCost")) // a lower cost is better
		v.addGroup(web.Label(key), byKey[key])
	}
}

func (v *comparison) addGroup(name string, values []*Roll) {
	low, high := 0.0, 0.0
	for _, r := range values {
		if r != nil {
			low, high = min(low, float64(r.top())), max(high, float64(r.top()))
		}
	}
	if low == high {
		return
	}
	at := func(n float64) float64 { return math.Round(1000*(n-low)/(high-low)) / 10 }
	out := barGroup{Name: name, Zero: at(0)}
	var text []string
	for i, r := range values {
		if r == nil {
			continue
		}
		out.Items = append(out.Items, comparedBar{v.Items[i].Line, i*barHeight + barHeight/2, at(0), at(float64(r.top()))})
		text = append(text, v.Items[i].DisplayName+" "+r.Value())
	}
	out.Text = name + ": " + strings.Join(text, ", ")
	v.Groups = append(v.Groups, out)
}
