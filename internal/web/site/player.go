package site

import (
	"fmt"
	"strings"
	"time"

	"gamedata/graph"
	"gamedata/internal/web"
)

// player is the page of a player; what is hidden from the viewer is nil.
type player struct {
	UUID, Username, RankText string
	Nickname                 *string
	SupportRankText          *string
	Online, Veteran          bool
	Server                   *string
	LastJoin, FirstJoin      *time.Time
	Playtime                 *float64
	GuildMembership          *membership
	GlobalData               *playerTotals
	Characters               struct{ Nodes []character }
	RankMovement             []rankMovement
	GuildHistory             []pastGuild
	Restrictions             restrictions
	History                  *metricHistory
	Ranks                    rankTable `json:"-"`
	Chart                    *chart    `json:"-"`
}

// Badge is the rank of the player in a list: its text and its CSS class; nil for players without one.
func (p player) Badge() *link {
	switch {
	case p.RankText != "" && p.RankText != "Player":
		return &link{Text: p.RankText, Note: "rank-staff"}
	case p.SupportRankText != nil:
		text := strings.ToUpper(strings.ReplaceAll(*p.SupportRankText, "plus", "+"))
		return &link{Text: text, Note: "rank-" + *p.SupportRankText}
	}
	return nil
}

// restrictions are the access rules that hide something from the viewer.
type restrictions struct {
	MainAccess, CharacterListAccess, OnlineStatus, GuildHistoryAccess bool
}

// HideStatistics reports whether the player's totals, times and ranks are hidden.
func (r restrictions) HideStatistics() bool { return r.MainAccess }

type membership struct{ GuildName, GuildPrefix, Rank string }

type playerTotals struct {
	TotalLevel, ContentCompletion, CompletedQuests, Wars  int64
	MobsKilled, ChestsFound, WorldEvents, Lootruns, Caves int64
	Dungeons, Raids                                       struct{ Total int64 }
}

type character struct {
	Type              string
	Nickname          *string
	Level, TotalLevel int64
	Gamemodes         []string
	Meta              struct{ Died bool }
}

type pastGuild struct {
	GuildName, GuildPrefix string
	GuildRaids             struct{ Total int64 }
}

// fact is a row of a table of two columns.
type fact struct{ Name, Value string }

// total is a number of a player.
type total struct {
	name  string
	value int64
}

// totals are the numbers in the order shown.
func (t *playerTotals) totals() []total {
	return []total{
		{"Total level", t.TotalLevel},
		{"Content completed", t.ContentCompletion},
		{"Quests", t.CompletedQuests},
		{"Dungeons", t.Dungeons.Total},
		{"Raids", t.Raids.Total},
		{"Wars", t.Wars},
		{"World events", t.WorldEvents},
		{"Lootruns", t.Lootruns},
		{"Caves", t.Caves},
		{"Mobs killed", t.MobsKilled},
		{"Chests found", t.ChestsFound},
	}
}

// Facts are the totals as texts.
func (t *playerTotals) Facts() []fact {
	var out []fact
	for _, n := range t.totals() {
		out = append(out, fact{n.name, web.Number(n.value)})
	}
	return out
}

func showPlayer(c *renderContext) *graph.Error {
	var data struct{ Player *player }
	if bad := c.read(&data); bad != nil {
		return bad
	}
	if data.Player == nil {
		return graph.ErrNotFound
	}
	p := data.Player
	p.Ranks, p.Chart = newRankTable(p.UUID, p.RankMovement), c.historyChart(p.History, playerMetrics, "PlayerHistory")
	// Nothing here depends on the viewer: links to the page are shared with its description.
	description := "The player " + p.Username
	if g := p.GuildMembership; g != nil {
		description += fmt.Sprintf(" of %s [%s]", g.GuildName, g.GuildPrefix)
	}
	// The address of the uuid: usernames change, and several players may have the same.
	c.setCanonical(web.Path("players", p.UUID))
	c.Kind = "profile"
	return c.show(p.Username, description+".", p)
}
