package model

// The connections of the sections about classes, the map and news.
type (
	// AspectConnection is a page of aspects.
	AspectConnection = Connection[*Aspect]
	// AspectEdge is an aspect in a list.
	AspectEdge = Edge[*Aspect]
	// MapMarkerConnection is a page of places on the map.
	MapMarkerConnection = Connection[*MapMarker]
	// MapMarkerEdge is a place on the map in a list.
	MapMarkerEdge = Edge[*MapMarker]
	// GatheringNodeConnection is a page of gathering nodes.
	GatheringNodeConnection = Connection[*GatheringNode]
	// GatheringNodeEdge is a gathering node in a list.
	GatheringNodeEdge = Edge[*GatheringNode]
	// WorldEventConnection is a page of world events.
	WorldEventConnection = Connection[*WorldEvent]
	// WorldEventEdge is a world event in a list.
	WorldEventEdge = Edge[*WorldEvent]
	// LootPoolConnection is a page of camps and raids.
	LootPoolConnection = Connection[*LootPool]
	// LootPoolEdge is a camp or a raid in a list.
	LootPoolEdge = Edge[*LootPool]
	// DiscoveryConnection is a page of discoveries.
	DiscoveryConnection = Connection[*Discovery]
	// DiscoveryEdge is a discovery in a list.
	DiscoveryEdge = Edge[*Discovery]
	// VideoConnection is a page of videos.
	VideoConnection = Connection[*Video]
	// VideoEdge is a video in a list.
	VideoEdge = Edge[*Video]
	// NewsEntryConnection is a page of news.
	NewsEntryConnection = Connection[*NewsEntry]
	// NewsEntryEdge is news in a list.
	NewsEntryEdge = Edge[*NewsEntry]
)
