package seed

import (
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"gamedata/graph/model"
)

// Guilds returns the records of all guilds, computed from the totals of their players: one guild per
// playersPerGuild players.
func Guilds(o Options, ts Tallies, land []*model.Territory) []*model.Guild {
	held := map[string]int{}
	for _, t := range land {
		if t.Guild.UUID != nil {
			held[*t.Guild.UUID]++
		}
	}
	var numbers []int
	for n := range guildsBefore(o.Players) {
		numbers = append(numbers, n)
	}
	for n := range oddGuilds {
		numbers = append(numbers, sideGuilds+n)
	}
	out := make([]*model.Guild, 0, len(numbers))
	for _, n := range numbers {
		if t := ts.of(guild(o.Seed, n).UUID); n < sideGuilds || t.members > 0 {
			g := guildRecord(o, n, t)
			if last := len(g.SeasonResults) - 1; last >= 0 {
				if _, end := seasonDates(o.end(), g.SeasonResults[last].SeasonNumber); end.After(o.Now) {
					g.SeasonResults[last].FinalTerritories = held[g.UUID]
				}
			}
			out = append(out, g)
		}
	}
	return out
}

// guildRecord computes the nth guild. Its level follows from the members' contributions, its raids are the
// runs of present and former members.
func guildRecord(o Options, n int, t *tally) *model.Guild {
	r := source(o.Seed, forGuildRecord, uint64(n))
	name := guild(o.Seed, n)
	created := o.Now.Add(-guildAge(o, o.Now, n))
	wars := int64(float64(t.wars) * (0.3 + 0.4*r.Float64()))
	g := &model.Guild{
		UUID: name.UUID, Name: name.Name, Prefix: name.Prefix, Level: 1 + int(9*math.Log1p(float64(t.contributed)/2e8)),
		XPPercent: r.IntN(101), Wars: &wars, CreatedAt: created, Banner: banner(r),
		SeasonResults: seasonRanks(r, o, created, wars),
		Ranking:       []*model.RankPosition{}, PreviousRanking: []*model.RankPosition{},
	}
	for i, raid := range model.Raids {
		if done := t.runs(i); done > 0 {
			g.TotalGuildRaids += done
			tally := &model.RaidTally{Raid: raid, Completions: done, Gambits: gambits(r, done)}
			g.RaidTallies = append(g.RaidTallies, tally)
		}
	}
	switch n {
	case lanternRow:
		g.Banner = nil
	case tidewatch:
		g.Wars = nil
	case emberforge:
		g.SeasonResults = []*model.GuildSeasonResult{}
	case mossbound:
		// A season that is not in the store.
		g.SeasonResults = append([]*model.GuildSeasonResult{{SeasonNumber: forgottenSeason, Rating: 40_120}},
			g.SeasonResults...)
	}
	return g
}

// gambits draws the gambits of n completions; expensive ones are rarer.
func gambits(r *rand.Rand, completions int64) model.GambitCounts {
	some := func(most float64) int64 { return int64(float64(completions) * most * r.Float64()) }
	return model.GambitCounts{Ten: some(1.2), Twenty: some(0.8), Thirty: some(0.5)}
}

var (
	clothColours = strings.Fields("BLACK BLUE BROWN CYAN GRAY GREEN LIGHT_BLUE LIME MAGENTA ORANGE PINK PURPLE RED " +
		"WHITE YELLOW")
	clothPatterns = strings.Fields("BORDER CIRCLE_MIDDLE CROSS CURLY_BORDER FLOWER GRADIENT HALF_HORIZONTAL " +
		"RHOMBUS_MIDDLE STRIPE_CENTER STRIPE_TOP TRIANGLES_BOTTOM") //nolint:misspell // names of the game
	bannerStructure = []string{"defaultBanner", "desertBanner", "futuristicBanner2", "harbourBanner", "mossBanner"}
)

// banner draws a banner. One guild in twelve has none, and some have no layers.
func banner(r *rand.Rand) *model.Banner {
	b := &model.Banner{
		Base: pick(r, clothColours), Tier: between(r, 1, 6), Structure: pick(r, bannerStructure),
		Layers: []*model.BannerLayer{},
	}
	none := chance(r, 1.0/12)
	for range r.IntN(6) {
		b.Layers = append(b.Layers, &model.BannerLayer{Colour: pick(r, clothColours), Pattern: pick(r, clothPatterns)})
	}
	if none {
		return nil
	}
	return b
}

// seasonRanks draws the results of a guild in the seasons since its foundation.
func seasonRanks(r *rand.Rand, o Options, created time.Time, wars int64) []*model.GuildSeasonResult {
	out := []*model.GuildSeasonResult{}
	for n := firstSeason; n <= runningSeason; n++ {
		took, rating, held := chance(r, 0.85), r.Int64N(40_000)+wars*int64(between(r, 5, 40)), r.IntN(14)
		if start, end := seasonDates(o.end(), n); took && start.Before(o.Now) && end.After(created) {
			out = append(out, &model.GuildSeasonResult{SeasonNumber: n, Rating: rating, FinalTerritories: held})
		}
	}
	return out
}
