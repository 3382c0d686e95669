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
	recipes, err := publicError(loaders.From(ctx).Recipes.Load(ctx))
	if err != nil {
		return nil, err
	}
	return named(ctx, "recipe", recipes.All, *by.InternalName, recipeName)
}

func (*root) recipe(ctx context.Context, internalName string) (*model.Recipe, error) {
	return fromContent(ctx, loaders.From(ctx).Recipes, func(all *loaders.Recipes) *model.Recipe {
		return all.ByName[internalName]
	})
}

func (q queryResolver) Recipes(
	ctx context.Context, page model.PageArgs, filter *model.RecipeFilter, order *model.RecipeOrder,
) (*model.RecipeConnection, error) {
	recipes, err := publicError(loaders.From(ctx).Recipes.Load(ctx))
	if err != nil {
		return nil, err
	}
	found := recipes.All
	if filter != nil {
		filters := []*model.RecipeFilter{filter}
		if filter.Search != nil {
			f, err := searchedRecipes(*filter.Search)
			if err != nil {
				return nil, err
			}
			filters = append(filters, f)
		}
		for _, f := range filters {
			c, err := recipeConditions(ctx, f)
			if err != nil {
				return nil, err
			}
			found = only(found, c.met)
		}
	}
	graph.NoteMissing(ctx, filter != nil && len(found) < len(filter.InternalNames))
	if order != nil {
		found = sorted(found, recipeOrders[order.Field], order.Direction)
	}
	return connect(found, page, q.PageSize, recipeName)
}

func recipeName(r *model.Recipe) string { return r.InternalName }

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

// searchedRecipes validates a search request and returns the filter with the same meaning.
func searchedRecipes(r model.RecipeSearchRequest) (*model.RecipeFilter, error) {
	f, xp := &model.RecipeFilter{}, &model.IntRange{}
	types := each(model.Enums["RecipeType"].Values, mongo.Fold)
	var err error
	if f.Query, err = stringValues("query", r.Query); err != nil {
		return nil, err
	}
	if f.Types, err = listedValues("type", notUsed, r.Type, mongo.Fold, types); err != nil {
		return nil, err
	}
	if f.Skills, err = listedValues("skill", notUsed, r.Skill, mongo.Fold, mongo.Crafting); err != nil {
		return nil, err
	}
	if f.Materials, err = stringValues("materials", r.Materials); err != nil {
		return nil, err
	}
	for _, n := range []struct {
		name  string
		given []int
		to    **model.IntRange
	}{
		{"level", r.Level, &f.Level},
		{"durability", r.Durability, &f.Durability},
		{"healthOrDamage", r.HealthOrDamage, &f.HealthOrDamage},
		{"duration", r.Duration, &f.Duration},
		{"basicDuration", r.BasicDuration, &f.BasicDuration},
		{"xp", r.Xp, &xp},
	} {
		if *n.to, err = numberRange(n.name, n.given); err != nil {
			return nil, err
		}
	}
	f.Xp = widened(xp)
	return f, nil
}

// recipeConditions returns the conditions of a filter, except for its search.
func recipeConditions(ctx context.Context, f *model.RecipeFilter) (c conditions[*model.Recipe], err error) {
	materials, err := materialNames(ctx, nameTexts(f.Materials))
	if err != nil {
		return nil, err
	}
	query := nameTexts(f.Query)
	c.add(len(f.Query) > 0, func(r *model.Recipe) bool { return containsAny(query, mongo.Fold(r.InternalName)) })
	c.add(len(f.InternalNames) > 0, func(r *model.Recipe) bool {
		return slices.Contains(f.InternalNames, r.InternalName)
	})
	c.addTexts(foldEach(f.Types), mongo.Fold, func(r *model.Recipe) []string { return []string{r.Type} })
	c.addTexts(foldEach(f.Skills), mongo.Fold, func(r *model.Recipe) []string { return []string{r.Skill} })
	c.add(len(f.Materials) > 0, func(r *model.Recipe) bool {
		return slices.ContainsFunc(r.Materials, func(m *model.RecipeMaterial) bool {
			return slices.Contains(materials, mongo.Fold(m.ItemName))
		})
	})
	c.add(true, func(r *model.Recipe) bool {
		return overlaps(f.Level, r.Level) && overlaps(f.Durability, r.Durability) &&
			overlaps(f.HealthOrDamage, r.HealthOrDamage) && overlaps(f.Duration, r.Duration) &&
			overlaps(f.BasicDuration, r.BasicDuration) && inRange64(f.Xp, r.Xp)
	})
	return c, nil
}

// materialNames adds to folded names the internal names of the materials that have one of them as display name.
func materialNames(ctx context.Context, names []string) ([]string, error) {
	if len(names) == 0 {
		return nil, nil
	}
	items, err := publicError(loaders.From(ctx).Items.Load(ctx))
	if err != nil {
		return nil, err
	}
	all := slices.Clone(names)
	for n, i := range items.All {
		if i.Type == "material" && slices.Contains(names, items.Names[n][0]) {
			all = append(all, items.Names[n][1])
		}
	}
	return all, nil
}

// overlaps reports whether a stored range and the requested one share a number, or whether none is requested. A missing
// range shares none. The ends of a stored range may be swapped.
func overlaps(asked *model.IntRange, r *model.ValueRange) bool {
	return asked == nil || r != nil && (asked.Min == nil || int64(*asked.Min) <= max(r.Minimum, r.Maximum)) &&
		(asked.Max == nil || min(r.Minimum, r.Maximum) <= int64(*asked.Max))
}
