// Package history says which numbers of players, guilds and worlds are recorded over time, and reads the points back at
// a coarser interval.
package history

import (
	"strconv"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// The metrics as they are stored, by their names in the schema; model.PlayerCounters has more. The metrics of
// worlds are the worlds' names.
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

// PlayerMetrics and GuildMetrics are the metrics of a player and of a guild, in the order of the API.
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

// SeasonKey is the key of the history of a guild's rating in a season, from the key of the guild's history.
func SeasonKey(season int, guild string) string { return strconv.Itoa(season) + "-" + guild }

// Online is the metric of the activity of a guild.
const Online = "ONLINE"

// AllWorlds is the key of the history of all worlds.
const AllWorlds = "all"

// Retention is how long points are stored.
type Retention struct {
	// Daily is for daily points of players and guilds, Detailed for points of worlds, seasons and hours of guilds.
	Daily, Detailed time.Duration
}

// DefaultRetention keeps daily points for three years and the others for four months.
var DefaultRetention = Retention{Daily: 3 * 365 * 24 * time.Hour, Detailed: 120 * 24 * time.Hour}

// Of returns how long points are stored.
func (r Retention) Of(what mongo.Recorded) time.Duration {
	if what.Interval() < day {
		return r.Detailed
	}
	return r.Daily
}

// OfPlayer returns the values of a player.
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

// OfGuild returns the values of a guild that has some members and territories.
func OfGuild(g *model.Guild, members, territories int) map[string]float64 {
	out := map[string]float64{
		Level: float64(g.Level), Members: float64(members), Territories: float64(territories),
		GuildRaids: float64(g.TotalGuildRaids), Captured: float64(g.Captured), Lost: float64(g.Lost),
	}
	if g.Wars != nil {
		out[Wars] = float64(*g.Wars)
	}
	if s := lastSeason(g); s != nil {
		out[SeasonRating], out[season] = float64(s.Rating), float64(s.SeasonNumber)
	}
	return out
}

// lastSeason returns the result of the last season that a guild took part in, nil if it took part in none.
func lastSeason(g *model.Guild) (last *model.GuildSeasonResult) {
	for _, s := range g.SeasonResults {
		if last == nil || s.SeasonNumber > last.SeasonNumber {
			last = s
		}
	}
	return last
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
