package site

import (
	"fmt"
	"slices"
	"strings"

	"gamedata/graph/model"
	"gamedata/internal/web"
)

// Badge returns the text and the CSS class of the player's rank in a list; nil for players without one.
func (p PlayerRank) Badge() *link {
	switch {
	case p.Rank.Label != "" && p.Rank.Label != "Player":
		return &link{Text: p.Rank.Label, Note: "rank-staff"}
	case p.SupportRank != nil:
		text := strings.ToUpper(strings.ReplaceAll(p.SupportRank.Label, "plus", "+"))
		return &link{Text: text, Note: "rank-" + p.SupportRank.Label}
	}
	return nil
}

// tiles are the metrics at the top of the page of a player.
var tiles = []model.HistoryMetric{model.HistoryMetricLevel, model.HistoryMetricWars, model.HistoryMetricRaids}

// Facts returns the selected counters except the tiles at the top; nil if they are hidden.
func (p *PlayerPage) Facts() (out facts) {
	for _, c := range model.PlayerCounters {
		if n, ok := c.Value(p.Player.Totals); ok && !slices.Contains(tiles, c.Metric) {
			out.number(c.Label, n)
		}
	}
	return out
}

// Ranks returns the player's positions on leaderboards.
func (p *PlayerPage) Ranks() rankTable { return newRankTable(p.Player.UUID, p.Player.RankMovement) }

func showPlayer(c *renderContext, data *PlayerPage) *errorPage {
	p := data.Player
	// The description must not depend on the viewer: shared links to the page show it.
	description := "The player " + p.Username
	if g := p.GuildMembership; g != nil {
		description += fmt.Sprintf(" of %s [%s]", g.GuildName, g.GuildPrefix)
	}
	// Use the uuid: usernames change, and several players may have the same one.
	c.setCanonical(web.Path("players", p.UUID))
	c.Kind = "profile"
	c.historyChart(p.History, playerMetrics, p.ThisWeek, "PlayerHistory")
	return c.show(p.Username, description+".", data)
}
