package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// seenLoot is a pool in a recording, with one preview: for the requested level, or else the highest.
type seenLoot struct {
	model.LootPool
	Rewards []*model.Reward `json:"rewards"`
	// brief says that the record contains name, type and rewards only.
	brief bool
}

// UnmarshalJSON reads the data of a pool.
func (l *seenLoot) UnmarshalJSON(data []byte) error {
	type plain seenLoot
	var members map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(data, (*plain)(l)), json.Unmarshal(data, &members)); err != nil {
		return err
	}
	_, whole := members["lore"]
	l.brief = !whole
	return nil
}

// readLootPools reads responses that list all camps, all raids, or the names and rewards of both. Stored previews for
// other levels stay, and so do the fields that a brief record lacks.
func readLootPools(page *nodes[seenLoot], vars variables) (*Import, error) {
	types := map[string]bool{}
	for _, c := range page.Nodes {
		if c == nil {
			continue
		}
		if c.Type != "CAMP" && c.Type != "RAID" {
			return nil, fmt.Errorf("%q has a type that no endpoint returns", c.InternalName)
		}
		types[c.Type] = true
		if c.brief { // from the endpoint that returns both
			types["CAMP"], types["RAID"] = true, true
		} else if len(types) > 1 {
			return nil, fmt.Errorf("%q has another type than the pools before it", c.InternalName)
		}
	}
	level := requestedLevel(vars)
	return keyed(page.Nodes, func(c *seenLoot) any { return c.InternalName },
		func(ctx context.Context, store *mongo.Store, list []*seenLoot) error {
			return writeLootPools(ctx, store, list, types, level)
		})
}

// requestedLevel returns the level in the recorded request; nil if it is missing or not a number, which the endpoint
// ignores.
func requestedLevel(vars variables) *int {
	text, _ := vars["level"].(string)
	n, err := strconv.Atoi(text)
	if err != nil {
		return nil
	}
	return new(max(n, 0))
}

// writeLootPools replaces the stored pools of the types.
func writeLootPools(
	ctx context.Context, store *mongo.Store, list []*seenLoot, types map[string]bool, level *int,
) error {
	known, err := mongo.LootPools.Read(ctx, store)
	if err != nil {
		return err
	}
	byName := make(map[string]*model.LootPool, len(known))
	for _, c := range known {
		byName[c.InternalName] = c
	}
	var all []*model.LootPool
	for _, seen := range list {
		c := seen.LootPool
		if old := byName[c.InternalName]; old != nil {
			c.Previews = old.Previews
			if seen.brief {
				name, kind := c.Name, c.Type
				c = *old
				c.Name, c.Type = name, kind
			}
		}
		c.Previews = addPreview(c.Previews, level, seen.Rewards)
		all = append(all, &c)
	}
	for _, c := range known {
		if !types[c.Type] {
			all = append(all, c)
		}
	}
	return mongo.LootPools.Put(ctx, store, all)
}

// addPreview adds the rewards seen at a level, unless previews already give them at that level. Without a level, a
// first preview begins at level 0.
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
