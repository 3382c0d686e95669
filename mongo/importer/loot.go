package importer

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// lootReader reads responses that list all loot of some types. A recording shows one preview of each
// pool: that of the requested level, else the highest. Other stored previews stay.
type lootReader struct {
	types []string
	// brief responses contain names, types and rewards only; other fields keep their stored values.
	brief bool
}

func (r lootReader) read(list *[]*model.LootPoolContent, vars variables) (*Import, error) {
	for _, c := range *list {
		if c != nil && !slices.Contains(r.types, c.Type) {
			return nil, fmt.Errorf("%s has a type that this endpoint does not return", c.InternalName)
		}
	}
	level := requestedLevel(vars)
	return keyed(*list, func(c *model.LootPoolContent) any { return c.InternalName },
		func(ctx context.Context, store *mongo.Store, list []*model.LootPoolContent) error {
			return r.write(ctx, store, list, level)
		})
}

// requestedLevel returns the level that a recording was requested with; nil when there is none or it
// is not a number, which the endpoint ignores.
func requestedLevel(vars variables) *int {
	text, _ := vars["level"].(string)
	n, err := strconv.Atoi(text)
	if err != nil {
		return nil
	}
	return new(max(n, 0))
}

// write replaces the stored pools of the reader's types.
func (r lootReader) write(ctx context.Context, store *mongo.Store, list []*model.LootPoolContent, level *int) error {
	known, err := mongo.LootPools.Read(ctx, store)
	if err != nil {
		return err
	}
	byName := make(map[string]*model.LootPoolContent, len(known))
	all := slices.Clone(list)
	for _, c := range known {
		byName[c.InternalName] = c
		if !slices.Contains(r.types, c.Type) {
			all = append(all, c)
		}
	}
	for _, c := range list {
		var previews []*model.LootPreview
		if old := byName[c.InternalName]; old != nil {
			previews = old.Previews
			if r.brief {
				name, kind, rewards := c.Name, c.Type, c.Rewards
				*c = *old
				c.Name, c.Type, c.Rewards = name, kind, rewards
			}
		}
		c.Previews = addPreview(previews, level, c.Rewards)
	}
	return mongo.LootPools.Put(ctx, store, all)
}

// addPreview adds the rewards seen at a level to previews, unless they give those rewards at that
// level already. Without a level the first preview of all begins at level 0.
func addPreview(previews []*model.LootPreview, level *int, rewards []*model.Reward) []*model.LootPreview {
	seen := &model.LootPreview{Rewards: rewards}
	current := model.PreviewAt(previews, level)
	switch {
	case current != nil && reflect.DeepEqual(current.Rewards, rewards):
		return previews
	case level != nil:
		seen.Threshold = *level
	case current != nil:
		seen.Threshold = current.Threshold
	}
	out := slices.DeleteFunc(slices.Clone(previews),
		func(p *model.LootPreview) bool { return p.Threshold == seen.Threshold })
	out = append(out, seen)
	slices.SortFunc(out, func(a, b *model.LootPreview) int { return cmp.Compare(a.Threshold, b.Threshold) })
	return out
}
