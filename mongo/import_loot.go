package mongo

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"gamedata/graph/model"
)

// A recording of camps or raids shows one preview of each: that of the level it was asked
// with, without one the highest. The other previews that are known stay.

// lootTypes are the types of content that each root field answers, in its order.
var lootTypes = map[string][]string{"camps": {"CAMP"}, "raids": {"RAID"}, "lootPools": {"CAMP", "RAID"}}

// readLoot reads the answer of camps, raids or lootPools: others of its types that the store
// has are deleted. A brief answer tells rewards alone, so the rest stays as it is known.
func readLoot(rootField string, brief bool) func(json.RawMessage, map[string]any) (*Import, error) {
	types := lootTypes[rootField]
	return func(data json.RawMessage, vars map[string]any) (*Import, error) {
		list, err := decode[[]*model.LootPoolContent](data)
		if err != nil {
			return nil, err
		}
		for _, c := range *list {
			if c != nil && !slices.Contains(types, c.Type) {
				return nil, fmt.Errorf("%s has another type than the endpoint answers", c.InternalName)
			}
		}
		level := levelOf(vars)
		return simple(*list, func(c *model.LootPoolContent) string { return c.InternalName },
			func(s *Store, ctx context.Context, list []*model.LootPoolContent) error {
				return s.importLoot(ctx, list, types, level, brief)
			})
	}
}

// levelOf is the level a recording was asked with; nil for none, or one that is ignored.
func levelOf(vars map[string]any) *int {
	text, _ := vars["level"].(string)
	n, err := strconv.Atoi(text)
	if err != nil {
		return nil
	}
	n = max(n, 0)
	return &n
}

func (s *Store) importLoot(ctx context.Context, list []*model.LootPoolContent, types []string, level *int,
	brief bool,
) error {
	known, err := s.LootPools(ctx)
	if err != nil {
		return err
	}
	byName := make(map[string]*model.LootPoolContent, len(known))
	all := slices.Clone(list)
	for _, c := range known {
		byName[c.InternalName] = c
		if !slices.Contains(types, c.Type) {
			all = append(all, c)
		}
	}
	for _, c := range list {
		var previews []*model.LootPreview
		if old := byName[c.InternalName]; old != nil {
			previews = old.Previews
			if brief {
				name, kind, rewards := c.Name, c.Type, c.Rewards
				*c = *old
				c.Name, c.Type, c.Rewards = name, kind, rewards
			}
		}
		c.Previews = merged(previews, level, c.Rewards)
	}
	return s.PutLootPools(ctx, all)
}

// merged is the previews after one was seen at a level: unchanged when they give those
// rewards there already. The first preview of all counts from level 0 when none was given.
func merged(previews []*model.LootPreview, level *int, rewards []*model.Reward) []*model.LootPreview {
	seen := &model.LootPreview{Rewards: rewards}
	now := model.PreviewAt(previews, level)
	switch {
	case now != nil && reflect.DeepEqual(now.Rewards, rewards):
		return previews
	case level != nil:
		seen.Threshold = *level
	case now != nil:
		seen.Threshold = now.Threshold
	}
	out := slices.DeleteFunc(slices.Clone(previews),
		func(p *model.LootPreview) bool { return p.Threshold == seen.Threshold })
	out = append(out, seen)
	slices.SortFunc(out, func(a, b *model.LootPreview) int { return a.Threshold - b.Threshold })
	return out
}
