package site

import (
	"fmt"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/web"
)

// Badge is the rank of the player in a list: its text and its CSS class; nil for players without one.
func (p PlayerRank) Badge() *link {
	switch {
	case p.RankText != "" && p.RankText != "Player":
		return &link{Text: p.RankText, Note: "rank-staff"}
	case p.SupportRankText != nil:
		text := strings.ToUpper(strings.ReplaceAll(*p.SupportRankText, "plus", "+"))
		return &link{Text: text, Note: "rank-" + *p.SupportRankText}
	}
	return nil
}

// totals are the numbers of a player in the order shown.
var totals = []struct {
	name string
	of   func(*model.PlayerGlobalData) int64
}{
	{"Total level", func(d *model.PlayerGlobalData) int64 { return d.TotalLevel }},
	{"Content completed", func(d *model.PlayerGlobalData) int64 { return d.ContentCompletion }},
	{"Quests", func(d *model.PlayerGlobalData) int64 { return d.CompletedQuests }},
	{"Dungeons", func(d *model.PlayerGlobalData) int64 { return d.Dungeons.Total }},
	{"Raids", func(d *model.PlayerGlobalData) int64 { return d.Raids.Total }},
	{"Wars", func(d *model.PlayerGlobalData) int64 { return d.Wars }},
	{"World events", func(d *model.PlayerGlobalData) int64 { return d.WorldEvents }},
	{"Lootruns", func(d *model.PlayerGlobalData) int64 { return d.Lootruns }},
	{"Caves", func(d *model.PlayerGlobalData) int64 { return d.Caves }},
	{"Mobs killed", func(d *model.PlayerGlobalData) int64 { return d.MobsKilled }},
	{"Chests found", func(d *model.PlayerGlobalData) int64 { return d.ChestsFound }},
}

// Facts are the totals as texts; nil if they are hidden.
func (p *PlayerPage) Facts() (out facts) {
	if d := p.Player.GlobalData; d != nil {
		for _, t := range totals {
			out.number(t.name, t.of(d))
		}
	}
	return out
}

// Ranks are the ranks of the player.
func (p *PlayerPage) Ranks() rankTable { return newRankTable(p.Player.UUID, p.Player.RankMovement) }

func showPlayer(c *renderContext, data *PlayerPage) *graph.Error {
	p := data.Player
	// Nothing here depends on the viewer: links to the page are shared with its description.
	description := "The player " + p.Username
	if g := p.GuildMembership; g != nil {
		description += fmt.Sprintf(" of %s [%s]", g.GuildName, g.GuildPrefix)
	}
	// The address of the uuid: usernames change, and several players may have the same.
	c.setCanonical(web.Path("players", p.UUID))
	c.Kind = "profile"
	c.historyChart(p.History, playerMetrics, "PlayerHistory")
	return c.show(p.Username, description+".", data)
}
