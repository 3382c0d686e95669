package resolvers

import (
	"cmp"
	"context"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
)

func (q queryResolver) AbilityTree(ctx context.Context, by model.ClassBy) (*model.AbilityTree, error) {
	return inContent(q.abilityTree(ctx, strings.ToLower(*by.Key)))
}

// inContent returns the result of a lookup by class, or an error if the content lacks the class.
func inContent[T any](found *T, err error) (*T, error) {
	if found == nil && err == nil {
		err = graph.Errorf(graph.NotFound, "The content lacks this class.")
	}
	return found, err
}

func (*root) abilityTree(ctx context.Context, class string) (*model.AbilityTree, error) {
	return fromContent(ctx, loaders.From(ctx).Trees, func(all *loaders.Trees) *model.AbilityTree {
		return all.ByClass[class]
	})
}

func (q queryResolver) AbilityMap(ctx context.Context, by model.ClassBy) ([]*model.AbilityMapPage, error) {
	t, err := q.AbilityTree(ctx, by)
	if err != nil {
		return nil, err
	}
	return mapFor(ctx, t.Key, nil)
}

func (q queryResolver) Aspects(ctx context.Context, page model.PageArgs, filter *model.AspectFilter) (
	*model.AspectConnection, error,
) {
	aspects, err := loaders.From(ctx).Aspects.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	list := aspects.All
	if f := filter; f != nil {
		list = only(list, func(a *model.Aspect) bool {
			return isValue("CharacterClass", f.Classes, &a.ClassKey) && isValue("Rarity", f.Rarities, &a.Rarity)
		})
	}
	return connect(list, page, q.PageSize, (*model.Aspect).ID)
}

func (q queryResolver) Aspect(ctx context.Context, by model.AspectBy) (*model.Aspect, error) {
	aspects, err := publicError(loaders.From(ctx).Aspects.Load(ctx))
	if err != nil {
		return nil, err
	}
	return named(ctx, "aspect", aspects.All, *by.InternalName, aspectName)
}

func aspectName(a *model.Aspect) string { return a.InternalName }

func (*root) aspect(ctx context.Context, name string) (*model.Aspect, error) {
	return fromContent(ctx, loaders.From(ctx).Aspects, func(all *loaders.Aspects) *model.Aspect {
		return firstNamed(all.All, name, aspectName)
	})
}

func (queryResolver) Classes(ctx context.Context) ([]*model.Class, error) {
	all, err := loaders.From(ctx).Classes.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrClassesNotLoaded)
	}
	return all.All, nil
}

func (q queryResolver) Class(ctx context.Context, by model.ClassBy) (*model.Class, error) {
	return inContent(q.class(ctx, *by.Key))
}

// class returns a class, nil if the content lacks it. The case of the key does not matter.
func (*root) class(ctx context.Context, key string) (*model.Class, error) {
	all, err := loaders.From(ctx).Classes.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrClassesNotLoaded)
	}
	return all.ByKey[strings.ToLower(key)], nil
}

func (classResolver) Aspects(ctx context.Context, c *model.Class) ([]*model.Aspect, error) {
	return fromContent(ctx, loaders.From(ctx).Aspects, func(all *loaders.Aspects) []*model.Aspect {
		return orEmpty(all.ByClass[c.Key])
	})
}

func (abilityTreeResolver) Map(ctx context.Context, t *model.AbilityTree) ([]*model.AbilityMapPage, error) {
	return mapFor(ctx, t.Key, nil)
}

func (abilityResolver) DescriptionHTML(_ context.Context, a *model.Ability) (string, error) {
	return lines(a.Description), nil
}

func (aspectTierResolver) DescriptionHTML(_ context.Context, t *model.AspectTier) (string, error) {
	return lines(t.Description), nil
}

func (*root) archetype(ctx context.Context, key string) (*model.Archetype, error) {
	parts, key, err := partsOf(ctx, key)
	return parts.Archetypes[key], err
}

func (*root) ability(ctx context.Context, key string) (*model.Ability, error) {
	parts, key, err := partsOf(ctx, key)
	return parts.Abilities[strings.ToLower(key)], err
}

// partsOf splits a global key into the parts of the tree it names, if there are any, and the key within the tree.
func partsOf(ctx context.Context, global string) (*model.AbilityIndex, string, error) {
	tree, key, _ := strings.Cut(global, ":")
	parts, err := fromContent(ctx, loaders.From(ctx).Trees, func(all *loaders.Trees) *model.AbilityIndex {
		return all.Parts[tree]
	})
	return cmp.Or(parts, &model.AbilityIndex{}), key, err
}

// lines joins lines of markup into one text that is safe to embed in a page.
func lines(list []model.Markup) string {
	return strings.Join(each(list, model.SafeHTML), "<br>")
}

// mapFor returns the map of a class: the stored one if there is one, else the derived one. With a character it returns
// the map of the unlocked abilities, which can be laid over the map of the class.
func mapFor(ctx context.Context, class string, of *model.Character) (pages []*model.AbilityMapPage, err error) {
	trees, err := loaders.From(ctx).Trees.Load(ctx)
	if err == nil {
		switch stored, tree := trees.Maps[class], trees.ByClass[class]; {
		case stored != nil && of == nil:
			return stored, nil
		case stored != nil && tree != nil:
			return selectUnlocked(stored, of.Unlocked), nil
		case of != nil:
			pages, err = mapOfUnlocked(tree, of.Unlocked)
		default:
			pages, err = mapOf(tree)
		}
	}
	if err != nil {
		return nil, storeError(err, graph.ErrTreeNotRendered)
	}
	return pages, nil
}
