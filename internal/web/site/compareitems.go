package site

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"gamedata/graph"
	"gamedata/internal/web"
)

func compareItems(_ time.Time, given url.Values) *graph.Error {
	return splitCompared(itemsParameter, given)
}

func showCompare(c *renderContext, data *ComparePage) *errorPage {
	names, items := comparedKeys(c.query[itemsParameter]), data.Items.Nodes
	if len(names) == 0 {
		items = nil // the whole list
	}
	out := newComparison(itemsParameter, names, items, func(i ComparedItem) comparedColumn {
		return comparedColumn{Key: i.InternalName, Name: i.DisplayName, Class: i.TierClass()}
	})
	c.setCanonical(comparisonPath(itemsParameter, names))
	out.missing(len(names))
	if added := c.Value(addParameter); added != "" {
		c.location = out.add(added, data.Named.Nodes)
	}
	if len(items) > 0 {
		addTexts(out, "Level", items, func(i ComparedItem) string { return web.Number(i.Requirements.Level) })
		out.addRow("Damage per second", false, numbers(items, func(i ComparedItem) *int64 { return i.AverageDps }))
		out.addRow("Powder slots", false, numbers(items, func(i ComparedItem) *int64 { return i.PowderSlots }))
		out.addRolls(items, func(i ComparedItem) []Roll { return i.Base })
		out.addRolls(items, func(i ComparedItem) []Roll { return i.Identifications })
	}
	c.NoIndex = true
	return c.show("Compare items", "Items beside each other: levels, damage and identifications.", out)
}

// add returns the path of the comparison extended by the item with a name. If no item or several items have the name,
// it adds a notice or candidates instead.
func (v *comparison) add(name string, found []ItemName) string {
	same := slices.DeleteFunc(slices.Clone(found), func(i ItemName) bool { return !i.isNamed(name) })
	with := func(i ItemName) string {
		return comparisonPath(v.Section, append(slices.Clone(v.keys), i.InternalName))
	}
	found = slices.Concat(same, found)
	switch {
	case !v.CanAdd():
		v.notice("At most %d items can be compared.", maxCompared)
	case len(found) == 0:
		v.notice("No item has this name.")
	case len(same) == 1 || len(found) == 1:
		return with(found[0])
	}
	for _, i := range found {
		l := link{Path: with(i), Text: i.DisplayName, Note: i.Kind()}
		if v.CanAdd() && !slices.Contains(v.Candidates, l) {
			v.Candidates = append(v.Candidates, l)
		}
	}
	return ""
}

// addRolls adds a row for each key of the items' rolls, in the order in which the items have them.
func (v *comparison) addRolls(items []ComparedItem, rolls func(ComparedItem) []Roll) {
	var keys []string
	byKey := map[string][]*Roll{}
	for i, it := range items {
		for _, r := range rolls(it) {
			if byKey[r.Key] == nil {
				keys = append(keys, r.Key)
				byKey[r.Key] = make([]*Roll, len(items))
			}
			byKey[r.Key][i] = &r
		}
	}
	for _, key := range keys {
		v.addRow(web.Label(key), strings.HasSuffix(key, costSuffix), byKey[key]) // a lower cost is better
	}
}
