package seed

import (
	"gamedata/graph/model"
	"gamedata/internal/demo/content"
)

// Items returns all items.
func Items() []*model.Item { return content.Read[model.Item]("items") }

// AbilityTrees returns the trees of all classes.
func AbilityTrees() []*model.AbilityTree { return content.Read[model.AbilityTree]("abilityTrees") }

// GatheringNodes returns the gathering nodes of a world.
func GatheringNodes(o Options) []*model.GatheringNode {
	return content.Read[model.GatheringNode](o.land() + "/gatheringNodes")
}

// LootPools returns the camps and raids of a world.
func LootPools(o Options) []*model.LootPool {
	return content.Read[model.LootPool](o.land() + "/lootPools")
}

// Discoveries returns the discoveries of a world.
func Discoveries(o Options) []*model.Discovery {
	return content.Read[model.Discovery](o.land() + "/discoveries")
}
