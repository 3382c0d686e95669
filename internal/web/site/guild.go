package site

import (
	"fmt"

	"gamedata/internal/web"
)

// Title returns the name of the guild with its tag.
func (p *GuildPage) Title() string { return p.Guild.Name + " [" + p.Guild.Prefix + "]" }

// Ranks returns the guild's positions on leaderboards.
func (p *GuildPage) Ranks() rankTable { return newRankTable(p.Guild.UUID, p.Guild.RankMovement) }

// Map returns a map of the guild's territories, nil if it has none.
func (p *GuildPage) Map() *territoryMap {
	if orEmpty(p.Guild.Territories).TotalCount == 0 {
		return nil
	}
	return newTerritoryMap(orEmpty(p.Territories).Nodes, mapView{Dim: p.notHeld, Near: true})
}

func (p *GuildPage) notHeld(t MapTerritory) bool {
	return t.GuildUUID == nil || *t.GuildUUID != p.Guild.UUID
}

func showGuild(c *renderContext, data *GuildPage) *errorPage {
	g := data.Guild
	g.Members, g.Present, g.Away = orEmpty(g.Members), orEmpty(g.Present), orEmpty(g.Away)
	c.historyChart(&g.History, guildMetrics, g.ThisWeek, "GuildHistory")
	c.setCanonical(web.Path("guilds", g.Name))
	return c.show(data.Title(), fmt.Sprintf("The guild %s: level %d, %d members, %d territories.", data.Title(), g.Level,
		g.Members.TotalCount, orEmpty(g.Territories).TotalCount), data)
}
