package site

import (
	"fmt"
	"time"

	"gamedata/graph"
)

// guild is a page about a guild.
type guild struct {
	UUID, Name, Prefix string
	Level, XPPercent   int64
	Wars               *int64
	TotalGuildRaids    int64
	Created            time.Time
	Online             int64
	Headquarters       *struct{ Name string }
	Members            members
	SeasonRanks        []seasonRank
	RankMovement       []movement
	Chart              *dumbbells  `json:"-"`
	Map                *drawing    `json:"-"`
	Held               []territory `json:"-"`
	MapFailed          bool        `json:"-"`
}

type members struct {
	Total int64
	All   []member
}

type member struct {
	UUID, Username, Rank string
	Online               bool
	Server               *string
	Contributed          int64
	Joined               time.Time
	Wars                 *int64
	Restrictions         struct{ OnlineStatus, MainAccess bool }
}

type seasonRank struct {
	Season, Rating, FinalTerritories int64
	// Definition is nil for a season that is not shown: it has no leaderboard.
	Definition *struct{ Number int64 }
}

func showGuild(a *asked) *graph.Error {
	var data struct {
		Guild       guild
		Territories *land
	}
	if bad := a.read(&data); bad != nil {
		return bad
	}
	g := &data.Guild
	a.leadTo("/v3/guild/uuid/" + g.UUID) // by name fixed paths go first: a guild may be called seasons
	g.Chart = chartOfMoves(g.RankMovement)
	if g.MapFailed = data.Territories == nil; !g.MapFailed {
		for _, t := range data.Territories.List {
			if t.heldBy(g.Name) {
				g.Held = append(g.Held, t)
			}
		}
		g.Map = drawLand(data.Territories.List, func(t territory) string {
			if t.heldBy(g.Name) {
				return "own"
			}
			return "other"
		})
	}
	a.Title = fmt.Sprintf("%s [%s]", g.Name, g.Prefix)
	a.Description = fmt.Sprintf("The guild %s [%s]: level %d, %d members, %d territories.", g.Name, g.Prefix, g.Level,
		g.Members.Total, len(g.Held))
	a.Body = g
	return nil
}
