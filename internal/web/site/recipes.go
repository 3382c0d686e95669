package site

import (
	"fmt"

	"gamedata/graph"
	"gamedata/internal/web"
)

// recipeList is a page of the recipes.
type recipeList struct {
	Recipes struct {
		TotalCount int64
		PageInfo   pageInfo
		Nodes      []recipe
	}
	Sorts  []option `json:"-"`
	Active []link   `json:"-"`
	CSV    string   `json:"-"`
}

type recipe struct {
	InternalName, Type, Skill            string
	Level                                valueRange
	Materials                            []material
	HealthOrDamage, Durability, Duration *valueRange
	XP                                   int64
}

// ProductPath is the path of the list of items of the recipe's kind; food, potions and scrolls are no items.
func (r recipe) ProductPath() string {
	switch r.Type {
	case "FOOD", "POTION", "SCROLL":
		return "/recipes?type=" + r.Type
	}
	return "/items?subType=" + r.Type
}

type material struct {
	ItemName string
	Amount   int64
	Item     *itemSummary
}

type valueRange struct{ Minimum, Maximum int64 }

// String is the range as people write it.
func (r valueRange) String() string {
	if r.Minimum == r.Maximum {
		return web.Number(r.Minimum)
	}
	return web.Number(r.Minimum) + "–" + web.Number(r.Maximum)
}

// Thousandths is the range of a value that is stored in thousandths.
func (r valueRange) Thousandths() string {
	return valueRange{r.Minimum / 1000, r.Maximum / 1000}.String()
}

// maxRecipes is how many recipes a file has at most.
const maxRecipes = 10_000

func showRecipes(c *renderContext) *graph.Error {
	data := &recipeList{}
	if bad := c.read(data); bad != nil {
		return bad
	}
	data.Sorts = c.Options("sort")
	data.Active = c.activeFilters("sort", "direction")
	data.CSV = c.csvLink("recipes.nodes", map[string]any{firstVariable: maxRecipes, lastVariable: nil})
	return c.show("Recipes", fmt.Sprintf("What the crafting professions can make, and of what: %s recipes.",
		web.Number(data.Recipes.TotalCount)), data)
}
