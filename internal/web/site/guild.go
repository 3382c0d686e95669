package site

import (
	"fmt"

	"gamedata/graph"
	"gamedata/internal/web"
)

// guildBody is the page of a guild.
type guildBody struct {
	*GuildPage
	Map  *territoryMap
	Held []MapTerritory
}

// Title is the name of the guild with its tag.
func (p *GuildPage) Title() string { return p.Guild.Name + " [" + p.Guild.Prefix + "]" }

// Ranks are the ranks of the guild.
func (p *GuildPage) Ranks() rankTable { return newRankTable(p.Guild.UUID, p.Guild.RankMovement) }

func showGuild(c *renderContext, data *GuildPage) *graph.Error {
	g := data.Guild
	g.Members = orEmpty(g.Members)
	c.setAPILinks("/v3/guild/uuid/" + g.UUID) // a guild may have the name of a fixed path, such as seasons
	body := &guildBody{GuildPage: data}
	if data.Territories != nil {
		for _, t := range data.Territories.Nodes {
			if t.isOf(g.Name) {
				body.Held = append(body.Held, t)
			}
		}
	}
	if len(body.Held) > 0 {
		body.Map = newTerritoryMap(data.Territories.Nodes, mapView{
			Dim: func(t MapTerritory) bool { return !t.isOf(g.Name) }, Near: true,
		})
	}
	c.historyChart(&g.History, guildMetrics, "GuildHistory")
	c.setCanonical(web.Path("guilds", g.Name))
	return c.show(body.Title(), fmt.Sprintf("The guild %s: level %d, %d members, %d territories.", body.Title(), g.Level,
		g.Members.TotalCount, len(body.Held)), body)
}
