package model

// Raids are the names that every list of guild raids carries, zeros too, in its order (SPEC
// §2 RaidCountList).
var Raids = []string{
	"Nest of the Grootslangs", "Orphion's Nexus of Light", "The Canyon Colossus",
	"The Nameless Anomaly", "The Wartorn Palace",
}
