package site

import (
	"fmt"
	"time"

	"gamedata/graph"
	"gamedata/internal/web"
)

type guild struct {
	UUID, Name, Prefix string
	Level, XPPercent   int64
	Wars               *int64
	TotalGuildRaids    int64
	Created            time.Time
	Online             int64
	Headquarters       *struct{ Name string }
	Banner             *web.Banner
	Members            members
	SeasonResults      []seasonResult
	RankMovement       []rankMovement
	History            *metricHistory
	Ranks              rankTable     `json:"-"`
	Chart              *chart        `json:"-"`
	Map                *territoryMap `json:"-"`
	Territories        []territory   `json:"-"`
	MapFailed          bool          `json:"-"`
}

type members struct {
	TotalCount int64
	Nodes      []member
}

type member struct {
	UUID, Username, Rank string
	Online               bool
	Server               *string
	Contributed          int64
	Joined               time.Time
	Wars                 *int64
	Restrictions         restrictions
}

type seasonResult struct {
	SeasonNumber, Rating, FinalTerritories int64
	// Season is nil for a season without a leaderboard.
	Season *struct{ Number int64 }
}

func showGuild(c *renderContext) *graph.Error {
	var data struct {
		Guild       guild
		Territories *territoryList
	}
	if bad := c.read(&data); bad != nil {
		return bad
	}
	g := &data.Guild
	c.setAPILinks("/v3/guild/uuid/" + g.UUID) // a guild may have the name of a fixed path, such as seasons
	g.Ranks, g.Chart = newRankTable(g.UUID, g.RankMovement), c.historyChart(g.History, guildMetrics, "GuildHistory")
	if g.MapFailed = data.Territories == nil; !g.MapFailed {
		for _, t := range data.Territories.Nodes {
			if t.belongsTo(g.Name) {
				g.Territories = append(g.Territories, t)
			}
		}
		if len(g.Territories) > 0 {
			g.Map = newTerritoryMap(data.Territories.Nodes, mapView{
				Dim: func(t territory) bool { return !t.belongsTo(g.Name) }, Near: true,
			})
		}
	}
	c.setCanonical(web.Path("guilds", g.Name))
	title := fmt.Sprintf("%s [%s]", g.Name, g.Prefix)
	return c.show(title, fmt.Sprintf("The guild %s: level %d, %d members, %d territories.", title, g.Level,
		g.Members.TotalCount, len(g.Territories)), g)
}
