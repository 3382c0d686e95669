package site

import (
	"fmt"
	"slices"
	"strings"

	"gamedata/internal/web"
)

// Title names the recipe, such as "Boots, level 10–13".
func (r RecipeName) Title() string { return fmt.Sprintf("%s, level %s", web.Label(r.Type), r.Level) }

// Path is the path of the recipe's page.
func (r RecipeName) Path() string { return web.Path("recipes", r.InternalName) }

func (r RecipeRow) materialText() string {
	var parts []string
	for _, m := range r.Materials {
		parts = append(parts, web.Number(m.Amount)+" × "+m.Name())
	}
	return strings.Join(parts, " and ")
}

// ItemsPath returns the path of the list of items of the recipe's kind; empty for food, potions and scrolls, which are
// not items.
func (r RecipeRow) ItemsPath() string {
	switch r.Type {
	case "FOOD", "POTION", "SCROLL":
		return ""
	}
	return "/items?subType=" + r.Type
}

// Name returns the name that players know.
func (m Material) Name() string {
	if m.Item != nil {
		return m.Item.DisplayName
	}
	return m.ItemName
}

// String formats the range for people.
func (r Range) String() string {
	if r.Minimum == r.Maximum {
		return web.Number(r.Minimum)
	}
	return web.Number(r.Minimum) + "–" + web.Number(r.Maximum)
}

// Thousandths formats the range of a value that is stored in thousandths.
func (r Range) Thousandths() string {
	return Range{r.Minimum / 1000, r.Maximum / 1000}.String()
}

// product is what recipes of one profession make: the first recipe, with the ranges of all.
type product struct {
	RecipeRow
	Path       string // of the list of its recipes, or of the only one
	Count      int
	Experience Range
}

// Products groups the recipes of a page.
func (b *RecipesPage) Products(c *renderContext) (out []product) {
	for _, r := range b.Recipes.Nodes {
		at := slices.IndexFunc(out, func(p product) bool { return p.Type == r.Type && p.Skill == r.Skill })
		if at < 0 {
			out = append(out, product{r, r.Path(), 1, Range{r.Xp, r.Xp}})
			continue
		}
		p := &out[at]
		p.Path, p.Count = c.Link("skill", r.Skill, "type", r.Type), p.Count+1
		p.Level.Minimum, p.Level.Maximum = min(p.Level.Minimum, r.Level.Minimum), max(p.Level.Maximum, r.Level.Maximum)
		p.Experience = Range{min(p.Experience.Minimum, r.Xp), max(p.Experience.Maximum, r.Xp)}
	}
	return out
}

func showRecipes(c *renderContext, data *RecipesPage) *errorPage {
	return c.show("Recipes", fmt.Sprintf("What the crafting professions can make, and of what: %s recipes.",
		web.Number(data.Recipes.TotalCount)), data)
}

func showRecipe(c *renderContext, data *RecipePage) *errorPage {
	r := data.Recipe
	c.setCanonical(r.Path())
	return c.show(r.Title(), fmt.Sprintf("%s needs %s for %s experience in %s.", r.Title(), r.materialText(),
		web.Number(r.Xp), strings.ToLower(web.Label(r.Skill))), data)
}
