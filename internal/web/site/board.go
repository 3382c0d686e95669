package site

import (
	"fmt"
	"slices"
	"time"

	"gamedata/graph"
)

// boardKinds are the kinds of boards in the order shown.
var boardKinds = []struct{ Kind, Title string }{
	{"PLAYER", "Players"},
	{"CHARACTER", "Characters"},
	{"GAMEMODE", "Characters with gamemodes"},
	{"GUILD_RECORD", "Guilds"},
	{"GUILD_RAIDS", "Guilds by raids"},
	{"GUILD_SEASON", "Guilds by season"},
}

// boardGroup are the boards of one kind.
type boardGroup struct {
	Title string
	Types []string
}

func showBoards(a *asked) *graph.Error {
	var data struct{ LeaderboardTypes []struct{ Type, Kind string } }
	if bad := a.read(&data); bad != nil {
		return bad
	}
	var groups []boardGroup
	for _, k := range boardKinds {
		g := boardGroup{Title: k.Title}
		for _, t := range data.LeaderboardTypes {
			if t.Kind == k.Kind {
				g.Types = append(g.Types, t.Type)
			}
		}
		if len(g.Types) > 0 {
			groups = append(groups, g)
		}
	}
	a.Title = "Leaderboards"
	a.Description = fmt.Sprintf("%d leaderboards of players, characters and guilds.", len(data.LeaderboardTypes))
	a.Body = groups
	return nil
}

// board is the top of a leaderboard.
type board struct {
	Type, Kind  string
	RefreshedAt *time.Time
	Count       int64
	Entries     []entry
	Chart       *slopes `json:"-"`
}

// entry has the fields of all kinds of entries; those of other kinds are nil.
type entry struct {
	Position                          int64
	Name, UUID, Prefix, CharacterType *string
	Restricted                        bool
	Score, PreviousRanking, Movement  *int64
	Level, Territories, Wars          *int64
}

// Way and Says tell how the entry moved since the day before.
func (e entry) Way() string  { return way(e.Movement) }
func (e entry) Says() string { return says(e.Way(), e.Movement) }

// OfGuilds tells whether the entries are guilds.
func (b *board) OfGuilds() bool { return len(b.Kind) > 5 && b.Kind[:5] == "GUILD" }

// Moves tells whether positions of the day before are kept for the board.
func (b *board) Moves() bool { return b.Kind != "GUILD_RECORD" }

// HiddenBy names the rules that hide who an entry is.
func (b *board) HiddenBy() string {
	if b.Kind == "PLAYER" {
		return "main_access"
	}
	return "main_access, character_list_access or character_data_access"
}

func showBoard(a *asked) *graph.Error {
	var data struct{ Leaderboard board }
	if bad := a.read(&data); bad != nil {
		return bad
	}
	b := &data.Leaderboard
	if b.Moves() {
		b.Chart = chartOfBoard(b.Entries)
	}
	a.Title = label(b.Type)
	a.Description = fmt.Sprintf("The leaderboard %s: %d entries.", b.Type, b.Count)
	if i := slices.IndexFunc(b.Entries, func(e entry) bool { return e.Name != nil }); i >= 0 {
		a.Description = fmt.Sprintf("The leaderboard %s: %d entries, %s at place %d.", b.Type, b.Count, *b.Entries[i].Name,
			b.Entries[i].Position)
	}
	a.Body = b
	return nil
}
