package site

import (
	"fmt"
	"time"

	"gamedata/graph"
)

// player is a page about a player; what is hidden from whoever asks is nil.
type player struct {
	UUID, Username, Rank         string
	Nickname, SupportRank        *string
	Online, Veteran              bool
	Server                       *string
	LastJoin, FirstJoin          *time.Time
	Playtime                     *float64
	Guild                        *membership
	GlobalData                   *totals
	CharacterList                []character
	RankMovement                 []movement
	GuildHistory                 []past
	Restrictions                 rules
	Chart                        *dumbbells `json:"-"`
	ShowsCharacters, ShowsGuilds bool       `json:"-"`
}

// rules are those that keep something from whoever asks.
type rules struct {
	MainAccess, CharacterListAccess, OnlineStatus, GuildHistoryAccess bool
}

type membership struct{ Name, Prefix, Rank string }

type totals struct {
	TotalLevel, ContentCompletion, CompletedQuests, Wars, MobsKilled, ChestsFound, WorldEvents, Lootruns, Caves int64
	Dungeons, Raids                                                                                             struct{ Total int64 }
}

type character struct {
	Type              string
	Nickname          *string
	Level, TotalLevel int64
	Gamemode          []string
	Meta              struct{ Died bool }
}

type past struct {
	Name, Prefix string
	GuildRaids   struct{ Total int64 }
}

// fact is a row of a table of two columns.
type fact struct{ Name, Value string }

// Facts are the totals in the order shown.
func (t *totals) Facts() []fact {
	return []fact{
		{"Total level", num(t.TotalLevel)},
		{"Content completed", num(t.ContentCompletion)},
		{"Quests", num(t.CompletedQuests)},
		{"Dungeons", num(t.Dungeons.Total)},
		{"Raids", num(t.Raids.Total)},
		{"Wars", num(t.Wars)},
		{
			"World events",
			num(t.WorldEvents),
		},
		{"Lootruns", num(t.Lootruns)},
		{"Caves", num(t.Caves)},
		{"Mobs killed", num(t.MobsKilled)},
		{
			"Chests found",
			num(t.ChestsFound),
		},
	}
}

func showPlayer(a *asked) *graph.Error {
	var data struct{ Player player }
	if bad := a.read(&data); bad != nil {
		return bad
	}
	p := &data.Player
	p.Chart = chartOfMoves(p.RankMovement)
	a.Title = p.Username
	a.Description = "The player " + p.Username + "."
	if p.Guild != nil {
		a.Description = fmt.Sprintf("The player %s of %s [%s].", p.Username, p.Guild.Name, p.Guild.Prefix)
	}
	a.Body = p
	return nil
}
