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

// maxCompared is how many items or players are compared at once.
const maxCompared = 4

// Parameters of the comparison: the internal names of its items, and the name of one to add.
const (
	itemsParameter = "items"
	addParameter   = "add"
)

// comparison has some items beside each other.
type comparison struct {
	Items      []comparedItem
	Rows       []comparedRow
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

// comparedRow is a value of all that is compared.
type comparedRow struct {
	Name  string
	Cells []comparedCell
}

type comparedCell struct {
	Text string
	Best bool
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

// comparedNames are the different names in an address, which has one parameter for each or one with commas.
func comparedNames(values []string) []string {
	var names []string
	for _, value := range values {
		for name := range strings.SplitSeq(value, ",") {
			if name = strings.TrimSpace(name); name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// comparePath is the path of the comparison of some items.
func comparePath(names []string) string {
	return comparisonPath("/items/compare", itemsParameter, names)
}

// comparisonPath is the path of a page that compares what a parameter names.
func comparisonPath(path, parameter string, names []string) string {
	if len(names) == 0 {
		return path
	}
	escaped := make([]string, len(names))
	for i, name := range names {
		escaped[i] = strings.ReplaceAll(url.QueryEscape(name), "+", "%20") // HTML escapes a plus sign
	}
	return path + "?" + parameter + "=" + strings.Join(escaped, ",")
}

func showCompare(c *renderContext, data *ComparePage) *graph.Error {
	names := comparedNames(c.query[itemsParameter])
	c.setCanonical(comparePath(names))
	if len(names) == 0 {
		data.Items.Nodes = nil // the whole list
	}
	out := &comparison{CanAdd: len(names) < maxCompared}
	slices.SortFunc(data.Items.Nodes, func(a, b ComparedItem) int {
		return cmp.Compare(slices.Index(names, a.InternalName), slices.Index(names, b.InternalName))
	})
	for i, it := range data.Items.Nodes {
		others := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == it.InternalName })
		out.Items = append(out.Items, comparedItem{it, comparePath(others), "line-" + strconv.Itoa(i)})
	}
	if missing := len(names) - len(out.Items); missing > 0 {
		out.Message = fmt.Sprintf("%d of the items in the address of this page do not exist.", missing)
	}
	if added := c.Value(addParameter); added != "" {
		if c.location = out.add(names, added, data.Named.Nodes); c.location != "" {
			return nil
		}
	}
	out.compare()
	c.NoIndex = true
	c.setAPILinks("/v3/item/database")
	return c.show("Compare items", "Items beside each other: levels, damage and identifications.", out)
}

// add returns the path of the comparison with an item of a name. If there is no item of the name or several, it sets a
// message or candidates instead.
func (v *comparison) add(names []string, name string, found []ItemName) string {
	same := slices.DeleteFunc(slices.Clone(found), func(i ItemName) bool {
		return !strings.EqualFold(i.DisplayName, name) && !strings.EqualFold(i.InternalName, name)
	})
	switch {
	case len(names) >= maxCompared:
		v.Message = fmt.Sprintf("At most %d items can be compared.", maxCompared)
	case len(same) == 1 || len(found) == 1:
		return comparePath(append(slices.Clone(names), slices.Concat(same, found)[0].InternalName))
	case len(found) == 0:
		v.Message = "No item has this name."
	default:
		for _, i := range slices.Concat(same, found) {
			l := link{
				Path: comparePath(append(slices.Clone(names), i.InternalName)), Text: i.DisplayName, Note: i.Kind(),
			}
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
	if len(v.Items) == 0 {
		return
	}
	level := comparedRow{Name: "Level"} // none is best
	for _, it := range v.Items {
		level.Cells = append(level.Cells, comparedCell{Text: web.Number(it.Requirements.Level)})
	}
	v.Rows = append(v.Rows, level)
	number := func(name string, value func(ComparedItem) *int64) {
		row := make([]*Roll, len(v.Items))
		for i, it := range v.Items {
			if n := value(it.ComparedItem); n != nil {
				row[i] = &Roll{Raw: *n}
			}
		}
		v.row(name, row, false)
	}
	number("Damage per second", func(i ComparedItem) *int64 { return i.AverageDps })
	number("Powder slots", func(i ComparedItem) *int64 { return i.PowderSlots })
	for _, rolls := range []func(ComparedItem) []Roll{
		func(i ComparedItem) []Roll { return i.Base }, func(i ComparedItem) []Roll { return i.Identifications },
	} {
		var keys []string
		for _, it := range v.Items {
			for _, s := range rolls(it.ComparedItem) {
				if !slices.Contains(keys, s.Key) {
					keys = append(keys, s.Key)
				}
			}
		}
		for _, key := range keys {
			row := make([]*Roll, len(v.Items))
			for i, it := range v.Items {
				for _, s := range rolls(it.ComparedItem) {
					if s.Key == key {
						row[i] = &s
					}
				}
			}
			less := strings.HasSuffix(key, "SpellCost") // a lower cost is better
			v.row(web.Label(key), row, less)
			v.addGroup(web.Label(key), row)
		}
	}
}

// row adds a row of values, nil where an item has none.
func (v *comparison) row(name string, values []*Roll, less bool) {
	if cells := bestCells(values, less); cells != nil {
		v.Rows = append(v.Rows, comparedRow{name, cells})
	}
}

// bestCells marks the best of some values: the highest, or the lowest if less is better. A value of nil is shown as a
// dash; of these alone there are no cells.
func bestCells(values []*Roll, less bool) []comparedCell {
	best, different := int64(0), false
	var first *int64
	for _, s := range values {
		if s == nil {
			continue
		}
		top := s.top()
		if first == nil {
			first, best = &top, top
		}
		different = different || top != *first
		if less && top < best || !less && top > best {
			best = top
		}
	}
	if first == nil {
		return nil
	}
	cells := make([]comparedCell, len(values))
	for i, s := range values {
		cells[i] = comparedCell{Text: "–"}
		if s != nil {
			cells[i] = comparedCell{s.Value(), different && s.top() == best}
		}
	}
	return cells
}

// addGroup adds an identification to the drawing.
func (v *comparison) addGroup(name string, values []*Roll) {
	low, high := 0.0, 0.0
	for _, s := range values {
		if s != nil {
			low, high = min(low, float64(s.top())), max(high, float64(s.top()))
		}
	}
	if low == high {
		return
	}
	at := func(n float64) float64 { return math.Round(1000*(n-low)/(high-low)) / 10 }
	out := barGroup{Name: name, Zero: at(0)}
	var text []string
	for i, s := range values {
		if s == nil {
			continue
		}
		out.Items = append(out.Items, comparedBar{v.Items[i].Line, i*barHeight + barHeight/2, at(0), at(float64(s.top()))})
		text = append(text, v.Items[i].DisplayName+" "+s.Value())
	}
	out.Text = name + ": " + strings.Join(text, ", ")
	v.Groups = append(v.Groups, out)
}
