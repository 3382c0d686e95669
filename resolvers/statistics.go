package resolvers

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"gamedata/graph/model"
	"gamedata/loaders"
)

// Statistics returns the last census. Records held in memory are counted on request.
func (queryResolver) Statistics(ctx context.Context) (*model.Statistics, error) {
	census, err := publicError(loaders.From(ctx).Store().Census.Read(ctx))
	if err != nil {
		return nil, err
	}
	out := &model.Statistics{
		Players: census.Players, Characters: census.Characters, Guilds: census.Guilds,
		Classes: classCounts(census), Gamemodes: gamemodeCounts(census),
		CharacterLevels: model.Histogram(census.CharacterLevels), GuildLevels: model.Histogram(census.GuildLevels),
		GuildSizes: model.Histogram(census.GuildSizes),
	}
	if !census.At.IsZero() {
		out.RefreshedAt = &census.At
	}
	return out, nil
}

func classCounts(c *model.Census) []*model.ClassCount {
	out := make([]*model.ClassCount, len(model.ClassIDs))
	for i, id := range model.ClassIDs {
		class := strings.ToUpper(id)
		n := c.Classes[class]
		out[i] = &model.ClassCount{ClassKey: class, Characters: n, Share: share(n, c.Characters)}
	}
	return out
}

func gamemodeCounts(c *model.Census) []*model.GamemodeCount {
	out := []*model.GamemodeCount{{Characters: c.Plain, Share: share(c.Plain, c.Characters)}}
	for _, mode := range gamemodes {
		n := c.Gamemodes[mode]
		out = append(out, &model.GamemodeCount{Gamemode: &mode, Characters: n, Share: share(n, c.Characters)})
	}
	return out
}

var gamemodes = []string{"hardcore", "ironman", "ultimate_ironman", "craftsman", "hunted"}

func share(part, whole int) float64 { return float64(part) / float64(max(whole, 1)) }

// Online counts all players on the online list, including hidden ones: it shows numbers per world, not players.
func (statisticsResolver) Online(ctx context.Context, _ *model.Statistics) (*model.OnlineStatistics, error) {
	list, err := publicError(loaders.From(ctx).OnlinePlayers(ctx))
	if err != nil {
		return nil, err
	}
	out := &model.OnlineStatistics{Players: len(list.All), Worlds: make([]*model.WorldCount, 0, len(list.Worlds))}
	for world, players := range list.Worlds {
		out.Worlds = append(out.Worlds, &model.WorldCount{World: world, Players: players})
	}
	slices.SortFunc(out.Worlds, func(a, b *model.WorldCount) int {
		return cmp.Or(cmp.Compare(b.Players, a.Players), strings.Compare(a.World, b.World))
	})
	return out, nil
}

func (r statisticsResolver) Territories(ctx context.Context, _ *model.Statistics) (*model.TerritoryStatistics, error) {
	all, err := territories(ctx)
	out := &model.TerritoryStatistics{
		RefreshedAt: r.GameTime(all.At), ResourcesRefreshedAt: r.GameTime(all.ResourcesAt),
		Total: len(all.All), Unclaimed: len(all.All), Resources: resourceTotals(all.All),
	}
	for _, held := range all.ByGuild {
		out.Unclaimed -= len(held)
	}
	return out, err
}

func (territoryStatisticsResolver) Guilds(ctx context.Context, _ *model.TerritoryStatistics, first int) (
	[]*model.GuildTerritoryCount, error,
) {
	all, err := territories(ctx)
	holders := slices.SortedFunc(maps.Keys(all.ByGuild), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(all.ByGuild[b]), len(all.ByGuild[a])), strings.Compare(a, b))
	})
	return each(holders[:min(first, len(holders))], func(uuid string) *model.GuildTerritoryCount {
		held := all.ByGuild[uuid]
		return &model.GuildTerritoryCount{GuildUUID: uuid, Territories: len(held), Resources: resourceTotals(held)}
	}), err
}

var resourceTypes = []string{"EMERALD", "ORE", "WOOD", "FISH", "CROP"}

func resourceTotals(list []*model.Territory) []*model.ResourceTotal {
	out := make([]*model.ResourceTotal, len(resourceTypes))
	for i, kind := range resourceTypes {
		sum := &model.ResourceTotal{Resource: kind}
		for _, t := range list {
			for _, r := range t.Resources {
				if r.Type == kind {
					model.Raise(&sum.Generation, r.Generation)
					model.Raise(&sum.BaseGeneration, r.BaseGeneration)
					model.Raise(&sum.Stored, r.Stored)
					model.Raise(&sum.Limit, r.Limit)
				}
			}
		}
		out[i] = sum
	}
	return out
}

func (statisticsResolver) Items(ctx context.Context, _ *model.Statistics) ([]*model.ItemCount, error) {
	items, err := publicError(loaders.From(ctx).Items.Load(ctx))
	if err != nil {
		return nil, err
	}
	type kind struct{ typ, tier model.Label }
	byKind := map[kind]*model.ItemCount{}
	for _, item := range items.All {
		k := kind{typ: item.Type}
		if item.Tier != nil {
			k.tier = *item.Tier
		}
		count := byKind[k]
		if count == nil {
			count = &model.ItemCount{Type: item.Type, Tier: item.Tier}
			byKind[k] = count
		}
		count.Count++
	}
	kinds := slices.SortedFunc(maps.Keys(byKind), func(a, b kind) int {
		return cmp.Or(cmp.Compare(a.typ, b.typ), cmp.Compare(a.tier, b.tier))
	})
	out := make([]*model.ItemCount, len(kinds))
	for i, k := range kinds {
		out[i] = byKind[k]
	}
	return out, nil
}
