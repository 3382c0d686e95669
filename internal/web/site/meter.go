package site

import (
	"cmp"
	"slices"
)

// meter is an entry of a list with bars: a guild with its territories, or a world with its players.
type meter struct {
	Name         string
	UUID, Prefix string // empty for worlds
	Path         string // of the list of what is counted
	Count        int
	Bar          int // the count as percentage of the highest
	Chosen       bool
}

// meters counts the entries of the same guild or world, the highest count first.
func meters(all []meter) []meter {
	at := map[string]int{}
	var out []meter
	for _, m := range all {
		n, ok := at[m.UUID+m.Name]
		if !ok {
			n = len(out)
			at[m.UUID+m.Name] = n
			out = append(out, m)
		}
		out[n].Count++
	}
	slices.SortFunc(out, func(a, b meter) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Name, b.Name)) })
	for i := range out {
		out[i].Bar = max(1, out[i].Count*100/out[0].Count)
	}
	return out
}

func countAll(list []meter) (n int) {
	for _, m := range list {
		n += m.Count
	}
	return n
}

// Worlds returns the worlds with players, the one with the most first.
func (o Online) Worlds() []meter {
	var all []meter
	for _, p := range o.Nodes {
		all = append(all, meter{Name: p.World})
	}
	return meters(all)
}

// holders returns the guilds with territories, the one with the most first.
func holders[T interface{ holding() Holding }](list []T) []meter {
	var all []meter
	for _, t := range list {
		if h := t.holding(); h.Claimed() {
			all = append(all, meter{
				UUID: *h.GuildUUID, Name: *h.GuildName, Prefix: *h.GuildPrefix, Path: "/territories?guild=" + *h.GuildUUID,
			})
		}
	}
	return meters(all)
}

// holding makes the guild of a territory known to holders, whatever else is selected of the territory.
func (h Holding) holding() Holding { return h }

// Claimed reports whether a guild holds the territory.
func (h Holding) Claimed() bool {
	return h.GuildUUID != nil && h.GuildName != nil && h.GuildPrefix != nil
}
