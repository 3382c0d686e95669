package resolvers

import (
	"context"
	"slices"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
	"gamedata/mongo"
)

func (q queryResolver) RecipeDatabase(ctx context.Context, page int, fullResult bool) (*model.RecipePage, error) {
	recipes, err := loaders.From(ctx).Recipes(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	info, results, err := pageOf(recipes.All, page, q.pageSize, fullResult)
	if err != nil {
		return nil, err
	}
	return &model.RecipePage{Controller: info, Results: results}, nil
}

func (q queryResolver) RecipeSearch(ctx context.Context, filter model.RecipeSearchRequest, page int, fullResult bool) (
	*model.RecipePage, error,
) {
	recipes, err := loaders.From(ctx).Recipes(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	f, err := parseRecipeFilter(filter)
	if err != nil {
		return nil, err
	}
	if len(f.materials) > 0 {
		items, err := loaders.From(ctx).Items(ctx)
		if err != nil {
			return nil, storeError(err, graph.ErrInternal)
		}
		f.addInternalNames(items)
	}
	info, results, err := pageOfMatches(only(recipes.All, f.matches), page, q.pageSize, fullResult)
	if err != nil {
		return nil, err
	}
	return &model.RecipePage{Controller: info, Results: results}, nil
}

func (queryResolver) Recipes(ctx context.Context, internalNames []string) ([]*model.Recipe, error) {
	if err := checkNames(internalNames); err != nil {
		return nil, err
	}
	recipes, err := loaders.From(ctx).Recipes(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	return each(internalNames, func(name string) *model.Recipe { return recipes.ByName[name] }), nil
}

func (recipeMaterialResolver) Material(ctx context.Context, m *model.RecipeMaterial) (*model.Item, error) {
	found, err := itemsByKey(ctx, []string{m.Item})
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// recipeKinds are the values of the filter `type`; those of `skill` are the crafting professions.
var recipeKinds = []string{
	"boots", "bow", "bracelet", "chestplate", "dagger", "food", "helmet", "leggings",
	"necklace", "potion", "relik", "ring", "scroll", "spear", "wand",
}

// recipeFilter is a validated search request; empty fields do not filter.
type recipeFilter struct {
	query, types, skills, materials []string

	level, durability, healthOrDamage, duration, basicDuration, xp span
}

func parseRecipeFilter(r model.RecipeSearchRequest) (f recipeFilter, err error) {
	if f.query, err = stringValues("query", r.Query); err != nil {
		return f, err
	}
	if f.types, err = listedValues("type", notUsed, r.Type, mongo.Fold, recipeKinds); err != nil {
		return f, err
	}
	if f.skills, err = listedValues("skill", notUsed, r.Skill, mongo.Fold, mongo.Crafting); err != nil {
		return f, err
	}
	if f.materials, err = stringValues("materials", r.Materials); err != nil {
		return f, err
	}
	for _, n := range []struct {
		name  string
		given []*int
		to    *span
	}{
		{"level", r.Level, &f.level},
		{"durability", r.Durability, &f.durability},
		{"healthOrDamage", r.HealthOrDamage, &f.healthOrDamage},
		{"duration", r.Duration, &f.duration},
		{"basicDuration", r.BasicDuration, &f.basicDuration},
		{"xp", r.Xp, &f.xp},
	} {
		if *n.to, err = numberRange(n.name, n.given); err != nil {
			return f, err
		}
	}
	return f, nil
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
	return (len(f.query) == 0 || containsAny(f.query, mongo.Fold(r.InternalName))) &&
		isAny(f.types, &r.Type) && isAny(f.skills, &r.Skill) &&
		(len(f.materials) == 0 || slices.ContainsFunc(r.Materials,
			func(m *model.RecipeMaterial) bool { return isAny(f.materials, &m.Item) })) &&
		f.level.overlaps(r.Level) && f.durability.overlaps(r.Durability) && f.healthOrDamage.overlaps(r.HealthOrDamage) &&
		f.duration.overlaps(r.Duration) && f.basicDuration.overlaps(r.BasicDuration) && f.xp.holds(r.Xp)
}

// overlaps reports whether a stored range and the requested one share a number. A missing range shares
// none; minimum and maximum may be swapped.
func (s span) overlaps(r *model.ValueRange) bool {
	if !s.set {
		return true
	}
	return r != nil && s.lo <= max(r.Minimum, r.Maximum) && min(r.Minimum, r.Maximum) <= s.hi
}
