// Package history defines which numbers of players, guilds and worlds are recorded over time, and resamples the points
// at coarser intervals.
package history

import (
	"slices"
	"strconv"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// The stored metrics have their names from the schema; model.PlayerCounters has more. For worlds, a metric is the
// world's name.
const (
	Level        = string(model.HistoryMetricLevel)
	Playtime     = string(model.HistoryMetricPlaytime)
	Wars         = string(model.HistoryMetricWars)
	Members      = string(model.HistoryMetricMembers)
	Territories  = string(model.HistoryMetricTerritories)
	Captured     = string(model.HistoryMetricCaptured)
	Lost         = string(model.HistoryMetricLost)
	SeasonRating = string(model.HistoryMetricSeasonRating)
	GuildRaids   = string(model.HistoryMetricGuildRaids)
	Contributed  = string(model.HistoryMetricContributed)

	season = "SEASON" // the number of the season of SeasonRating; not in the schema
)

// PlayerMetrics and GuildMetrics list the metrics of players and guilds, in the order of the API.
var (
	PlayerMetrics = playerMetrics()
	GuildMetrics  = []string{Level, Members, Wars, Territories, Captured, Lost, SeasonRating, GuildRaids}
)

func playerMetrics() (out []string) {
	recorded := map[model.HistoryMetric]bool{model.HistoryMetricPlaytime: true, model.HistoryMetricContributed: true}
	for _, c := range model.PlayerCounters {
		recorded[c.Metric] = true
	}
	for _, m := range model.AllHistoryMetric {
		if recorded[m] {
			out = append(out, string(m))
		}
	}
	return out
}

// SeasonKey returns the key for the history of a guild's rating in a season. guild is the key of the guild's history.
func SeasonKey(season int, guild string) string { return strconv.Itoa(season) + "-" + guild }

// Online is the metric of the activity of a guild.
const Online = "ONLINE"

// AllWorlds is the key of the history of all worlds.
const AllWorlds = "all"

// Retention is how long points are stored.
type Retention struct {
	// Daily applies to daily points of players and guilds, Detailed to points of worlds and seasons and hourly points
	// of guilds.
	Daily, Detailed time.Duration
}

// DefaultRetention stores daily points for three years and other points for four months.
var DefaultRetention = Retention{Daily: 3 * 365 * 24 * time.Hour, Detailed: 120 * 24 * time.Hour}

// Of returns how long points of a kind are stored.
func (r Retention) Of(what mongo.Recorded) time.Duration {
	if what.Interval() < day {
		return r.Detailed
	}
	return r.Daily
}

// OfPlayer returns a player's current values.
func OfPlayer(p *model.Player) map[string]float64 {
	out := map[string]float64{}
	if p.Playtime != nil {
		out[Playtime] = *p.Playtime
	}
	if p.Guild != nil && p.Membership != nil {
		out[Contributed] = float64(p.Membership.Contributed)
	}
	for _, c := range model.PlayerCounters {
		if n, ok := c.Value(p.Totals); ok && c.Metric != "" {
			out[string(c.Metric)] = float64(n)
		}
	}
	return out
}

// OfGuild returns a guild's current values, given its numbers of members and territories.
func OfGuild(g *model.Guild, members, territories int) map[string]float64 {
	out := map[string]float64{
		Level: float64(g.Level), Members: float64(members), Territories: float64(territories),
		GuildRaids: float64(g.TotalGuildRaids), Captured: float64(g.Captured), Lost: float64(g.Lost),
	}
	if g.Wars != nil {
		out[Wars] = float64(*g.Wars)
	}
	if len(g.SeasonResults) > 0 {
		bySeason := func(a, b *model.GuildSeasonResult) int { return a.SeasonNumber - b.SeasonNumber }
		s := slices.MaxFunc(g.SeasonResults, bySeason)
		out[SeasonRating], out[season] = float64(s.Rating), float64(s.SeasonNumber)
	}
	return out
}

// Rating returns the rating of a guild in a season, and whether it has one.
func Rating(g *model.Guild, season int) (float64, bool) {
	for _, s := range g.SeasonResults {
		if s.SeasonNumber == season {
			return float64(s.Rating), true
		}
	}
	return 0, false
}
