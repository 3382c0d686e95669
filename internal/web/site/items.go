package site

import (
	"fmt"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/internal/web"
)

type itemsBody struct {
	*ItemsPage
	// Columns are the identifications that were chosen, Sorts the orders on offer.
	Columns []column
	Sorts   []option
	// Identifications are the keys on offer: a field for each that is chosen, and one more.
	Identifications [][]option
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

func showItems(c *renderContext, data *ItemsPage) *graph.Error {
	body := &itemsBody{ItemsPage: data}
	for _, key := range c.query[identificationParameter] {
		column := c.Column(web.Label(key), "sort", "IDENTIFICATION", "by", key)
		column.Key = key
		body.Columns = append(body.Columns, column)
	}
	for _, o := range itemSorts {
		o.Selected = o.Value == c.Value("sort")
		body.Sorts = append(body.Sorts, o)
	}
	if data.ItemMetadata != nil {
		for _, chosen := range append(slices.Clone(c.query[identificationParameter]), "") {
			var options []option
			for _, key := range data.ItemMetadata.Filters.Identifications {
				options = append(options, option{key, web.Label(key), strings.EqualFold(key, chosen)})
			}
			body.Identifications = append(body.Identifications, options)
		}
	}
	return c.show("Items", fmt.Sprintf("Find items by name, type, tier, level, class and identifications: %s of them.",
		web.Number(data.Items.TotalCount)), body)
}

// Cell is the value of an identification of an item, a dash without it.
func (*itemsBody) Cell(of []Roll, key string) string {
	for _, r := range of {
		if strings.EqualFold(r.Key, key) {
			return r.Value()
		}
	}
	return "–"
}
