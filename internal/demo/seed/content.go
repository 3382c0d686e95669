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
func LootPools(o Options) (pools []*model.LootPool) {
	for _, p := range content.Read[struct {
		model.LootPool
		Previews []*model.LootPreview // not in the JSON of a record
	}](o.land() + "/lootPools") {
		p.LootPool.Previews = p.Previews
		pools = append(pools, &p.LootPool)
	}
	return pools
}

func worldEvents(o Options) (events []*model.WorldEvent) {
	for _, e := range content.Read[struct {
		model.WorldEvent
		Timetable *model.Timetable // not in the JSON of a record
	}](o.land() + "/worldEvents") {
		e.WorldEvent.Timetable = e.Timetable
		events = append(events, &e.WorldEvent)
	}
	return events
}

// Discoveries returns the discoveries of a world.
func Discoveries(o Options) []*model.Discovery {
	return content.Read[model.Discovery](o.land() + "/discoveries")
}
