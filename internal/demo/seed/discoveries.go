package seed

import "gamedata/graph/model"

// discoveryPlaces share words with guilds, items and players, so that a search finds several kinds.
var discoveryPlaces = readNames("discoveries.txt")

// Discoveries returns the discoveries of the demo world.
func Discoveries(o Options) []*model.Discovery {
	out := make([]*model.Discovery, len(discoveryPlaces))
	for i, name := range discoveryPlaces {
		r := source(0, forDiscovery, uint64(i))
		x, y, z := between(r, -1800, 1800), between(r, 20, 120), between(r, -2400, -100)
		if o.country() {
			x, y, z = inCountry(r)
		}
		d := &model.Discovery{Name: name, Location: &model.Box{
			From: []int{x, y, z}, To: []int{x + between(r, 5, 40), y + between(r, 4, 20), z + between(r, 5, 40)},
		}}
		if i%3 == 0 { // as recorded: the greater corner may come first
			d.Location.From, d.Location.To = d.Location.To, d.Location.From
		}
		out[i] = d
	}
	return out
}
