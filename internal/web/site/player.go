package site

import (
	"fmt"
	"time"

	"gamedata/graph"
	"gamedata/internal/web"
)

// player is the page of a player; what is hidden from the viewer is nil.
type player struct {
	UUID, Username, Rank  string
	Nickname, SupportRank *string
	Online, Veteran       bool
	Server                *string
	LastJoin, FirstJoin   *time.Time
	Playtime              *float64
	Guild                 *membership
	GlobalData            *playerTotals
	CharacterList         []character
	RankMovement          []rankMovement
	GuildHistory          []pastGuild
	Restrictions          restrictions
	Chart                 *rankChart `json:"-"`
}

// restrictions are the access rules that hide something from the viewer.
type restrictions struct {
	MainAccess, CharacterListAccess, OnlineStatus, GuildHistoryAccess bool
}

type membership struct{ Name, Prefix, Rank string }

type playerTotals struct {
	TotalLevel, ContentCompletion, CompletedQuests, Wars  int64
	MobsKilled, ChestsFound, WorldEvents, Lootruns, Caves int64
	Dungeons, Raids                                       struct{ Total int64 }
}

type character struct {
	Type              string
	Nickname          *string
	Level, TotalLevel int64
	Gamemode          []string
	Meta              struct{ Died bool }
}

type pastGuild struct {
	Name, Prefix string
	GuildRaids   struct{ Total int64 }
}

// fact is a row of a table of two columns.
type fact struct{ Name, Value string }

// Facts are the totals in the order shown.
func (t *playerTotals) Facts() []fact {
	return []fact{
		{"Total level", web.Number(t.TotalLevel)},
		{"Content completed", web.Number(t.ContentCompletion)},
		{"Quests", web.Number(t.CompletedQuests)},
		{"Dungeons", web.Number(t.Dungeons.Total)},
		{"Raids", web.Number(t.Raids.Total)},
		{"Wars", web.Number(t.Wars)},
		{"World events", web.Number(t.WorldEvents)},
		{"Lootruns", web.Number(t.Lootruns)},
		{"Caves", web.Number(t.Caves)},
		{"Mobs killed", web.Number(t.MobsKilled)},
		{"Chests found", web.Number(t.ChestsFound)},
	}
}

func showPlayer(c *renderContext) *graph.Error {
	var data struct{ Player player }
	if bad := c.read(&data); bad != nil {
		return bad
	}
	p := &data.Player
	p.Chart = newRankChart(p.RankMovement)
	description := "The player " + p.Username
	if p.Guild != nil {
		description += fmt.Sprintf(" of %s [%s]", p.Guild.Name, p.Guild.Prefix)
	}
	return c.show(p.Username, description+".", p)
}
