package site

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gamedata/graph"
	"gamedata/internal/web"
)

type itemsBody struct {
	*ItemsPage
	// Columns are the chosen identifications, Sorts the available orders.
	Columns []column
	Sorts   []option
	// Conditions are the identifications that items must have, and an empty one for the next.
	Conditions []string
}

// identificationParameter names the identifications that items must have.
const identificationParameter = "identification"

// conditionPattern matches an identification, in words or by key, and a condition for its value: mana regen >= 5.
var conditionPattern = regexp.MustCompile(`^([\pL\d ]+?) *(?:(>=|≥|<=|≤|=) *([-−]?\d{1,15}))?$`)

// condition parses a text into a filter and the name of its identification in words.
func condition(text string) (filter map[string]any, name string, bad *graph.Error) {
	parts := conditionPattern.FindStringSubmatch(text)
	if parts == nil {
		return nil, "", graph.Errorf(graph.InvalidQueryParams,
			"Enter an identification, with a value if you like: mana regen ≥ 5, walk speed <= -3.")
	}
	filter, name = map[string]any{"key": strings.ReplaceAll(parts[1], " ", "")}, web.Label(parts[1])
	if parts[2] == "" {
		return filter, name, nil
	}
	value, _ := strconv.ParseInt(strings.Replace(parts[3], "−", "-", 1), 10, 64) // the pattern matches numbers only
	if parts[2] != "<=" && parts[2] != "≤" {
		filter["min"] = value
	}
	if parts[2] != ">=" && parts[2] != "≥" {
		filter["max"] = value
	}
	return filter, name, nil
}

// itemSorts are the available orders; columns sort by identifications.
var itemSorts = []option{
	{Value: "RELEVANCE", Text: "Best match"},
	{Value: "NAME", Text: "Name"},
	{Value: "LEVEL", Text: "Level"},
	{Value: "DPS", Text: "Damage per second"},
	{Value: "TIER", Text: "Tier"},
	{Value: "UPDATED_AT", Text: "Last changed"},
}

func showItems(c *renderContext, data *ItemsPage) *errorPage {
	body := &itemsBody{ItemsPage: data}
	body.Conditions = append(slices.Clone(c.query[identificationParameter]), "")
	for _, text := range c.query[identificationParameter] {
		filter, name, bad := condition(text)
		if bad != nil {
			return newErrorPage(bad)
		}
		key := fmt.Sprint(filter["key"])
		column := c.Column(name, "sort", "IDENTIFICATION", "by", key)
		column.Key = key
		body.Columns = append(body.Columns, column)
	}
	for _, o := range itemSorts {
		switch {
		case c.Value("query") == "" && o.Value == "RELEVANCE":
			continue // without a query it equals NAME
		case c.Value("query") == "" && o.Value == "NAME":
			o.Value = "RELEVANCE"
		}
		o.Selected = o.Value == c.Value("sort")
		body.Sorts = append(body.Sorts, o)
	}
	return c.show("Items", fmt.Sprintf("Find items by name, type, tier, level, class and identifications: %s of them.",
		web.Number(data.Items.TotalCount)), body)
}

// Cell returns the value of an item's identification, a dash without it.
func (*itemsBody) Cell(of []Roll, key string) string {
	for _, r := range of {
		if strings.EqualFold(r.Key, key) {
			return r.Value()
		}
	}
	return "–"
}
