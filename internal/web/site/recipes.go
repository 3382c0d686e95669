package site

import (
	"fmt"
	"strings"

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
	BasicDuration                        *valueRange
	XP                                   int64
}

// Title names the recipe, such as "Boots, level 10–13".
func (r recipe) Title() string { return fmt.Sprintf("%s, level %s", web.Label(r.Type), r.Level) }

// Path is the path of the recipe's page.
func (r recipe) Path() string { return web.Path("recipes", r.InternalName) }

// Facts are the properties of the product, in the order shown.
func (r recipe) Facts() []fact {
	out := []fact{{"Level", r.Level.String()}, {"Experience", web.Number(r.XP)}}
	if r.HealthOrDamage != nil {
		out = append(out, fact{"Health or damage", r.HealthOrDamage.String()})
	}
	if r.Durability != nil {
		out = append(out, fact{"Durability", r.Durability.Thousandths()})
	}
	if r.Duration != nil {
		out = append(out, fact{"Duration", r.Duration.String() + " s"})
	}
	if r.BasicDuration != nil {
		out = append(out, fact{"Duration without ingredients", r.BasicDuration.String() + " s"})
	}
	return out
}

// materialText lists the materials as text.
func (r recipe) materialText() string {
	var parts []string
	for _, m := range r.Materials {
		parts = append(parts, web.Number(m.Amount)+" × "+m.Name())
	}
	return strings.Join(parts, " and ")
}

// ItemsPath is the path of the list of items of the recipe's kind; empty for food, potions and scrolls, which are no
// items.
func (r recipe) ItemsPath() string {
	switch r.Type {
	case "FOOD", "POTION", "SCROLL":
		return ""
	}
	return "/items?subType=" + r.Type
}

type material struct {
	ItemName string
	Amount   int64
	Item     *itemSummary
}

// Name is the name that people know.
func (m material) Name() string {
	if m.Item != nil {
		return m.Item.DisplayName
	}
	return m.ItemName
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

func showRecipe(c *renderContext) *graph.Error {
	var data struct{ Recipe *recipe }
	if bad := c.read(&data); bad != nil {
		return bad
	}
	r := data.Recipe
	if r == nil {
		return graph.ErrNotFound
	}
	c.setCanonical(r.Path())
	return c.show(r.Title(), fmt.Sprintf("%s needs %s for %s experience in %s.", r.Title(), r.materialText(),
		web.Number(r.XP), strings.ToLower(web.Label(r.Skill))), r)
}
