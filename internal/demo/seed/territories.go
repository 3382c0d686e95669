package seed

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"gamedata/graph/model"
)

var (
	goods     = []string{"ORE", "WOOD", "FISH", "CROP"}
	strengths = []string{"VERY_LOW", "LOW", "MEDIUM", "HIGH", "VERY_HIGH"}
)

// Territories returns the territories of a world, a connected graph. Each guild has its headquarters in the first
// territory of its realm, and its other territories around it; on the plain land several in a row.
func Territories(o Options) []*model.Territory {
	now, land, inset, hold := o.Timestamp(), plots()[o.land()], 10, holdPlain(o)
	if o.land() == country {
		inset, hold = 22, holdRealms(o)
	}
	out := make([]*model.Territory, len(land))
	for i, p := range land {
		r, good := source(o.Seed, forTerritory, uint64(i)), p.Good
		if o.land() == country && i%4 == 1 {
			good = pick(r, goods)
		}
		t := &model.Territory{
			Name: p.Name, LinkNames: []string{}, Location: p.area(r, inset, i%3 == 0), Resources: produce(r, i, good),
			Guild: &model.TerritoryGuild{}, Treasury: strengths[0], Defences: strengths[0],
		}
		for _, link := range p.Links {
			t.LinkNames = append(t.LinkNames, land[link].Name)
		}
		h := hold(r, i)
		age := time.Duration(between(r, 1, 21*24*60))*time.Minute + time.Duration(r.IntN(1000))*time.Millisecond
		t.AcquiredAt = new(now.Add(-age))
		if h.guild >= 0 {
			g := guild(o.Seed, h.guild)
			t.Guild = &model.TerritoryGuild{UUID: &g.UUID, Name: &g.Name, Prefix: &g.Prefix}
			t.Treasury, t.Defences = Treasury(age), pick(r, strengths)
			t.Hq = h.first
		}
		out[i] = t
	}
	return out
}

// treasuryAges are how long a territory is held until its treasury is above the lowest level, the next one, and so on.
var treasuryAges = []time.Duration{time.Hour, 12 * time.Hour, 3 * day, 8 * day}

// Treasury returns the treasury of a territory that has been held for some time.
func Treasury(held time.Duration) string {
	level := 0
	for level < len(treasuryAges) && held >= treasuryAges[level] {
		level++
	}
	return strengths[level]
}

// holder is the guild that holds a plot, -1 if none does. first says that it is the guild's first one.
type holder struct {
	guild int
	first bool
}

// holdPlain returns a function that draws the holders of the plots of the plain land, in their order. Every ninth is
// unclaimed.
func holdPlain(o Options) func(r *rand.Rand, i int) holder {
	guilds, last, seated := guildsBefore(o.Players), 0, map[int]bool{}
	return func(r *rand.Rand, i int) holder {
		switch {
		case i < 2*castGuilds:
			last = i % castGuilds
		case chance(r, 0.4):
			last = int(float64(guilds) * r.Float64() * r.Float64())
		}
		if i%9 == 4 {
			return holder{guild: -1}
		}
		h := holder{last, !seated[last]}
		seated[last] = true
		return h
	}
}

// holdRealms returns a function that returns the holders of the plots of the country.
func holdRealms(o Options) func(r *rand.Rand, i int) holder {
	holders := realms(o)
	return func(_ *rand.Rand, i int) holder { return holders[i] }
}

const (
	maxRealms = 40   // guilds with territories in large worlds
	heldShare = 0.88 // of all territories
	wildShare = 0.04 // of all territories; no realm spreads over them
)

// realm is the land of a guild around its first plot.
type realm struct {
	guild, first, held int
	want               float64
}

// realms returns the holder of each plot. Guilds begin far from each other and spread to neighbours, near ones first;
// those with low numbers, such as the guilds of the cast, want more.
func realms(o Options) []holder {
	r, all := source(o.Seed, forRealms, 0), plots()[country]
	out := make([]holder, len(all))
	free := make([]bool, len(all))
	for i := range out {
		out[i], free[i] = holder{guild: -1}, !chance(r, wildShare)
	}
	list := make([]*realm, min(guildsBefore(o.Players), maxRealms))
	for g := range list {
		first, farthest := 0, -1
		for range 12 {
			i, nearest := r.IntN(len(all)), math.MaxInt
			for _, other := range list[:g] {
				nearest = min(nearest, all[i].distance(all[other.first]))
			}
			if free[i] && nearest > farthest {
				first, farthest = i, nearest
			}
		}
		free[first], out[first] = false, holder{g, true}
		list[g] = &realm{g, first, 1, (0.6 + 0.8*r.Float64()) / (1 + float64(g)/6)}
	}
	spread := func(g *realm) bool {
		next, nearest := -1, math.MaxFloat64
		for i, p := range all {
			if !free[i] || !slices.ContainsFunc(p.Links, func(j int) bool { return out[j].guild == g.guild }) {
				continue
			}
			if d := float64(p.distance(all[g.first])) * (0.5 + r.Float64()); d < nearest {
				next, nearest = i, d
			}
		}
		if next >= 0 {
			free[next], out[next].guild = false, g.guild
			g.held++
		}
		return next >= 0
	}
	for range int(heldShare*float64(len(all))) - len(list) {
		// The realm that lacks most of what it wants gets the next plot, if it can spread.
		lacking := slices.SortedStableFunc(slices.Values(list), func(a, b *realm) int {
			return cmp.Compare(float64(a.held)/a.want, float64(b.held)/b.want)
		})
		if !slices.ContainsFunc(lacking, spread) {
			break
		}
	}
	return out
}

// produce returns emeralds and one or two other resources, a given one first; sometimes one is boosted
// away in favour of others.
func produce(r *rand.Rand, i int, good string) []*model.TerritoryResource {
	kinds := []string{"EMERALD", good}
	if i%5 == 3 {
		kinds = append(kinds, goods[(slices.Index(goods, good)+1)%len(goods)])
	}
	out := make([]*model.TerritoryResource, len(kinds))
	for n, kind := range kinds {
		base := int64(3600)
		if n == 0 {
			base = 9000
		}
		limit := int64(1+r.IntN(40)) * 10_000
		out[n] = &model.TerritoryResource{
			Type: kind, Generation: base * int64(between(r, 10, 96)) / 10, BaseGeneration: base,
			Stored: r.Int64N(limit + 1), Limit: limit,
		}
	}
	if i%7 == 2 {
		out[1].Generation = 0
	}
	return out
}
