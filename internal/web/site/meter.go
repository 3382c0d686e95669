package site

import (
	"cmp"
	"slices"

	"gamedata/graph/model"
)

// meter is an entry of a list with bars, such as a guild with its territories, or a world with its players.
type meter struct {
	Name, Note   string
	UUID, Prefix string // of a guild
	Colour       string // of a guild
	Path         string // of the list of counted things; empty without one
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
	return withBars(out)
}

// withBars sorts a list, the highest count first, and sets the bars.
func withBars(list []meter) []meter {
	slices.SortFunc(list, func(a, b meter) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Name, b.Name)) })
	for i := range list {
		list[i].Bar = percent(float64(list[i].Count), float64(list[0].Count))
	}
	return list
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
				UUID: *h.GuildUUID, Name: *h.GuildName, Prefix: *h.GuildPrefix, Colour: h.Colour(),
				Path: "/territories?guild=" + *h.GuildUUID,
			})
		}
	}
	return meters(all)
}

// holding gives holders access to the guild of any type that embeds Holding.
func (h Holding) holding() Holding { return h }

// Colour returns the colour of the guild, empty if no guild holds the territory.
func (h Holding) Colour() string { return textOf(h.GuildColour) }

// colourOf returns the colour of a guild, derived from the uuid if the store lacks the guild.
func colourOf(g *GuildColour, uuid *string) string {
	switch {
	case g != nil:
		return g.Colour
	case uuid != nil:
		return model.UUIDColour(*uuid)
	}
	return ""
}

// Claimed reports whether a guild holds the territory.
func (h Holding) Claimed() bool {
	return h.GuildUUID != nil && h.GuildName != nil && h.GuildPrefix != nil
}
