package model

// Raids are the names that every list of guild raids contains, in this order, even with count 0.
var Raids = []string{
	"Nest of the Grootslangs", "Orphion's Nexus of Light", "The Canyon Colossus",
	"The Nameless Anomaly", "The Wartorn Palace",
}
