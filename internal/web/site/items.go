package site

import (
	"fmt"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/internal/web"
)

// itemList is a page of the item finder.
type itemList struct {
	Items struct {
		TotalCount int64
		PageInfo   pageInfo
		Nodes      []item
	}
	ItemMetadata *struct {
		Filters struct {
			Identifications []string
			LevelRange      struct{ Minimum, Maximum int64 }
		}
	}
	// Columns are the identifications that were chosen, Sorts the orders on offer.
	Columns []column `json:"-"`
	Sorts   []option `json:"-"`
	// Identifications are the keys on offer: a field for each that is chosen, and one more.
	Identifications [][]option `json:"-"`
	// Active are the filters in use; each links to the list without it.
	Active []link `json:"-"`
	CSV    string `json:"-"`
}

// identificationParameter names the identifications that items must have.
const identificationParameter = "identification"

// itemSorts are the orders on offer; identifications are sorted by their columns.
var itemSorts = []option{
	{Value: "RELEVANCE", Text: "Best match"},
	{Value: "NAME", Text: "Name"},
	{Value: "LEVEL", Text: "Level"},
	{Value: "DPS", Text: "Damage per second"},
	{Value: "TIER", Text: "Tier"},
	{Value: "UPDATED_AT", Text: "Last changed"},
}

func showItems(c *renderContext) *graph.Error {
	data := &itemList{}
	if bad := c.read(data); bad != nil {
		return bad
	}
	for _, key := range c.query[identificationParameter] {
		column := c.Column(web.Label(key), "sort", "IDENTIFICATION", "by", key)
		column.Key = key
		data.Columns = append(data.Columns, column)
	}
	for _, o := range itemSorts {
		o.Selected = o.Value == c.Value("sort")
		data.Sorts = append(data.Sorts, o)
	}
	if data.ItemMetadata != nil {
		for _, chosen := range append(slices.Clone(c.query[identificationParameter]), "") {
			var options []option
			for _, key := range data.ItemMetadata.Filters.Identifications {
				options = append(options, option{key, web.Label(key), strings.EqualFold(key, chosen)})
			}
			data.Identifications = append(data.Identifications, options)
		}
	}
	data.Active = c.activeFilters("sort", "by", "direction")
	data.CSV = c.csvLink("items.nodes", map[string]any{firstVariable: maxItems, lastVariable: nil})
	return c.show("Items", fmt.Sprintf("Find items by name, type, tier, level, class and identifications: %s of them.",
		web.Number(data.Items.TotalCount)), data)
}

// maxItems is how many items a file has at most.
const maxItems = 10_000

// Cell is the value of an identification of an item, a dash without it.
func (i item) Cell(key string) string {
	for _, s := range i.Identifications {
		if strings.EqualFold(s.Key, key) {
			return s.Value()
		}
	}
	return "–"
}
