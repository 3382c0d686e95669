package resolvers

import (
	"context"
	"slices"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
	"gamedata/mongo"
)

func (queryResolver) Recipe(ctx context.Context, by model.RecipeBy) (*model.Recipe, error) {
	recipes, err := stored(loaders.From(ctx).Recipes.Load(ctx))
	if err != nil {
		return nil, err
	}
	return named(ctx, "recipe", recipes.All, *by.InternalName, func(r *model.Recipe) string { return r.InternalName })
}

func (*root) recipe(ctx context.Context, internalName string) (*model.Recipe, error) {
	return fromContent(ctx, loaders.From(ctx).Recipes, func(all *loaders.Recipes) *model.Recipe {
		return all.ByName[internalName]
	})
}

func (q queryResolver) Recipes(
	ctx context.Context, page model.PageArgs, filter *model.RecipeFilter, order *model.RecipeOrder,
) (*model.RecipeConnection, error) {
	recipes, err := stored(loaders.From(ctx).Recipes.Load(ctx))
	if err != nil {
		return nil, err
	}
	found := recipes.All
	if filter != nil {
		filters := []*recipeFilter{typedRecipeFilter(filter)}
		if filter.Search != nil {
			f, err := parseRecipeFilter(*filter.Search)
			if err != nil {
				return nil, err
			}
			filters = append(filters, f)
		}
		if err := addMaterials(ctx, filters); err != nil {
			return nil, err
		}
		found = only(found, func(r *model.Recipe) bool {
			return (len(filter.InternalNames) == 0 || slices.Contains(filter.InternalNames, r.InternalName)) &&
				!slices.ContainsFunc(filters, func(f *recipeFilter) bool { return !f.matches(r) })
		})
	}
	graph.NoteMissing(ctx, filter != nil && len(found) < len(filter.InternalNames))
	return connect(orderRecipes(found, order), page, q.pageSize, func(r *model.Recipe) string { return r.InternalName })
}

// orderRecipes reorders recipes sorted by name.
func orderRecipes(list []*model.Recipe, order *model.RecipeOrder) []*model.Recipe {
	if order == nil {
		return list
	}
	return sorted(list, recipeOrders[order.Field], order.Direction)
}

var recipeOrders = map[model.RecipeOrderField]value[*model.Recipe]{
	model.RecipeOrderFieldLevel: func(r *model.Recipe) any { return lowest(r.Level) },
	model.RecipeOrderFieldXp:    func(r *model.Recipe) any { return r.Xp },
	model.RecipeOrderFieldName:  func(r *model.Recipe) any { return r.InternalName },
}

// lowest returns the lower end of a stored range, whose ends may be swapped.
func lowest(r *model.ValueRange) int64 {
	if r == nil {
		return 0
	}
	return min(r.Minimum, r.Maximum)
}

// recipeKinds are the values of the filter `type`; the values of `skill` are the crafting professions.
var recipeKinds = []string{
	"boots", "bow", "bracelet", "chestplate", "dagger", "food", "helmet", "leggings",
	"necklace", "potion", "relik", "ring", "scroll", "spear", "wand",
}

// recipeFilter is a validated filter; nil lists do not filter.
type recipeFilter struct {
	query, types, skills, materials []string

	level, durability, healthOrDamage, duration, basicDuration, xp *model.Int64Range
}

// typedRecipeFilter converts a typed input, except for its internalNames and search.
func typedRecipeFilter(r *model.RecipeFilter) *recipeFilter {
	f := &recipeFilter{
		types: foldEach(r.Types), skills: foldEach(r.Skills), level: widened(r.Level),
		durability: widened(r.Durability), healthOrDamage: widened(r.HealthOrDamage), duration: widened(r.Duration),
		basicDuration: widened(r.BasicDuration), xp: r.Xp,
	}
	if len(r.Query) > 0 {
		f.query = nameTexts(r.Query)
	}
	if len(r.Materials) > 0 {
		f.materials = nameTexts(r.Materials)
	}
	return f
}

func parseRecipeFilter(r model.RecipeSearchRequest) (_ *recipeFilter, err error) {
	f := &recipeFilter{}
	if f.query, err = stringValues("query", r.Query); err != nil {
		return nil, err
	}
	if f.types, err = listedValues("type", notUsed, r.Type, mongo.Fold, recipeKinds); err != nil {
		return nil, err
	}
	if f.skills, err = listedValues("skill", notUsed, r.Skill, mongo.Fold, mongo.Crafting); err != nil {
		return nil, err
	}
	if f.materials, err = stringValues("materials", r.Materials); err != nil {
		return nil, err
	}
	for _, n := range []struct {
		name  string
		given []int
		to    **model.Int64Range
	}{
		{"level", r.Level, &f.level},
		{"durability", r.Durability, &f.durability},
		{"healthOrDamage", r.HealthOrDamage, &f.healthOrDamage},
		{"duration", r.Duration, &f.duration},
		{"basicDuration", r.BasicDuration, &f.basicDuration},
		{"xp", r.Xp, &f.xp},
	} {
		if *n.to, err = numberRange(n.name, n.given); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// addMaterials lets filters find materials by display name too.
func addMaterials(ctx context.Context, filters []*recipeFilter) error {
	for _, f := range filters {
		if len(f.materials) == 0 {
			continue
		}
		items, err := stored(loaders.From(ctx).Items.Load(ctx))
		if err != nil {
			return err
		}
		f.addInternalNames(items)
	}
	return nil
}

// addInternalNames adds the internal names of materials that the filter names by display name.
func (f *recipeFilter) addInternalNames(items *loaders.Items) {
	names := f.materials
	for n, i := range items.All {
		if i.Type == "material" && slices.Contains(names, items.Names[n][0]) {
			f.materials = append(f.materials, items.Names[n][1])
		}
	}
}

func (f *recipeFilter) matches(r *model.Recipe) bool {
	return (f.query == nil || containsAny(f.query, mongo.Fold(r.InternalName))) &&
		(f.types == nil || slices.Contains(f.types, mongo.Fold(r.Type))) &&
		(f.skills == nil || slices.Contains(f.skills, mongo.Fold(r.Skill))) &&
		(f.materials == nil || slices.ContainsFunc(r.Materials,
			func(m *model.RecipeMaterial) bool { return slices.Contains(f.materials, mongo.Fold(m.ItemName)) })) &&
		overlaps(f.level, r.Level) && overlaps(f.durability, r.Durability) &&
		overlaps(f.healthOrDamage, r.HealthOrDamage) && overlaps(f.duration, r.Duration) &&
		overlaps(f.basicDuration, r.BasicDuration) && inRange64(f.xp, r.Xp)
}

// overlaps reports whether a stored range and the requested one share a number, or whether none is requested. A missing
// range shares none. The ends of a stored range may be swapped.
func overlaps(asked *model.Int64Range, r *model.ValueRange) bool {
	return asked == nil || r != nil && (asked.Min == nil || *asked.Min <= max(r.Minimum, r.Maximum)) &&
		(asked.Max == nil || min(r.Minimum, r.Maximum) <= *asked.Max)
}
