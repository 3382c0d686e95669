package site

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"gamedata/graph"
)

// land is all territories as of a moment.
type land struct {
	RefreshedAt time.Time
	List        []territory
}

type territory struct {
	Name               string
	Guild              struct{ Name, Prefix *string }
	Acquired           *time.Time
	HQ                 bool
	Links              []string
	Treasury, Defences string
	Location           struct{ Start, End [2]int64 }
}

func (t territory) heldBy(guild string) bool { return t.Guild.Name != nil && *t.Guild.Name == guild }

// holder is a guild and how many territories it holds.
type holder struct {
	Name, Prefix string
	Count        int
	// Mark is the class of its ground on the map.
	Mark string
}

// marks is how many guilds have a colour of their own on the map.
const marks = 8

// holders are the guilds that hold something, those with the most first.
func holders(list []territory) []holder {
	at := map[string]int{}
	var out []holder
	for _, t := range list {
		if t.Guild.Name == nil || t.Guild.Prefix == nil {
			continue
		}
		n, ok := at[*t.Guild.Name]
		if !ok {
			n = len(out)
			at[*t.Guild.Name] = n
			out = append(out, holder{Name: *t.Guild.Name, Prefix: *t.Guild.Prefix, Mark: "other"})
		}
		out[n].Count++
	}
	slices.SortFunc(out, func(a, b holder) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Name, b.Name)) })
	for i := range min(marks, len(out)) {
		out[i].Mark = "g" + strconv.Itoa(i)
	}
	return out
}

// territories is the page of the map.
type territories struct {
	land
	Holders []holder
	Free    int
	Map     *drawing
}

func showTerritories(a *asked) *graph.Error {
	var data struct{ Territories land }
	if bad := a.read(&data); bad != nil {
		return bad
	}
	page := territories{land: data.Territories, Holders: holders(data.Territories.List), Free: len(data.Territories.List)}
	marked := map[string]string{}
	for _, h := range page.Holders {
		marked[h.Name] = h.Mark
		page.Free -= h.Count
	}
	page.Map = drawLand(page.List, func(t territory) string {
		if t.Guild.Name == nil {
			return "free"
		}
		return marked[*t.Guild.Name]
	})
	a.Title = "Territories"
	a.Description = fmt.Sprintf("Map of %d territories, held by %d guilds.", len(page.List), len(page.Holders))
	a.Body = page
	return nil
}
